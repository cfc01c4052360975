#include "kernels/elementwise/element_program_device.h"
#include "kernels/elementwise/view_segments_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

struct SegmentSmem {
  ViewSegmentArgs segment;
};

/// The segment of this block.
__device__ __forceinline__ const ViewSegmentArgs& find_segment(const ViewSegmentsArgs& args) {
  int low = 0, high = args.count - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (args.segments[middle].first_block <= static_cast<std::int64_t>(blockIdx.x)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return args.segments[low];
}

/// Copies the segment to shared memory, where its inputs get their addresses.
__device__ __forceinline__ void take_segment(const ViewSegmentsArgs& args, ViewSegmentArgs& to) {
  static_assert(sizeof(ViewSegmentArgs) % sizeof(std::uint64_t) == 0);
  const auto* from = reinterpret_cast<const std::uint64_t*>(&find_segment(args));
  auto* words = reinterpret_cast<std::uint64_t*>(&to);
  for (unsigned i = threadIdx.x; i < sizeof(ViewSegmentArgs) / sizeof(std::uint64_t); i += kViewBlock)
    words[i] = from[i];
  __syncthreads();
  if (threadIdx.x < static_cast<unsigned>(to.program.inputs)) {
    ElementwiseInput& input = to.program.input[threadIdx.x];
    input.data = static_cast<const char*>(args.inputs[to.source[threadIdx.x]]) +
                 reinterpret_cast<std::uintptr_t>(input.data);
  }
  __syncthreads();
}

template <int W>
__device__ __forceinline__ void run_segment(const ViewSegmentArgs& s, void* dst) {
  const std::int64_t count = s.elements;
  const std::int64_t begin = (static_cast<std::int64_t>(blockIdx.x) - s.first_block) * s.block_elements;
  const std::int64_t end = begin + s.block_elements < count ? begin + s.block_elements : count;
  const bool is_small = count <= 0x7fffffff;
#pragma unroll 1
  for (std::int64_t i = begin + W * static_cast<int>(threadIdx.x); i < end; i += W * kViewBlock) {
    const Pack<W, float> x = result_of<W, kElementwiseSlots, true, float>(s.program, i, end - i, is_small);
    const Coordinates at = coordinates_of(s.program, i, is_small);
    std::int64_t offset = s.dst_offset;
#pragma unroll
    for (int d = 0; d < kElementwiseRank; ++d) {
      if (d < s.program.rank) offset += at.at[d] * s.dst_strides[d];
    }
#pragma unroll 1
    for (std::int64_t r = 0; r < s.repeats[0]; ++r) {
#pragma unroll 1
      for (std::int64_t c = 0; c < s.repeats[1]; ++c) {
        const std::int64_t to = offset + r * s.repeat_strides[0] + c * s.repeat_strides[1];
        if constexpr (W > 1) {
          store_along<W, true>(s.program.out, dst, to, x, W);
        } else {
          store_as(s.program.out, dst, to, x.v[0]);
        }
      }
    }
  }
}

__global__ void __launch_bounds__(kViewBlock) view_segments_kernel(ViewSegmentsArgs args, bool aligned) {
  ViewSegmentArgs& segment = simt::shared_memory<SegmentSmem>().segment;
  take_segment(args, segment);
  if (segment.vectors && aligned) {
    run_segment<4>(segment, args.dst);
  } else {
    run_segment<1>(segment, args.dst);
  }
}

bool are_aligned(const ViewSegmentsArgs& args) {
  auto all = reinterpret_cast<std::uintptr_t>(args.dst);
  for (const void* input : args.inputs) all |= reinterpret_cast<std::uintptr_t>(input);
  return all % 16 == 0;
}

}  // namespace

Status view_segments(const ViewSegmentsArgs& args, const Stream& stream) {
  return simt::launch(view_segments_kernel, dim3(args.blocks), kViewBlock, sizeof(SegmentSmem), stream, args,
                      are_aligned(args));
}

}  // namespace mxinfer::kernels::cuda
