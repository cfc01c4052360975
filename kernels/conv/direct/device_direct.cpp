#include "kernels/conv/direct/device_direct.h"

namespace mxinfer::kernels {
namespace {

/// More filters to a group are a GEMM, the narrowest tile of which has 32 columns.
constexpr int kMostFilters = 8;
/// Threads that keep a multiprocessor busy.
constexpr std::int64_t kThreadsOfOne = 1024;

/// Elements in 16 bytes.
int vector_of(const DeviceConv& c) {
  return static_cast<int>(16 / bytes_of(c.type));
}

bool takes_vectors(const DeviceConv& c) {
  return !c.transposed && c.src_channel == 1 && c.epilogue.is_channels_last() &&
         c.epilogue.filters % vector_of(c) == 0;
}

}  // namespace

bool is_direct(const DeviceConv& conv) {
  return conv.filters < kMostFilters && conv.groups > 1;
}

DirectConv direct_conv(const DeviceConv& conv, int multiprocessors) {
  DirectConv direct{conv};
  if (!takes_vectors(conv)) return direct;
  if (conv.channels == 1 && conv.filters == 1) {
    direct.kind = DirectKind::depthwise_vectors;
  } else if (conv.filters % 4 == 0) {
    direct.kind = DirectKind::group_vectors;
  } else {
    return direct;
  }
  constexpr int kTogether = 4;
  const std::int64_t threads = conv.output_elements() / (vector_of(conv) * kTogether);
  if (conv.output[2] >= kTogether && threads >= multiprocessors * kThreadsOfOne)
    direct.row_positions = kTogether;
  return direct;
}

void pack_direct_conv(const DirectConv& direct, const float* weight, float* packed) {
  for (std::int64_t i = 0; i < packed_elements(direct); ++i) packed[i] = weight[stored_weight_of(direct, i)];
}

}  // namespace mxinfer::kernels
