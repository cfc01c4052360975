// A block's product of two operands by wgmma (compute capability 9.0): the pipeline of
// kernels/gemm/tensor_tile_device.h, whose stages the instruction reads as they are. Both operands lie along
// the depth.
//
//   multiply_steps_by_groups<Operands<StoredFloat16, Along::depth, Along::depth>>(smem, left, right, steps, sums);
//
// A warpgroup, four warps, multiplies 64 rows with all columns of the tile. Of tf32 the left operand is
// rounded on its way through registers; the right one is rounded in shared memory by source.round(stage),
// unless it is rounded already.
#pragma once

#include "kernels/gemm/tensor_tile_device.h"

namespace mxinfer::kernels::cuda {

/// Groups of products that are not waited for while the next ones begin: a block that is alone on its
/// multiprocessor would else leave the tensor cores idle at each barrier. Fragments in registers must be
/// waited for.
template <class O, class T>
inline constexpr int kGroupsInFlight = T::blocks == 1 && sizeof(typename O::Element) == 2 ? 1 : 0;

/// Blocks that a multiprocessor is to have registers for: fragments of tf32 need more.
template <typename E, class T>
inline constexpr int kBlocksByRegisters = T::by_groups && sizeof(E) == 4 && T::blocks > 2 ? T::blocks - 1
                                                                                          : T::blocks;

/// sums += the left stage times columns of the right one, from FIRST fragments on.
template <class O, int FIRST, class T>
__device__ __forceinline__ void multiply_columns_by_group(TensorSums<T>& sums, const std::uint32_t* left,
                                                          const std::uint32_t* right, int slice) {
  constexpr int kMost = 16, kLeft = T::fragments_across - FIRST, kCount = kLeft < kMost ? kLeft : kMost;
  if constexpr (std::is_same_v<typename O::Element, StoredFloat16>) {
    simt::group_mma_f16<FIRST, kCount>(sums, left, right + FIRST * 8 * kRowWords, slice);
  } else {
    simt::group_mma_bf16<FIRST, kCount>(sums, left, right + FIRST * 8 * kRowWords, slice);
  }
  if constexpr (kLeft > kMost) multiply_columns_by_group<O, FIRST + kMost, T>(sums, left, right, slice);
}

/// The same of tf32, of a slice of the left operand in registers.
template <int FIRST, class T>
__device__ __forceinline__ void multiply_columns_by_group(TensorSums<T>& sums, const std::uint32_t (&left)[4],
                                                          const std::uint32_t* right, int slice) {
  constexpr int kMost = 16, kLeft = T::fragments_across - FIRST, kCount = kLeft < kMost ? kLeft : kMost;
  simt::group_mma_tf32<FIRST, kCount>(sums, left, right + FIRST * 8 * kRowWords, slice);
  if constexpr (kLeft > kMost) multiply_columns_by_group<FIRST + kMost, T>(sums, left, right, slice);
}

/// Begins sums += a stage of the left operand times one of the right one.
template <class O, class T>
__device__ __forceinline__ void begin_stage_by_group(TensorSums<T>& sums,
                                                     const std::uint32_t (&left)[T::rows][kRowWords],
                                                     const std::uint32_t (&right)[T::columns][kRowWords],
                                                     std::uint32_t (&fragments)[kStepSlices][1][4]) {
  const int warp = static_cast<int>(threadIdx.x) / simt::kWarp;
  if constexpr (sizeof(typename O::Element) == 4) {
#pragma unroll
    for (int slice = 0; slice < kStepSlices; ++slice) load_left<O>(fragments[slice], left, 16 * warp, slice);
    simt::group_begin();
#pragma unroll
    for (int slice = 0; slice < kStepSlices; ++slice)
      multiply_columns_by_group<0, T>(sums, fragments[slice][0], right[0], slice);
  } else {
    simt::group_begin();
#pragma unroll
    for (int slice = 0; slice < kStepSlices; ++slice)
      multiply_columns_by_group<O, 0, T>(sums, left[warp / 4 * 64], right[0], slice);
  }
  simt::group_commit();
}

/// multiply_steps() by wgmma.
template <class O, class T, class Left, class Right>
__device__ __forceinline__ void multiply_steps_by_groups(TensorSmem<T>& smem, Left& left, Right& right,
                                                         int steps, TensorSums<T>& sums) {
  static_assert(O::left == Along::depth && O::right == Along::depth && T::warp_rows == 16);
  constexpr int kInFlight = kGroupsInFlight<O, T>, kAhead = T::stages - 1 - kInFlight;
  auto& [left_stages, right_stages] = smem.operands;
  std::uint32_t fragments[kStepSlices][1][4];
  // A group of copies is committed for each step, empty ones behind the last.
#pragma unroll
  for (int s = 0; s < kAhead; ++s) {
    if (s < steps) {
      left.fetch(left_stages[s]);
      right.fetch(right_stages[s]);
      left.deliver(left_stages[s]);
      right.deliver(right_stages[s]);
    }
    simt::cp_async_commit();
  }
  int stage = 0, next = kAhead;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    simt::cp_async_wait<kAhead - 1>();
    if constexpr (sizeof(typename O::Element) == 4 && !O::rounded_right) right.round(right_stages[stage]);
    simt::publish_to_groups();
    __syncthreads();  // the stage is there for all, and all are done with the one that is filled next
    begin_stage_by_group<O, T>(sums, left_stages[stage], right_stages[stage], fragments);
    const bool more = step + kAhead < steps;
    if (more) {
      left.fetch(left_stages[next]);
      right.fetch(right_stages[next]);
      left.deliver(left_stages[next]);
      right.deliver(right_stages[next]);
    }
    simt::cp_async_commit();
    simt::group_wait<kInFlight>();
    stage = stage + 1 < T::stages ? stage + 1 : 0;
    next = next + 1 < T::stages ? next + 1 : 0;
  }
  simt::group_wait<0>();
  simt::group_end(sums);
  simt::cp_async_wait<0>();
  __syncthreads();
}

/// By the instructions of the tile.
template <class O, class T, class Left, class Right>
__device__ __forceinline__ void multiply_steps_of_tile(TensorSmem<T>& smem, Left& left, Right& right,
                                                       int steps, TensorSums<T>& sums) {
  if constexpr (T::by_groups) {
    multiply_steps_by_groups<O>(smem, left, right, steps, sums);
  } else {
    multiply_steps<O>(smem, left, right, steps, sums);
  }
}

}  // namespace mxinfer::kernels::cuda
