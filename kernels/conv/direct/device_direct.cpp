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

bool has_depthwise_tiles(const DeviceConv& c) {
  const bool is_plane = c.input[0] == 1 && c.output[0] == 1 && c.kernel[0] == 1 && c.pad[0] == 0;
  const int kernel = c.kernel[1], stride = c.stride[1];
  return c.channels == 1 && c.filters == 1 && !c.transposed && is_plane && c.kernel[2] == kernel &&
         c.stride[2] == stride && (kernel == 3 || kernel == 5) && (stride == 1 || stride == 2) &&
         c.dilate[1] == 1 && c.dilate[2] == 1;
}

DirectConv direct_conv(const DeviceConv& conv, int multiprocessors) {
  DirectConv direct{conv};
  if (!takes_vectors(conv)) return direct;
  if (has_depthwise_tiles(conv)) {
    direct.kind = DirectKind::depthwise_tiles;
    return direct;
  }
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
