// Products of a warpgroup, by the names of kernels/cuda/warpgroup_nvcc.h: each warp multiplies its 16 of the
// 64 rows. Options::multiply_late says when: late, at the wait for their group, shows memory and registers
// that are overwritten before; early, when they are asked for, shows operands that are not there yet. Until
// group_end() the registers of sums are NaN, and a kernel must not change them.
#pragma once

#include <cstdint>

#include "simt/matrix.h"
#include "simt/thread.h"

namespace mxinfer::simt {

inline void publish_to_groups() {}
void group_begin();
void group_commit();
/// Returns when at most `groups` of this thread's groups are not done.
void group_wait_for(unsigned groups);
template <int N>
void group_wait() {
  static_assert(N >= 0);
  group_wait_for(N);
}

/// The registers of `count` fragments of sums are the kernel's again.
void end_sums(float* sums, int count, const Place& place);
template <int F>
void group_end(float (&d)[1][F][4], const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  end_sums(d[0][0], F, {"group_end()", file, line});
}

/// Asks for the product of a slice: 16 rows of `left`, or of the thread's `fragments`, by 8 * `count` of
/// `right`. Ends the launch if the GPU has no such instruction, or rows do not begin where it wants them.
struct GroupOperands {
  const std::uint32_t *left, *fragments, *right;
  int slice;
};
void begin_product(const GroupOperands& operands, float* sums, int count, MmaType type, const Place& place);

template <int FIRST, int N, int F>
void group_mma_f16(float (&d)[1][F][4], const std::uint32_t* left, const std::uint32_t* right, int slice,
                   const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  begin_product({left, nullptr, right, slice}, d[0][FIRST], N, MmaType::float16,
                {"group_mma_f16()", file, line});
}
template <int FIRST, int N, int F>
void group_mma_bf16(float (&d)[1][F][4], const std::uint32_t* left, const std::uint32_t* right, int slice,
                    const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  begin_product({left, nullptr, right, slice}, d[0][FIRST], N, MmaType::bfloat16,
                {"group_mma_bf16()", file, line});
}
template <int FIRST, int N, int F>
void group_mma_tf32(float (&d)[1][F][4], const std::uint32_t (&a)[4], const std::uint32_t* right, int slice,
                    const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  begin_product({nullptr, a, right, slice}, d[0][FIRST], N, MmaType::tf32, {"group_mma_tf32()", file, line});
}

}  // namespace mxinfer::simt
