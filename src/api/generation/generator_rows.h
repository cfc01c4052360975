// GeneratorRows: runs the network of a generator step by step, with a row for each sequence, and keeps the
// states between steps.
//
//   GeneratorRows rows(predictor, graph, options, given, prompts);
//   const GeneratorRows::Scores scores = rows.step(sequences);    // all tokens so far, of equal length
//   rows.keep(parents);                                           // row i goes on from parents[i]
//
// States are double-buffered: a step reads one set of tensors and writes the other. Nothing is copied if the
// rows stay the same; otherwise each row is copied once. Ended rows stay in the batch until half of it has
// ended, because each batch size has its own plan.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/generation/generator_graph.h"

namespace mxinfer::api {

class GeneratorRows {
 public:
  /// One row for each prompt. `given` are GenerateOptions::inputs, with a row for each prompt; states are
  /// copied, others are read in each step. Throws Error(invalid_argument) for unknown names, a missing input
  /// or another number of rows.
  GeneratorRows(const Predictor& predictor, const GeneratorGraph& graph, const GeneratorOptions& options,
                const std::map<std::string, TensorView>& given, std::size_t prompts);

  struct Scores {
    Span<const float> values;  ///< row after row; valid until the next step
    std::size_t vocabulary;
  };
  /// Precondition: as many sequences as rows, of equal length, not empty. Throws as Predictor::predict, and
  /// Error(invalid_argument) with the name of an output that is not scores or states.
  Scores step(Span<const std::vector<std::int32_t>> sequences);
  /// The rows that the next step continues.
  void keep(Span<const std::size_t> parents);

 private:
  std::vector<Tensor> first_states(const std::map<std::string, TensorView>& given);
  Tensor zero_state(const GeneratorGraph::State& state);
  Shape shape_of_zeros(std::size_t input, std::size_t axis);
  void take_given(const std::map<std::string, TensorView>& given);
  void fill_tokens(Span<const std::vector<std::int32_t>> sequences);
  void fill_counts(std::size_t input, Tensor& tensor, std::int64_t value);
  std::vector<TensorView> input_views() const;
  void run();
  void check_states() const;
  void gather_states(Span<const std::size_t> parents);
  void gather_fixed();
  std::int64_t padded_length(std::size_t length) const;

  const Predictor& predictor_;
  const GeneratorGraph& graph_;
  const GeneratorOptions& options_;
  std::vector<TensorView> fixed_;           ///< by graph_.fixed: of all prompts
  std::vector<Tensor> fixed_rows_;          ///< by graph_.fixed: of the rows of the batch
  std::vector<std::size_t> prompt_of_row_;  ///< of the batch
  std::vector<std::size_t> fixed_for_;      ///< what prompt_of_row_ was when fixed_rows_ were made
  std::size_t rows_;
  std::size_t batch_;            ///< rows_, and some that have ended
  std::vector<Tensor> states_;   ///< by graph_.states: what the next step reads
  std::vector<Tensor> outputs_;  ///< what the last step wrote
  bool reuse_outputs_ = false;   ///< the next step writes what has their shapes
  Tensor tokens_;
  Tensor position_;
  Tensor length_;
  std::vector<float> scores_;
};

}  // namespace mxinfer::api
