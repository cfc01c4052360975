// SequenceGenerator: writes sequences token by token, such as translations, texts and captions.
//
//   mxinfer_generator_options about = {.struct_size = sizeof about, .vocabulary = vocabulary};
//   mxinfer_sequence_generator_open("language_model", &about, NULL, &generator);
//   mxinfer_sequence_generator_generate_text(generator, "the cat", NULL, &generated);
//   mxinfer_generated_sequence best = {sizeof best};
//   mxinfer_generated_get(generated, 0, 0, &best);
//   puts(best.text);
//
// To print a sequence as it is generated:
//
//   mxinfer_sequence_generator_start_text(generator, "the cat", NULL, &generation);
//   while (mxinfer_generation_next(generation, &id) == MXINFER_OK && id >= 0)
//     fputs(mxinfer_generation_piece(generation), stdout);
//
// Any number of threads may use one generator. Use results and generations on one thread at a time.
#ifndef MXINFER_C_GENERATOR_H
#define MXINFER_C_GENERATOR_H

#include <mxinfer_c/predictor.h>
#include <mxinfer_c/texts.h>
#include <mxinfer_c/tokenizer.h>

/// What the network takes and returns. A member that is 0 or NULL is found from the graph, or has the default
/// that its comment names. Functions accept NULL, which means all zeros. docs/how-to/generation.md explains
/// each.
typedef struct mxinfer_generator_options {
  size_t struct_size;
  const char* token_input;   ///< takes tokens; NULL: the first that an Embedding reads
  const char* token_layout;  ///< the dimensions of its array: "N", "NT" or "TN"
  const char* step;          ///< "automatic" (the default), "one_token" or "whole_prefix"
  const char* score_output;  ///< has a score for each token; NULL: the first output that is not a state
  const char* scores;        ///< "automatic" (the default), "logits", "log_probabilities" or "probabilities"
  /// As in mxinfer_sequence_options.
  const char* const* state_inputs;
  const char* const* state_outputs;
  size_t state_count;
  const char* position_input;  ///< takes the number of the step, from 0; NULL: none
  /// For a whole prefix, as in mxinfer_sequence_options. 0 buckets: each length has its own plan.
  const char* length_input;
  const int64_t* buckets;
  size_t bucket_count;
  double pad_value;
  const mxinfer_vocabulary* vocabulary;  ///< for texts; NULL: that of the tokenizer
  const mxinfer_tokenizer* tokenizer;    ///< for texts; NULL: words between white space
  const int32_t* begin_id;               ///< placed before each prompt; NULL: the vocabulary's; -1: none
  const int32_t* end_id;                 ///< ends a sequence; NULL: the vocabulary's; -1: none
} mxinfer_generator_options;

/// Ends a sequence: returns 1 to stop it, 0 to go on. Called on the generating thread, with the tokens of one
/// sequence so far, without its prompt.
typedef int32_t (*mxinfer_stop_fn)(void* user, const int32_t* ids, size_t count);

/// How to choose tokens. A member that is 0 or NULL has the default that its comment names. Functions accept
/// NULL, which means all zeros.
typedef struct mxinfer_generate_options {
  size_t struct_size;
  const char* search;       ///< "greedy" (the default), "beam" or "sample"
  int32_t max_length;       ///< most tokens of a sequence, end token included; 0: 100
  int32_t num_sequences;    ///< for each prompt: the best of a beam, or samples; 0: 1
  const int32_t* stop_ids;  ///< end a sequence, in addition to the end token
  size_t stop_id_count;
  mxinfer_stop_fn stop;      ///< may be NULL
  void* user;                ///< for stop
  int32_t beam;              ///< for "beam": sequences to keep; 0: 4
  const float* alpha;        ///< for "greedy" and "beam": the length penalty; NULL: 1
  const float* length_k;     ///< its K; NULL: 5
  float temperature;         ///< for "sample", as the next three; 0: 1
  int32_t top_k;             ///< draws from this many best tokens; 0: all
  float top_p;               ///< draws from the best tokens that together have this probability; 0: 1
  uint64_t seed;             ///< the same seed gives the same tokens
  float repetition_penalty;  ///< for all searches; 0: 1, no penalty
  /// Other inputs of the network, and initial states, by name, with a row for each prompt. Borrowed for the
  /// call; the functions that start a generation copy them.
  const mxinfer_tensor* inputs;
  size_t input_count;
} mxinfer_generate_options;

/// One generated sequence.
typedef struct mxinfer_generated_sequence {
  size_t struct_size;
  const int32_t* ids;  ///< without the prompt and without the token that ended it
  size_t id_count;
  const char* text;        ///< "" without a vocabulary and a tokenizer
  double score;            ///< orders beams; for samples, log_probability
  double log_probability;  ///< the natural logarithm, the end token included
  const char* finish;      ///< "end" (an end token), "length" (max_length) or "stopped" (by stop)
  int32_t end_id;          ///< the token that ended it; -1 if none did
} mxinfer_generated_sequence;

/// The sequences of each prompt.
typedef struct mxinfer_generated mxinfer_generated;

/// Return the number of prompts, and the number of sequences of one prompt.
MXINFER_C_API size_t mxinfer_generated_prompts(const mxinfer_generated* generated);
MXINFER_C_API size_t mxinfer_generated_count(const mxinfer_generated* generated, size_t prompt);
/// Writes sequence `index` of a prompt to `out`. Beams are best first; samples are in the order of their
/// numbers. Ids and text live as long as `generated`. Error: MXINFER_INVALID_ARGUMENT if the index is out of
/// range.
MXINFER_C_API mxinfer_status mxinfer_generated_get(const mxinfer_generated* generated, size_t prompt,
                                                   size_t index, mxinfer_generated_sequence* out);
