// Runs a convolution kernel on a GPU, or on its emulator, and compares it with the reference.
//
//   ConvRun run(completed(conv2d(3, 8, 9, 9, 3)));
//   run.bias = run.residual = true;
//   run.expect_gemm(GemmTile::tile_64x64, 2);
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "cuda/device_values.h"
#include "cuda/products/gemm_gpus.h"
#include "cuda/support.h"
#include "kernels/conv/conv_cuda.h"
#include "kernels/conv_problem.h"

namespace mxinfer::test {

/// The tiles by tensor instructions that the kernels and cuda:0 have, with what a convolution adds to each.
inline std::vector<kernels::GemmTile> tensor_tiles(
    kernels::Precision precision = kernels::Precision::float16) {
  constexpr std::size_t kAdded = 4096;
  const std::size_t element_bytes = precision == kernels::Precision::tf32 ? 4 : 2;
  const kernels::cuda::GemmGpu gpu = gpu_of_tests();
  std::vector<kernels::GemmTile> tiles;
  for (const kernels::cuda::TensorTile& tile : kernels::cuda::kTensorTiles) {
    if (kernels::has_aligned_tile(tile.tile, element_bytes) &&
        kernels::cuda::holds_tensor_tile(tile, gpu, kAdded))
      tiles.push_back(tile.tile);
  }
  return tiles;
}

/// One problem with random operands, and what is done with it.
class ConvRun {
 public:
  kernels::PostOps post_ops{};
  bool bias = false, residual = false, border = false;
  bool adds_last = false;  ///< the residual behind the activation
  kernels::SrcLayout dst_layout = kernels::SrcLayout::nhwc;
  std::size_t shift = 0;  ///< of src and dst, in elements
  std::int64_t gap = 0;   ///< elements between the rows of src, and of dst, which are channels-last
  bool is_exact = false;  ///< no sum is rounded: results are those of the reference
  kernels::FloatType type = kernels::FloatType::float32;  ///< of values; weights are rounded to it, too
  std::vector<float> right;  ///< what to expect instead of the reference's results, if it is not empty

  explicit ConvRun(const ConvProblem& problem)
      : problem_(problem),
        src_(random_floats(problem.batch * problem.channels * volume(problem.input), 1)),
        weight_(random_floats(problem.weight_elements(), 2)),
        bias_(random_floats(problem.filters, 3)),
        residual_(random_floats(problem.batch * problem.filters * volume(problem.output), 4)),
        border_(random_floats(problem.channels, 5)),
        slopes_(random_floats(problem.filters, 6)) {}

  std::vector<float>& src() { return src_; }
  std::vector<float>& weight() { return weight_; }

  void expect_gemm(kernels::GemmTile tile, int splits,
                   kernels::Precision precision = kernels::Precision::float32) const {
    kernels::DeviceConv conv = sizes();
    if (gap > 0) kernels::set_row_strides(problem_.channels + gap, problem_.filters + gap, &conv);
    kernels::ImplicitGemm gemm = kernels::implicit_gemm(conv, precision);
    kernels::set_tiles(&gemm, tile, splits);
    gemm.patches = false;
    expect_gemm(gemm);
  }

  /// By the kernel of patches, which takes no tiles.
  void expect_patches(kernels::Precision precision) const {
    const kernels::ImplicitGemm gemm = kernels::implicit_gemm(sizes(), precision);
    ASSERT_TRUE(gemm.patches) << describe(problem_);
    expect_gemm(gemm);
  }

  void expect_direct(kernels::DirectKind kind, int row_positions) const {
    // So few multiprocessors that any problem keeps them busy, or so many that none does.
    const kernels::DirectConv chosen = kernels::direct_conv(sizes(), row_positions == 1 ? 1 << 20 : 0);
    // Tiles compute only some of what vectors do: vectors may be asked for there, too.
    const bool is_other =
        kind == kernels::DirectKind::depthwise_vectors && chosen.kind == kernels::DirectKind::depthwise_tiles;
    ASSERT_TRUE(is_other || chosen.kind == kind) << describe(problem_);
    kernels::DirectConv direct = chosen;
    direct.kind = kind;
    direct.row_positions = row_positions;
    keeps_weights_ = true;
    SCOPED_TRACE(testing::Message() << describe(problem_) << ", type " << kernels::short_name(type)
                                    << ", row positions " << row_positions);
    std::vector<float> packed(static_cast<std::size_t>(kernels::packed_elements(direct)));
    kernels::pack_direct_conv(direct, weight_.data(), packed.data());
    expect_right(&direct, packed, 0, allowed(kernels::Precision::float32),
                 [&](const device::CudaDevice& device, const device::CudaStream& stream, float*) {
                   return device.kernels().direct_conv(direct, stream.native());
                 });
  }

