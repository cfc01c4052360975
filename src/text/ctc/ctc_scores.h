// The scores of CTC networks, of any layout and kind, as log-probabilities of one step after another.
//
//   const CtcBatch batch(scores, options);
//   std::vector<double> row(batch.classes());
//   batch.read(sequence, step, row);          // natural logarithms
#pragma once

#include <mxinfer/sequence/ctc.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tensor/read_element.h"

namespace mxinfer::text {

class CtcBatch {
 public:
  /// Throws Error(invalid_argument) for options that do not fit the scores. read() checks the numbers.
  CtcBatch(const TensorView& scores, const CtcOptions& options);

  std::size_t sequences() const { return static_cast<std::size_t>(sequences_); }
  std::size_t classes() const { return static_cast<std::size_t>(classes_); }
  std::int64_t steps(std::size_t sequence) const;
  std::int32_t blank() const { return blank_; }

  /// The log-probabilities of a step. Error(invalid_argument) if its numbers are not what they should be.
  void read(std::size_t sequence, std::int64_t step, Span<double> row) const;
  std::string text(Span<const std::int32_t> labels) const;

 private:
  void check_lengths() const;
  void check_labels() const;
  void check(double value, std::size_t sequence, std::int64_t step, std::size_t index) const;

  TensorView scores_;
  const CtcOptions& options_;
  ElementReader read_element_;
  std::int64_t sequences_ = 1, steps_ = 0, classes_ = 0;
  std::int64_t sequence_stride_ = 0, step_stride_ = 0;
  std::int32_t blank_ = 0;
};

}  // namespace mxinfer::text
