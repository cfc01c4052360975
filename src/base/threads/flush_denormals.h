// FlushDenormals: floating-point arithmetic that treats denormal numbers as zero. Processors need a hundred
// times as long for denormal operands and results as for others.
//
//   const FlushDenormals scope;       // this thread and the loops it starts, while the scope lives
//   parallel_for(rows, 8, ...);
//
// Denormal numbers are those below 1.2e-38 in float32 and below 2.2e-308 in float64. They count as zero in
// arithmetic and comparisons, and results that would be denormal are zero with the sign they would have had.
// NaN, infinities and copies do not change.
#pragma once

#include <cstdint>

namespace mxinfer {

/// Whether arithmetic of this thread flushes denormal numbers.
bool flushes_denormals() noexcept;

/// Sets the mode of this thread, and restores what it was.
class FlushDenormals {
 public:
  explicit FlushDenormals(bool flush = true) noexcept;
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  std::uint64_t before_;
  bool changed_;
};

}  // namespace mxinfer