  void expect_winograd(int outputs, const kernels::cuda::GemmGpu& gpu = {108, std::size_t{163} << 10},
                       std::size_t most_scratch = kernels::kMostWinogradScratch) const {
    kernels::DeviceWinograd winograd = kernels::device_winograd(sizes(), outputs, gpu, most_scratch);
    SCOPED_TRACE(testing::Message() << describe(problem_) << ", tiles of " << outputs
                                    << " outputs, slices of " << winograd.slice << ", splits "
                                    << winograd.gemm.splits);
    std::vector<float> packed(static_cast<std::size_t>(kernels::packed_elements(winograd)));
    kernels::pack_device_winograd(winograd, weight_.data(), packed.data());
    expect_right(&winograd, packed, winograd.scratch_bytes() / sizeof(float),
                 winograd_tolerance(problem_) + 2e-6,
                 [&](const device::CudaDevice& device, const device::CudaStream& stream, float* scratch) {
                   winograd.scratch = scratch;
                   return device.kernels().winograd_conv(winograd, stream.native());
                 });
  }

  kernels::DeviceConv sizes() const {
    kernels::DeviceConv conv = kernels::device_conv(problem_, kernels::Direction::forward, dst_layout, type);
    conv.epilogue.post_ops = post_ops;
    conv.epilogue.post_ops.residual = residual;
    conv.epilogue.adds_last = residual && adds_last;
    return conv;
  }

  std::vector<float> expected() const {
    std::vector<float> dst(residual_.size());
    const std::vector<float> src = rounded_to(src_, type), residual_values = rounded_to(residual_, type),
                             border_values = rounded_to(border_, type), weight = used_weight();
    ConvArgs args;
    args.problem = problem_;
    args.post_ops = post_ops;
    args.src = src.data();
    args.weight = weight.data();
    if (bias) args.bias = bias_.data();
    if (residual && !adds_last) args.residual = residual_values.data();
    if (border) args.border = border_values.data();
    if (post_ops.activation == kernels::Activation::prelu) args.slopes = slopes_.data();
    args.dst = dst.data();
    const ConvImpl& reference = kernels::conv_ref(problem_);
    reference.run(args, 0, reference.tasks(problem_), nullptr);
    for (std::size_t i = 0; i < dst.size() && residual && adds_last; ++i) dst[i] += residual_values[i];
    return dst;
  }

 private:
  /// Weights as kernels have them: those of kernels without tiles are float32 in any case.
  std::vector<float> used_weight() const { return keeps_weights_ ? weight_ : rounded_to(weight_, type); }

  void expect_gemm(kernels::ImplicitGemm gemm) const {
    keeps_weights_ = false;
    SCOPED_TRACE(testing::Message() << describe(problem_) << ", type " << kernels::short_name(type)
                                    << ", precision " << kernels::to_string(gemm.precision) << ", tile "
                                    << static_cast<int>(gemm.tile) << ", splits " << gemm.splits);
    std::vector<float> packed(static_cast<std::size_t>(kernels::packed_words(gemm)));
    kernels::pack_implicit_gemm(gemm, rounded_to(weight_, type).data(),
                                reinterpret_cast<std::uint32_t*>(packed.data()));
    expect_right(&gemm, packed, gemm.partial_bytes() / sizeof(float), allowed(gemm.precision),
                 [&](const device::CudaDevice& device, const device::CudaStream& stream, float* partial) {
                   gemm.partial = partial;
                   return device.kernels().implicit_gemm_conv(gemm, stream.native());
                 });
    if (gemm.counter_bytes() > 0) expect_gemm_in_one_launch(gemm, packed);
  }

  /// The last block of each tile adds the ranges of its sum, and leaves the counters as it found them: the
  /// second launch has the same.
  void expect_gemm_in_one_launch(kernels::ImplicitGemm gemm, const std::vector<float>& packed) const {
    const std::size_t sums = gemm.partial_bytes() / sizeof(float), counters = gemm.counter_bytes() / 4;
    expect_right(&gemm, packed, sums + counters, allowed(gemm.precision),
                 [&](const device::CudaDevice& device, const device::CudaStream& stream, float* partial) {
                   gemm.partial = partial;
                   gemm.counters = reinterpret_cast<unsigned*>(partial + sums);
                   kernels::CopyArgs words;
                   words.rank = 1;
                   words.dims[0] = static_cast<std::int64_t>(counters);
                   words.dst_strides[0] = 1;
                   const auto& library = device.kernels();
                   auto status = library.strided_fill(words, 4, 0, gemm.counters, stream.native());
                   for (int run = 0; run < 2 && status == kernels::cuda::kSuccess; ++run)
                     status = library.implicit_gemm_conv(gemm, stream.native());
                   return status;
                 });
  }

