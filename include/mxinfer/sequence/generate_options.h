// GenerateOptions: how tokens are chosen, and when a sequence ends. GeneratorOptions describe the network of
// a generator. docs/how-to/generation.md has the formulas.
//
//   mxinfer::GenerateOptions options;
//   options.search = mxinfer::Search::sample;          // or greedy, beam
//   options.temperature = 0.8f;
//   options.seed = 7;                                  // the same seed, the same tokens
//   auto result = generator.generate_text("The ship", options);
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
  automatic,          ///< by the operator that computes them: softmax, log_softmax, or for any other, logits
  logits,             ///< a softmax turns them into probabilities
  log_probabilities,  ///< as log_softmax returns them
  probabilities,      ///< as softmax returns them
};

/// What the network takes in each step.
enum class StepKind {
  automatic,    ///< one_token if the network has states, otherwise whole_prefix
  one_token,    ///< the last token; the states remember the others
  whole_prefix  ///< all tokens so far: a causal network without states
};

/// How a generator uses its network. Fields that are not set are found from the network;
/// SequenceGenerator::found() returns them.
struct GeneratorOptions {
  /// The input of the tokens. Empty: the first one that an Embedding reads, or else the first that is not a
  /// state, the length or `position_input`.
  std::string token_input{};
  /// The dimensions of the tokens: "N", "NT" or "TN", in upper or lower case. N is sequences and T is tokens.
  /// Empty: the layout in the signature, or else the first of these that fits the shapes of the network.
  std::string token_layout{};
  StepKind step = StepKind::automatic;
  /// The output of the scores for each token: (N, V), (N, 1, V) or (1, N, V), and for a whole prefix also (N,
  /// T, V), (T, N, V) or (N * T, V). Empty: the first output that is not a state.
  std::string score_output{};
  ScoreKind scores = ScoreKind::automatic;
  /// As SequenceOptions::states. A state may grow from step to step along one dimension, as a cache of
  /// attention does. Such a state must be given in GenerateOptions::inputs.
  std::vector<StateNames> states{};
  /// The input of the number of the step, from 0: (1,), (N,) or (N, 1). Empty: none.
  std::string position_input{};
  /// For a whole prefix: as SequenceOptions::length_input, buckets and pad_value. Without buckets, each
  /// length has its own plan. With buckets, a prefix longer than the largest is an Error(invalid_argument).
  /// Buckets need a network that gives a score for each position, or a `length_input`.
  std::string length_input{};
  std::vector<std::int64_t> buckets{};
  /// A whole number that the input can hold, below the number of rows of its Embedding.
  double pad_value = 0;

  /// For texts. Not set: the vocabulary of the tokenizer. It must not have more words than the network has
  /// scores.
  Vocabulary vocabulary{};
  std::optional<Tokenizer> tokenizer{};
  /// Put in front of each prompt that does not begin with it. Not set: the vocabulary's begin token, if there
  /// is one. -1: none.
  std::optional<std::int32_t> begin_id{};
  /// Ends a sequence. Not set: the vocabulary's end token, if there is one. -1: none.
  std::optional<std::int32_t> end_id{};
  Options options{};
};

/// How tokens are chosen.
enum class Search {
  greedy,  ///< the best token of each step
  beam,    ///< the best `beam` sequences of each step, as in gluonnlp.model.BeamSearchSampler
  sample,  ///< a random token, by the network's probabilities
};

/// How tokens are chosen, and when a sequence ends.
struct GenerateOptions {
  Search search = Search::greedy;
  /// The most tokens of a sequence, without its prompt and with its end token. At least 1.
  int max_length = 100;
  /// How many sequences are generated for each prompt: the best of a beam, or samples. At most 65536; 1 for
  /// Search::greedy.
  int num_sequences = 1;
  /// Ids that end a sequence in addition to the end token.
  std::vector<std::int32_t> stop_ids{};
  /// Called after each token with the tokens of that sequence so far, without its prompt. If it returns true,
  /// the sequence ends. It runs on the thread that generates. If it throws an Error, the call throws one with
  /// the same code that names this function; any other exception becomes an Error(invalid_argument) with its
  /// text.
  std::function<bool(Span<const std::int32_t> ids)> stop{};

  /// For Search::beam: how many sequences are kept, 1 to the size of the vocabulary.
  int beam = 4;
  /// For greedy and beam: the score of a sequence of n tokens, its end token included, is log_probability /
  /// ((length_k + n) / (length_k + 1)) ^ alpha, the length penalty of GNMT. 0: no penalty.
  float alpha = 1.0f;
  float length_k = 5.0f;  ///< K; at least 0

  /// For Search::sample: scores are divided by it. Above 0.
  float temperature = 1.0f;
  int top_k = 0;  ///< for Search::sample: draw from this many best tokens; 0: all
  /// For Search::sample: draw from the fewest best tokens whose probabilities add up to this; in (0, 1].
  float top_p = 1.0f;
  std::uint64_t seed = 0;  ///< for Search::sample
  /// For all searches: if a token is already in the sequence or its prompt, its score is divided by this if
  /// the score is above 0, otherwise multiplied. Above 0; 1: no penalty.
  float repetition_penalty = 1.0f;

  /// Other inputs of the network, which are the same in each step, such as an encoder's outputs and their
  /// lengths; and initial states, which are zeros otherwise. Each has a row for each prompt, in the batch
  /// dimension. Borrowed: the memory must live until generate returns; start() copies it.
  std::map<std::string, TensorView> inputs{};
};

/// Why a sequence ended.
enum class Finish {
  end,      ///< with the end token, or one of stop_ids
  length,   ///< at GenerateOptions::max_length
  stopped,  ///< because GenerateOptions::stop returned true
};

/// A generated sequence.
struct Generated {
  /// The tokens, without the prompt and the token that ended the sequence.
  std::vector<std::int32_t> ids{};
  /// The text of `ids`, by the tokenizer, or the vocabulary's words joined by spaces. Empty if there is
  /// neither.
  std::string text{};
  double score = 0;            ///< the score that orders beams; for samples, log_probability
  double log_probability = 0;  ///< the sum over its tokens, the end token included
  Finish finish = Finish::length;
  std::optional<std::int32_t> end_id{};  ///< the token that ended it, if Finish::end

  friend bool operator==(const Generated& a, const Generated& b) {
    return a.ids == b.ids && a.text == b.text && a.score == b.score &&
           a.log_probability == b.log_probability && a.finish == b.finish && a.end_id == b.end_id;
  }
  friend bool operator!=(const Generated& a, const Generated& b) { return !(a == b); }
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
