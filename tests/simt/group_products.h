// What a thread has asked its warpgroup to multiply and not ended.
#pragma once

#include <vector>

#include "simt/matrix.h"
#include "simt/thread.h"

namespace mxinfer::simt {

struct GroupProduct {
  const std::uint32_t* left;       ///< rows in shared memory; null: `fragments` has them
  const std::uint32_t* fragments;  ///< the thread's four registers
  const std::uint32_t* right;      ///< rows in shared memory
  float* sums;                     ///< the thread's registers of `count` fragments
  int count, slice;
  MmaType type;
  unsigned group;
  Place place;
  const void* code;  ///< the address that asked
  bool done;
};

/// Sums while the instruction has their registers, which hold kTaken instead.
struct GroupSums {
  float* registers;
  std::vector<float> values;
};

struct GroupProducts {
  std::vector<GroupProduct> pending;  ///< in order
  std::vector<GroupSums> sums;
  unsigned group = 0;      ///< of the next product; how many have been committed
  bool has_begun = false;  ///< by group_begin(), for the products until the next group_commit()

  void clear() {
    pending.clear();
    sums.clear();
    group = 0;
    has_begun = false;
  }
};

}  // namespace mxinfer::simt