  /// Channels-last values as dst_layout has them.
  std::vector<float> laid_out(const std::vector<float>& values) const {
    if (dst_layout == kernels::SrcLayout::nhwc) return values;
    std::vector<float> result;
    result.reserve(values.size());
    const auto positions = static_cast<std::size_t>(volume(problem_.output));
    const auto filters = static_cast<std::size_t>(problem_.filters);
    for (std::size_t n = 0; n < static_cast<std::size_t>(problem_.batch); ++n) {
      for (std::size_t m = 0; m < filters; ++m) {
        for (std::size_t o = 0; o < positions; ++o)
          result.push_back(values[(n * positions + o) * filters + m]);
      }
    }
    return result;
  }

  /// Rows of so many values with the gap behind each, which NaN fills.
  std::vector<float> spread(const std::vector<float>& values, std::int64_t row) const {
    if (gap == 0) return values;
    const auto length = static_cast<std::size_t>(row);
    std::vector<float> result;
    for (std::size_t at = 0; at < values.size(); at += length) {
      result.insert(result.end(), values.begin() + static_cast<std::ptrdiff_t>(at),
                    values.begin() + static_cast<std::ptrdiff_t>(at + length));
      result.insert(result.end(), static_cast<std::size_t>(gap), std::numeric_limits<float>::quiet_NaN());
    }
    return result;
  }

  /// Runs `launch` with the addresses set in `conv`, on every schedule.
  template <typename Launch>
  void expect_right(kernels::DeviceConv* conv, const std::vector<float>& packed, std::size_t partial_sums,
                    double allowed, const Launch& launch) const {
    const std::vector<float> expected_values =
        spread(laid_out(right.empty() ? expected() : right), problem_.filters);
    if (gap > 0) kernels::set_row_strides(problem_.channels + gap, problem_.filters + gap, conv);
    const auto device = device::CudaDevice::open(0);
    for_each_schedule([&] {
      const auto opened = device->new_stream();
      auto& stream = static_cast<device::CudaStream&>(*opened);
      const auto floats = [&](const std::vector<float>& values) {
        return DeviceValues(*device, stream, values);
      };
      const auto on_device = [&](const std::vector<float>& values, std::size_t by) {
        return DeviceValues(*device, stream, values, type, by);
      };
      constexpr float unwritten = std::numeric_limits<float>::quiet_NaN();
      const std::vector<float> nothing(expected_values.size(), unwritten);
      const DeviceValues src = on_device(spread(src_, problem_.channels), shift), weight = floats(packed),
                         bias_at = floats(bias_), residual_at = on_device(laid_out(residual_), 0),
                         border_at = on_device(border_, 0), slopes = floats(slopes_),
                         dst = on_device(nothing, shift),
                         partial = floats(std::vector<float>(partial_sums, unwritten));
      conv->src = src.data();
      conv->weight = weight.data();
      conv->border = border ? border_at.data() : nullptr;
      conv->epilogue.bias = bias ? bias_at.floats() : nullptr;
      conv->epilogue.residual = residual ? residual_at.data() : nullptr;
      conv->epilogue.slopes = post_ops.activation == kernels::Activation::prelu ? slopes.floats() : nullptr;
      conv->epilogue.dst = dst.data();
      device->check(launch(*device, stream, partial.floats()), "a test");
      expect_close_values(dst.values(stream), expected_values, is_exact ? 0 : allowed,
                          is_exact ? 0 : storing_error(type));
    });
  }

  /// A partial sum more for each range, and functions that are not rounded to the last bit. Rounded operands
  /// err by up to 2^-11, or 2^-8 of bfloat16, of numbers in [-1, 1): their errors add up like a random walk.
  double allowed(kernels::Precision precision) const {
    const double exact = tolerance(problem_) + 2e-6;
    if (precision == kernels::Precision::float32 || type != kernels::FloatType::float32) return exact;
    const double rounding = precision == kernels::Precision::bfloat16 ? 0x1p-8 : 0x1p-11;
    return exact + 2.5 * rounding * std::sqrt(static_cast<double>(problem_.depth()));
  }

  static void expect_close_values(const std::vector<float>& actual, const std::vector<float>& expected,
                                  double allowed, double relative) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (std::isnan(expected[i]) || std::isinf(expected[i])) {
        ASSERT_TRUE(std::isnan(expected[i]) ? std::isnan(actual[i]) : actual[i] == expected[i])
            << "at " << i << ": " << actual[i] << ", expected " << expected[i];
      } else {
        ASSERT_NEAR(actual[i], expected[i], allowed + relative * std::abs(expected[i])) << "at " << i;
      }
    }
  }

  ConvProblem problem_;
  mutable bool keeps_weights_ = false;
  std::vector<float> src_, weight_, bias_, residual_, border_, slopes_;
};

}  // namespace mxinfer::test
