// Places the arrays that a step works in one after another, each 64-byte aligned.
//
//   ScratchLayout layout;
//   const std::size_t gates = layout.take<float>(batch * 4 * hidden);     // in lower()
//   step.scratch_bytes = layout.bytes();
//   auto* at = reinterpret_cast<float*>(run.scratch + gates);             // in run()
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/checked.h"
#include "base/fail.h"
#include "base/files/aligned_memory.h"

namespace mxinfer::ops {

class ScratchLayout {
 public:
  /// Behind `taken` bytes that something else uses.
  explicit ScratchLayout(std::size_t taken = 0) : end_(aligned_size(taken)) {}

  /// The offset of `elements` elements. Error(out_of_memory) if all of it is more than a process can have.
  template <typename T>
  std::size_t take(std::int64_t elements) {
    const std::size_t at = end_;
    const auto bytes = checked_mul(elements, static_cast<std::int64_t>(sizeof(T)));
    if (!bytes || static_cast<std::size_t>(*bytes) > kMostBytes - end_) {
      fail(ErrorCode::out_of_memory, "it would work in more memory than any process has (", elements,
           " elements, behind ", end_,
           " bytes); give smaller inputs, or correct the attribute that asks for so much");
    }
    end_ = aligned_size(end_ + static_cast<std::size_t>(*bytes));
    return at;
  }
  std::size_t bytes() const { return end_; }

 private:
  std::size_t end_;
};

}  // namespace mxinfer::ops
