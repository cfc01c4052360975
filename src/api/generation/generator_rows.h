// GeneratorRows: runs the network of a generator, a step at a time, on a row for each sequence, and keeps
// their states between steps.
//
//   GeneratorRows rows(predictor, graph, options, given, prompts);
//   const GeneratorRows::Scores scores = rows.step(sequences);    // all tokens so far, of equal length
//   rows.keep(parents);                                           // row i goes on from parents[i]
//
// States lie in two sets of tensors that change places: a step reads one and writes the other. Where the rows
// stay as they are nothing is copied; otherwise each row is copied once. Rows that
// have ended stay in the batch until half of it has: each size of a batch has a plan of its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/generation/generator_graph.h"

namespace mxinfer::api {

class GeneratorRows {
 public:
  /// One row for each prompt. `given` are GenerateOptions::inputs, with a row for each prompt; what is a
  /// state is copied, the others are read in each step. Errors (invalid_argument): names that are none of the
  /// other inputs, an input that is missing, another number of rows.
  GeneratorRows(const Predictor& predictor, const GeneratorGraph& graph, const GeneratorOptions& options,
                const std::map<std::string, TensorView>& given, std::size_t prompts);

  struct Scores {
    Span<const float> values;  ///< row after row; valid until the next step
    std::size_t vocabulary;
  };
  /// Precondition: as many sequences as rows, of one length, not empty. Errors: as Predictor::predict;
  /// invalid_argument for outputs that are no scores or no states, naming them.
  Scores step(Span<const std::vector<std::int32_t>> sequences);
  /// What the rows of the next step go on from.
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
