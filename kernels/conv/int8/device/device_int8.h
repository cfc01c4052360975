// DeviceInt8Conv: what the kernels of a GPU are told of a convolution of 8-bit data
// (kernels/conv/int8/int8_conv.h, whose formula they compute to the bit if activations are piecewise linear).
//
//   DeviceInt8Conv conv = device_int8_conv(args);                         // without addresses
//   for (const Int8Choice& choice : int8_choices(conv, gpu)) ...          // the kernels that compute it
//   set_kernel(&conv, choice);
//   pack_device_int8(conv, weight, packed);                               // packed_bytes(conv)
//   conv.gemm.src = ...;                                                  // device addresses
//   cuda::int8_conv(conv, stream);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/conv/implicit_gemm/implicit_gemm.h"
#include "kernels/conv/int8/int8_conv.h"

namespace mxinfer::kernels {

enum class Int8Kernel : std::uint8_t {
  gemm,       ///< tiles by tensor instructions
  direct,     ///< an output, or those of four filters, to a thread; any problem
  depthwise,  ///< four channels of a position to a thread, each of which is a group with one filter
  rows        ///< a filter to a warp: products of a few rows
};

/// What becomes of a sum, by the names of Int8ConvArgs.
struct Int8Epilogue {
  const std::int32_t* bias = nullptr;
  const float* scale = nullptr;
  PostOps before, after;
  Int8Type residual_type = Int8Type::u8, dst_type = Int8Type::u8;
  const void* residual = nullptr;
  float residual_scale = 1, dst_factor = 1;
  void* dst = nullptr;
};

struct DeviceInt8Conv {
  /// Sizes, src and weight; its epilogue only says where results are in dst.
  ImplicitGemm gemm;
  Int8Type src_type = Int8Type::u8;
  Int8Epilogue epilogue;
  Int8Kernel kernel = Int8Kernel::direct;

  /// Positions of all images.
  constexpr std::int64_t rows() const { return std::int64_t{gemm.batch} * gemm.epilogue.positions; }
};

/// Why the kernels do not take a problem (sizes that do not fit), or null.
const char* device_int8_rejects(const ConvProblem& problem);

/// The sizes, types and factors of `args`. Precondition: device_int8_rejects() is null.
DeviceInt8Conv device_int8_conv(const Int8ConvArgs& args);

/// A kernel, its tile, and its estimated time in clocks of a multiprocessor.
struct Int8Choice {
  Int8Kernel kernel = Int8Kernel::direct;
  GemmTile tile = GemmTile::tile_64x64;
  int splits = 1;
  double clocks = 0;
};

/// The kernels that compute the problem.
std::vector<Int8Choice> int8_choices(const DeviceInt8Conv& conv, const cuda::GemmGpu& gpu);

void set_kernel(DeviceInt8Conv* conv, const Int8Choice& choice);

/// Bytes of packed weights, a multiple of 16. For tiles and rows (filters, steps * step_depth()), the order
/// of the sum as in ImplicitGemm; for depthwise (taps, channels); else words of four channels each (taps,
/// words, filters of all groups). Zero where there is no weight.
std::size_t packed_bytes(const DeviceInt8Conv& conv);
/// `weight` is (M, channels / groups, kernel...).
void pack_device_int8(const DeviceInt8Conv& conv, const std::int8_t* weight, std::byte* packed);

/// Words of four channels of a group, the last of which may be padded.
constexpr int channel_words(const DeviceConv& conv) {
  return (conv.channels + 3) / 4;
}

}  // namespace mxinfer::kernels
