// GenerateOptions: how tokens are chosen, and when a sequence ends.
//
//   mxinfer::GenerateOptions options;
//   options.search = mxinfer::Search::sample;          // or greedy, beam
//   options.temperature = 0.8f;
//   options.seed = 7;                                  // the same seed, the same tokens
//   auto result = generator.generate_text("The ship", options);
//
// GeneratorOptions, of the generator itself, say what its network takes and gives. docs/how-to/generation.md
// has the formulae.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/options.h>
#include <mxinfer/sequence/sequence_options.h>
#include <mxinfer/sequence/tokenizer.h>
#include <mxinfer/sequence/vocabulary.h>
#include <mxinfer/span.h>
#include <mxinfer/tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// What the numbers are that the network gives for each token of the vocabulary.
enum class ScoreKind {
  automatic,          ///< by the operator that makes them: softmax, log_softmax; of any other, logits
  logits,             ///< a softmax makes probabilities of them
  log_probabilities,  ///< as log_softmax gives them
  probabilities,      ///< as softmax gives them
};

/// How a network goes on with a sequence.
enum class StepKind {
  automatic,    ///< one_token if it has states, whole_prefix if it has none
  one_token,    ///< it takes the last token alone and knows the others by its states
  whole_prefix  ///< it takes all tokens each time: a causal network without states
};

struct GeneratorOptions {
  /// The input that takes tokens. Open: the first one that an Embedding reads, else the first that is neither
  /// a state, nor the length, nor `position_input`.
  std::string token_input{};
  /// The dimensions of its array: "N", "NT" or "TN", or small letters, N being sequences and T tokens. Open:
  /// its layout in the signature; else what fits the shapes of the network, in that order.
  std::string token_layout{};
  StepKind step = StepKind::automatic;
  /// The output that has a score for each token: (N, V), (N, 1, V) or (1, N, V), and of a whole prefix
  /// (N, T, V), (T, N, V) or (N * T, V). Open: the first one that gives no state.
  std::string score_output{};
  ScoreKind scores = ScoreKind::automatic;
  /// As SequenceOptions::states. A state may grow from step to step along one dimension, as a cache of
  /// attention does; such a state must be given in GenerateOptions::inputs.
  std::vector<StateNames> states{};
  /// The input that takes the number of the step, the first being 0: (1,), (N,) or (N, 1). Empty: none.
  std::string position_input{};
  /// Of a whole prefix: as SequenceOptions::length_input, buckets and pad_value. Without buckets each length
  /// has a plan of its own; with them, a prefix that is longer than the largest is
  /// Error(invalid_argument). Buckets need a network that gives a score for each position, or a
  /// `length_input`.
  std::string length_input{};
  std::vector<std::int64_t> buckets{};
  double pad_value = 0;  ///< a whole number that the input can have, below the rows of its Embedding

  /// For texts; open: those of the tokenizer. Must have no more words than the network has scores.
  Vocabulary vocabulary{};
  std::optional<Tokenizer> tokenizer{};
  /// Stands in front of each prompt that does not begin with it. Open: the vocabulary's begin token, if it
  /// has one; -1: none.
  std::optional<std::int32_t> begin_id{};
  /// Ends a sequence. Open: the vocabulary's end token, if it has one; -1: none.
  std::optional<std::int32_t> end_id{};
  Options options{};
};

enum class Search {
  greedy,  ///< the best token of each step
  beam,    ///< the best `beam` sequences of each step, as gluonnlp.model.BeamSearchSampler
  sample,  ///< a token by chance, as likely as the network says
};

struct GenerateOptions {
  Search search = Search::greedy;
  /// Tokens of a sequence at most, without its prompt and with its end token. At least 1.
  int max_length = 100;
  /// How many sequences for each prompt: the best of a beam, or so many samples, at most
  /// 65536. 1 for Search::greedy.
  int num_sequences = 1;
  /// Ids that end a sequence beside the end token.
  std::vector<std::int32_t> stop_ids{};
  /// Called after each token with the tokens of that sequence so far, without its prompt; true ends it. From
  /// the thread that generates. What it throws comes as an Error that says so: with the code of an Error, of
  /// another exception invalid_argument and its text.
  std::function<bool(Span<const std::int32_t> ids)> stop{};

  /// Of Search::beam: sequences that are kept; 1 to the size of the vocabulary.
  int beam = 4;
  /// Of greedy and beam: a sequence of n tokens (its end token is one) has the score
  /// log_probability / ((length_k + n) / (length_k + 1)) ^ alpha, the penalty of GNMT. 0: no penalty.
  float alpha = 1.0f;
  float length_k = 5.0f;  ///< K; not below 0

  /// Of Search::sample: scores are divided by it. Above 0.
  float temperature = 1.0f;
  int top_k = 0;       ///< only so many best tokens are drawn from; 0: all
  float top_p = 1.0f;  ///< only the fewest best tokens that have this probability together; in (0, 1]
  std::uint64_t seed = 0;
  /// Of all searches: the score of a token that the sequence, or its prompt, has already is divided by it
  /// if the score is above 0, and multiplied by it if not. Above 0; 1: nothing.
  float repetition_penalty = 1.0f;

  /// What the network takes beside tokens, the same in each step, such as an encoder's outputs and their
  /// lengths; and states to begin with, which are zeros otherwise. Each has a row for each prompt, in the
  /// dimension that is the batch. Borrowed: the memory must live until generate returns; start() copies it.
  std::map<std::string, TensorView> inputs{};
};

/// Why a sequence ends.
enum class Finish {
  end,      ///< with the end token, or one of stop_ids
  length,   ///< at GenerateOptions::max_length
  stopped,  ///< as GenerateOptions::stop wanted
};

/// A sequence that was generated.
struct Generated {
  /// Without the prompt, and without the token that ended it.
  std::vector<std::int32_t> ids{};
  /// Of `ids`, by the tokenizer, or the vocabulary's words joined by spaces; empty without either.
  std::string text{};
  double score = 0;            ///< what beams are ordered by; of samples log_probability
  double log_probability = 0;  ///< the sum of those of its tokens, the end token included
  Finish finish = Finish::length;
  std::optional<std::int32_t> end_id{};  ///< the token that ended it, of Finish::end

  friend bool operator==(const Generated& a, const Generated& b) {
    return a.ids == b.ids && a.text == b.text && a.score == b.score &&
           a.log_probability == b.log_probability && a.finish == b.finish && a.end_id == b.end_id;
  }
  friend bool operator!=(const Generated& a, const Generated& b) { return !(a == b); }
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
