// Places the arrays that a launcher works in one after another in the scratch memory of its step. The same
// function counts the bytes and gives the addresses.
//
//   Scratch scratch(memory);                    // null: only bytes() is asked for
//   auto* keys = scratch.take<std::uint64_t>(rows * length);
#pragma once

#include <cstddef>
#include <cstdint>

namespace mxinfer::kernels::cuda {

class Scratch {
 public:
  /// `memory` is a multiple of 64.
  explicit Scratch(void* memory) : memory_(static_cast<unsigned char*>(memory)) {}

  template <typename T>
  T* take(std::int64_t count) {
    const std::size_t at = bytes_;
    bytes_ = (at + static_cast<std::size_t>(count) * sizeof(T) + 63) / 64 * 64;
    return memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + at);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  unsigned char* memory_;
  std::size_t bytes_ = 0;
};

}  // namespace mxinfer::kernels::cuda
