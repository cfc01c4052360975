// Where a warp waits for global memory, by the order of what its first lane does. Loads that follow each
// other are on their way together. They are waited for where the lane stores, exchanges, or reaches a
// barrier, since what it stores depends on them; and a compiler moves no load above a store that may be to
// the same memory. Of a loop that loads and does nothing of that kind, kUnrolled rounds are on their way.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "simt/counts/counts.h"

namespace mxinfer::simt {

class Waits {
 public:
  explicit Waits(WaitCounts* counts) : counts_(counts) {}

  /// `is_near`: an earlier load of the block has read the same sector.
  void load(const void* code, bool is_near);
  /// It reads shared memory or multiplies.
  void work();
  /// It does what needs the loads.
  void use();
  /// It waits for copies; so many groups are on their way.
  void wait_for_copies(unsigned groups);

 private:
  static constexpr unsigned kUnrolled = 8;
  WaitCounts* counts_;
  std::unordered_map<const void*, unsigned> loads_;
  bool has_worked_ = false, is_far_ = false;
};

}  // namespace mxinfer::simt
