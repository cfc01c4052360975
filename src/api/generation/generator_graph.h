// The inputs and outputs of a generator's graph: GeneratorOptions checked against a model, with missing
// options inferred.
//
//   const GeneratorGraph graph = find_generator_graph(predictor, options);
//   inputs[graph.tokens], outputs[graph.scores]
#pragma once

#include <mxinfer/predictor.h>
#include <mxinfer/sequence/generate_options.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer::api {

struct GeneratorGraph {
  struct State {
    std::size_t input;
    std::size_t output;
    std::size_t batch_axis;
  };
  std::size_t tokens = 0;  ///< which input
  std::string layout{};    ///< of the tokens: "N", "NT" or "TN"
  bool whole_prefix = false;
  std::size_t scores = 0;  ///< which output
  ScoreKind kind = ScoreKind::logits;
  std::optional<std::size_t> vocabulary{};  ///< how many scores, if that is known
  /// For the scores of a whole prefix: whether their axis of tokens comes before that of sequences; nullopt
  /// if they have only one of the two.
  std::optional<bool> scores_by_time{};
  std::vector<State> states{};
  std::optional<std::size_t> position{};
  std::optional<std::size_t> length{};
  std::vector<std::size_t> fixed{};  ///< the other inputs: the same in each step
};

/// Throws Error(invalid_argument) for unknown names, an input or output with two roles, outputs that are all
/// states, an invalid layout, buckets that are not ascending, or a padding that is not a token.
GeneratorGraph find_generator_graph(const Predictor& predictor, const GeneratorOptions& options);

/// The dimension of an input that has a row for each sequence: its layout's N, else the first.
std::size_t axis_of_rows(const DataDesc& desc);

/// The shape of an array of tokens.
Shape token_shape(const std::string& layout, std::int64_t rows, std::int64_t tokens);

}  // namespace mxinfer::api
