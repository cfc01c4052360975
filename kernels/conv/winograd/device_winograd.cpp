#include "kernels/conv/winograd/device_winograd.h"

#include <algorithm>

#include "kernels/common/divide.h"

namespace mxinfer::kernels {
namespace {

// ---- Weights.

/// A row or column of G g, of the points that winograd_points-inl.h chooses.
void transform_filter(const double (&g)[3], double (&u)[6]) {
  constexpr double kA = 0.70710678118654752440, kB = 1.41421356237309504880;
  const double even_a = g[0] + kA * kA * g[2], odd_a = kA * g[1];
  const double even_b = g[0] + kB * kB * g[2], odd_b = kB * g[1];
  u[0] = g[0];
  u[1] = (even_a + odd_a) * (-2.0 / 3);
  u[2] = (even_a - odd_a) * (-2.0 / 3);
  u[3] = (even_b + odd_b) * (1.0 / 6);
  u[4] = (even_b - odd_b) * (1.0 / 6);
  u[5] = g[2];
}

void transform_filter(const double (&g)[3], double (&u)[4]) {
  u[0] = g[0];
  u[1] = (g[0] + g[2] + g[1]) * 0.5;
  u[2] = (g[0] + g[2] - g[1]) * 0.5;
  u[3] = g[2];
}

/// G g G^T of one filter on one channel; its points are `step` floats apart.
template <int n>
void transform_filter(const float* g, float* u, std::int64_t step) {
  double half[3][n];
  for (int i = 0; i < 3; ++i) {
    const double row[3] = {g[3 * i], g[3 * i + 1], g[3 * i + 2]};
    transform_filter(row, half[i]);
  }
  for (int j = 0; j < n; ++j) {
    const double column[3] = {half[0][j], half[1][j], half[2][j]};
    double out[n];
    transform_filter(column, out);
    for (int i = 0; i < n; ++i) u[(i * n + j) * step] = static_cast<float>(out[i]);
  }
}

template <int n>
void pack(const DeviceWinograd& w, const float* weight, float* packed) {
  const std::int64_t point_step = static_cast<std::int64_t>(w.channels) * w.padded_filters;
  for (std::int64_t c = 0; c < w.channels; ++c) {
    for (std::int64_t m = 0; m < w.filters; ++m)
      transform_filter<n>(weight + (m * w.channels + c) * 9, packed + c * w.padded_filters + m, point_step);
  }
}

// ---- Slices.

/// Tiles of a slice: as many in each, but for the last, whole tiles of the GEMM if there are several.
std::int64_t slice_of(const DeviceWinograd& w, std::size_t most_scratch) {
  constexpr std::int64_t kRows = 128;
  const std::size_t tile_bytes =
      static_cast<std::size_t>(w.points()) *
      static_cast<std::size_t>(std::int64_t{w.padded_channels} + w.padded_filters) * sizeof(float);
  auto most = std::max<std::int64_t>(1, static_cast<std::int64_t>(most_scratch / tile_bytes));
  if (most >= w.tiles()) return w.tiles();
  if (most >= kRows) most -= most % kRows;
  const std::int64_t even = ceil_div(w.tiles(), ceil_div(w.tiles(), most));
  return std::min(most, round_up(even, kRows));
}

// ---- The estimated time.

/// What it costs that a kernel waits for the one before, and starts.
constexpr double kKernelStart = 300e3;
/// What the estimate must promise to be worth larger weights and less exact results.
constexpr double kMargin = 1.1;

/// The multiplications that all multiprocessors have time for while one byte of memory is read or written: a
/// vendor's figures for the data center's GPU of that architecture, of which others are near.
double products_of_byte(int major, int minor) {
  if (major == 7) return 10;  // T4
  if (major == 8)
    return minor == 0   ? 5    // A100
           : minor == 9 ? 40   // L4
                        : 21;  // A10
  if (major == 9) return 7;    // H100
  return 10;
}

}  // namespace

const char* device_winograd_rejects(const DeviceConv& conv) {
  constexpr const char* kOtherFilters = "not 3 x 3 filters of stride 1 over one group";
  if (conv.transposed || conv.groups != 1 || conv.input[0] != 1 || conv.pad[0] != 0) return kOtherFilters;
  constexpr int kKernel[3] = {1, 3, 3};
  for (int d = 0; d < 3; ++d) {
    if (conv.kernel[d] != kKernel[d] || conv.stride[d] != 1 || conv.dilate[d] != 1) return kOtherFilters;
  }
  return conv.src_channel == 1 ? nullptr : "src is channels-first";
}

DeviceWinograd device_winograd(const DeviceConv& conv, int outputs, const cuda::GemmGpu& gpu,
                               std::size_t most_scratch) {
  DeviceWinograd w{conv};
  w.outputs = outputs;
  w.rows = ceil_div(w.output[1], outputs);
  w.columns = ceil_div(w.output[2], outputs);
  w.padded_channels = round_up(w.channels, 4);
  w.padded_filters = round_up(w.filters, 4);
  w.slice = slice_of(w, most_scratch);
  w.gemm = cuda::plan_gemm(winograd_products(w, w.slice), gpu);
  return w;
}

void pack_device_winograd(const DeviceWinograd& winograd, const float* weight, float* packed) {
  std::fill_n(packed, packed_elements(winograd), 0.0f);
  if (winograd.outputs == 4) {
    pack<6>(winograd, weight, packed);
  } else {
    pack<4>(winograd, weight, packed);
  }
}

double estimated_products(const DeviceWinograd& w, int multiprocessors, int major, int minor) {
  const double byte = products_of_byte(major, minor) / multiprocessors;
  const auto tiles = static_cast<double>(w.tiles());
  const double slices = static_cast<double>(ceil_div(w.tiles(), w.slice));
  const double src = 4.0 * w.batch * static_cast<double>(w.src_image);
  const double dst = 4.0 * static_cast<double>(w.output_elements()) * (w.epilogue.post_ops.residual ? 2 : 1);
  const double inputs = 4.0 * w.points() * tiles * w.padded_channels;
  const double sums = 4.0 * w.points() * tiles * w.padded_filters;
  const double weights = 4.0 * static_cast<double>(packed_elements(w)) * slices;
  const double gemm =
      std::max(slices * w.gemm.clocks * cuda::kProductsOfClock, (inputs + weights + sums) * byte);
  return kMargin * ((src + inputs) * byte + gemm + (sums + dst) * byte + (3 * slices - 1) * kKernelStart);
}

}  // namespace mxinfer::kernels
