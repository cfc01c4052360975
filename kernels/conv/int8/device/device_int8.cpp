#include "kernels/conv/int8/device/device_int8.h"

#include <algorithm>

#include "kernels/common/divide.h"

namespace mxinfer::kernels {
namespace {

/// Rows of a product that a warp multiplies with its filter at a time.
constexpr std::int64_t kMostInt8Rows = 4;

// Estimates, not measured.
/// Products of bytes that a multiprocessor makes in a clock outside of tensor instructions.
constexpr double kDotProducts = 32, kPlainProducts = 16;
/// Clocks of a word of the sum of a thread, which waits for its operands.
constexpr double kWordClocks = 30;
/// Bytes of weights that a multiprocessor reads in a clock.
constexpr double kWeightBytes = 8;
constexpr double kLaunchClocks = 2000;

bool is_depthwise(const DeviceConv& c) {
  return c.channels == 1 && c.filters == 1 && c.src_channel == 1 && c.epilogue.is_channels_last();
}

/// Whether each row of the product is a dense row of src.
bool has_few_rows(const DeviceInt8Conv& conv) {
  const ImplicitGemm& g = conv.gemm;
  bool is_product = g.groups == 1 && g.src_channel == 1 && conv.rows() <= kMostInt8Rows;
  for (int d = 0; d < 3; ++d)
    is_product = is_product && g.kernel[d] == 1 && g.stride[d] == 1 && g.pad[d] == 0;
  return is_product && g.epilogue.is_channels_last();
}

double products_of(const DeviceInt8Conv& conv) {
  return static_cast<double>(conv.gemm.output_elements()) * conv.gemm.channels * conv.gemm.taps();
}

/// Weights of filter m of a group, of all its taps, in the order of the sum.
void pack_filters(const ImplicitGemm& g, const std::int8_t* weight, std::byte* packed) {
  const std::int64_t depth = std::int64_t{g.steps} * g.step_depth();
  for (int group = 0; group < g.groups; ++group) {
    for (int m = 0; m < g.filters; ++m, packed += depth) {
      for (std::int64_t k = 0; k < depth; ++k) {
        const std::int64_t from = stored_weight_of(g, group, 0, static_cast<int>(k), m);
        if (from >= 0) packed[k] = static_cast<std::byte>(weight[from]);
      }
    }
    packed += (g.packed_filters - g.filters) * depth;
  }
}

/// Calls body(tap, the index of channel 0 at that tap, filter of all groups) for all filters and taps.
template <typename Body>
void for_each_tap(const DeviceConv& c, const Body& body) {
  for (std::int64_t m = 0; m < c.epilogue.filters; ++m) {
    for (int tap = 0; tap < c.taps(); ++tap) body(tap, m * c.channels * c.taps() + tap, m);
  }
}

void pack_words(const DeviceConv& c, const std::int8_t* weight, std::byte* packed) {
  const std::int64_t words = channel_words(c), filters = c.epilogue.filters;
  for_each_tap(c, [&](int tap, std::int64_t from, std::int64_t m) {
    for (std::int64_t channel = 0; channel < c.channels; ++channel)
      packed[((tap * words + channel / 4) * filters + m) * 4 + channel % 4] =
          static_cast<std::byte>(weight[from + channel * c.taps()]);
  });
}

void pack_channels(const DeviceConv& c, const std::int8_t* weight, std::byte* packed) {
  for_each_tap(c, [&](int tap, std::int64_t from, std::int64_t m) {
    packed[tap * c.epilogue.filters + m] = static_cast<std::byte>(weight[from]);
  });
}

}  // namespace

const char* device_int8_rejects(const ConvProblem& problem) {
  if (const char* why = device_conv_rejects(problem)) return why;
  if (problem.batch * volume(problem.output) >= kMostConvElements) return "it has 2^30 positions or more";
  return nullptr;
}

DeviceInt8Conv device_int8_conv(const Int8ConvArgs& args) {
  DeviceInt8Conv conv;
  conv.gemm = implicit_gemm_of_bytes(
      device_conv(args.problem, Direction::forward, args.problem.src_layout, FloatType::float16));
  conv.gemm.epilogue.post_ops.residual = args.residual != nullptr;
  conv.src_type = args.src_type;
  Int8Epilogue& e = conv.epilogue;
  e.before = args.before;
  e.after = args.after;
  e.residual_type = args.residual_type;
  e.residual_scale = args.residual_scale;
  e.dst_factor = args.dst_factor;
  e.dst_type = args.dst_type;
  return conv;
}

std::vector<Int8Choice> int8_choices(const DeviceInt8Conv& conv, const cuda::GemmGpu& gpu) {
  const ImplicitGemm& g = conv.gemm;
  const double products = products_of(conv) / gpu.multiprocessors;
  std::vector<Int8Choice> all;
  if (has_few_rows(conv)) {
    const double weights = static_cast<double>(g.filters) * g.channels / gpu.multiprocessors;
    all.push_back({.kernel = Int8Kernel::rows, .clocks = kLaunchClocks + weights / kWeightBytes});
  }
  if (is_depthwise(g))
    all.push_back({.kernel = Int8Kernel::depthwise, .clocks = kLaunchClocks + products / kPlainProducts});
  if (implicit_gemm_rejects(g) == nullptr) {
    for (const cuda::TensorChoice& choice : tensor_choices(g, gpu))
      all.push_back({Int8Kernel::gemm, choice.tile, choice.splits, choice.clocks});
  }
  const double words = static_cast<double>(channel_words(g)) * g.taps();
  const double padded = products * 4.0 * channel_words(g) / g.channels;
  all.push_back({.kernel = Int8Kernel::direct,
                 .clocks = kLaunchClocks + std::max(padded / kDotProducts, words * kWordClocks)});
  return all;
}

void set_kernel(DeviceInt8Conv* conv, const Int8Choice& choice) {
  conv->kernel = choice.kernel;
  set_tiles(&conv->gemm, choice.tile, choice.splits);
}

std::size_t packed_bytes(const DeviceInt8Conv& conv) {
  const ImplicitGemm& g = conv.gemm;
  std::int64_t bytes = 0;
  switch (conv.kernel) {
    case Int8Kernel::gemm:
    case Int8Kernel::rows:
      bytes = std::int64_t{g.groups} * g.packed_filters * g.steps * g.step_depth();
      break;
    case Int8Kernel::depthwise:
      bytes = g.taps() * g.epilogue.filters;
      break;
    case Int8Kernel::direct:
      bytes = std::int64_t{4} * g.taps() * channel_words(g) * g.epilogue.filters;
      break;
  }
  return static_cast<std::size_t>(round_up(bytes, 16));
}

void pack_device_int8(const DeviceInt8Conv& conv, const std::int8_t* weight, std::byte* packed) {
  std::fill_n(packed, packed_bytes(conv), std::byte{0});
  switch (conv.kernel) {
    case Int8Kernel::gemm:
    case Int8Kernel::rows:
      return pack_filters(conv.gemm, weight, packed);
    case Int8Kernel::depthwise:
      return pack_channels(conv.gemm, weight, packed);
    case Int8Kernel::direct:
      return pack_words(conv.gemm, weight, packed);
  }
}

}  // namespace mxinfer::kernels