MXINFER_C_API void mxinfer_generated_free(mxinfer_generated* generated);

typedef struct mxinfer_sequence_generator mxinfer_sequence_generator;

/// Create a generator for a model, or load the model first. `about` is read only during the call. The options
/// are those of the groups "run" and "queue"; mxinfer_sequence_generator_open also takes "load". Errors: as
/// mxinfer_predictor_create, and MXINFER_INVALID_ARGUMENT if the model does not have a name, all of its
/// outputs are states, an id is not in the vocabulary, or the buckets are not in ascending order.
MXINFER_C_API mxinfer_status mxinfer_sequence_generator_create(const mxinfer_model* model,
                                                               const mxinfer_generator_options* about,
                                                               const mxinfer_options* options,
                                                               mxinfer_sequence_generator** out);
MXINFER_C_API mxinfer_status mxinfer_sequence_generator_open(const char* uri,
                                                             const mxinfer_generator_options* about,
                                                             const mxinfer_options* options,
                                                             mxinfer_sequence_generator** out);
/// Frees the handle. Generations that it started continue to work.
MXINFER_C_API void mxinfer_sequence_generator_free(mxinfer_sequence_generator* generator);
/// Returns the same object as a predictor. Borrowed: do not free it.
MXINFER_C_API const mxinfer_predictor* mxinfer_sequence_generator_predictor(
    const mxinfer_sequence_generator* generator);

/// Continue one prompt of ids, or of text. A prompt of ids may be empty if there is a begin id. Error:
/// MXINFER_INVALID_ARGUMENT if an option is out of its range, the network has no score for an id, an input or
/// state does not fit, a score is NaN, or for a text if there is neither a vocabulary nor a tokenizer.
MXINFER_C_API mxinfer_status mxinfer_sequence_generator_generate_ids(
    const mxinfer_sequence_generator* generator, const int32_t* prompt, size_t count,
    const mxinfer_generate_options* options, mxinfer_generated** out);
MXINFER_C_API mxinfer_status
mxinfer_sequence_generator_generate_text(const mxinfer_sequence_generator* generator, const char* prompt,
                                         const mxinfer_generate_options* options, mxinfer_generated** out);
/// Continue many prompts, as one batch if possible. Each result is that of the prompt alone, with the same
/// seed.
MXINFER_C_API mxinfer_status mxinfer_sequence_generator_generate_ids_list(
    const mxinfer_sequence_generator* generator, const mxinfer_id_list* prompts, size_t count,
    const mxinfer_generate_options* options, mxinfer_generated** out);
MXINFER_C_API mxinfer_status mxinfer_sequence_generator_generate_texts(
    const mxinfer_sequence_generator* generator, const char* const* prompts, size_t count,
    const mxinfer_generate_options* options, mxinfer_generated** out);

/// Writes the ids of a text to `out`, without the begin id.
MXINFER_C_API mxinfer_status mxinfer_sequence_generator_ids(const mxinfer_sequence_generator* generator,
                                                            const char* text, mxinfer_ids** out);
/// Writes the text of ids to `out`; free it with mxinfer_text_free.
MXINFER_C_API mxinfer_status mxinfer_sequence_generator_text(const mxinfer_sequence_generator* generator,
                                                             const int32_t* ids, size_t count, char** out);
/// Returns the vocabulary, whose size is 0 if there is none. Borrowed: do not free it.
MXINFER_C_API const mxinfer_vocabulary* mxinfer_sequence_generator_vocabulary(
    const mxinfer_sequence_generator* generator);
/// Writes the options as they were found: names, states, kinds, ids. Texts, arrays and handles live as long
/// as `generator`; do not free them.
MXINFER_C_API mxinfer_status mxinfer_sequence_generator_found(const mxinfer_sequence_generator* generator,
                                                              mxinfer_generator_options* out);

/// A sequence that is being generated.
typedef struct mxinfer_generation mxinfer_generation;

/// Start one sequence that is generated token by token, by greedy search or sampling. Nothing runs before the
/// first mxinfer_generation_next. `stop` and `user` must live until the generation is freed. Errors: as
/// mxinfer_sequence_generator_generate_ids, and MXINFER_INVALID_ARGUMENT for "beam" or more than one
/// sequence.
MXINFER_C_API mxinfer_status mxinfer_sequence_generator_start_ids(const mxinfer_sequence_generator* generator,
                                                                  const int32_t* prompt, size_t count,
                                                                  const mxinfer_generate_options* options,
                                                                  mxinfer_generation** out);
MXINFER_C_API mxinfer_status
mxinfer_sequence_generator_start_text(const mxinfer_sequence_generator* generator, const char* prompt,
                                      const mxinfer_generate_options* options, mxinfer_generation** out);
/// Writes the next token to `id`, or -1 if the sequence has ended. The token that ends it is not written.
/// After an error, the sequence has ended.
MXINFER_C_API mxinfer_status mxinfer_generation_next(mxinfer_generation* generation, int32_t* id);
/// Returns what the last token adds to the text; "" without a vocabulary, and while the text depends on later
/// tokens. Lives until the next call of mxinfer_generation_next.
MXINFER_C_API const char* mxinfer_generation_piece(const mxinfer_generation* generation);
/// Writes the sequence so far to `out`; `finish` is valid once the sequence has ended. Ids and text live
/// until the next call of mxinfer_generation_next.
MXINFER_C_API mxinfer_status mxinfer_generation_result(const mxinfer_generation* generation,
                                                       mxinfer_generated_sequence* out);
MXINFER_C_API void mxinfer_generation_free(mxinfer_generation* generation);

#endif
