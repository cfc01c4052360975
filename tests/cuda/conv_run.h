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

#include "cuda/support.h"
#include "kernels/conv/conv_cuda.h"
#include "kernels/conv_problem.h"

namespace mxinfer::test {

/// Floats on the device; those of the process are copied when the object is made. `shift` elements stand in
/// front of them, so that the address is not a multiple of 16.
class DeviceFloats {
 public:
  DeviceFloats(device::CudaDevice& device, device::Stream& stream, const std::vector<float>& values,
               std::size_t shift = 0)
      : count_(values.size()),
        shift_(shift),
        memory_(device.allocate(std::max<std::size_t>(count_ + shift, 1) * sizeof(float))) {
    if (count_ == 0) return;
    stream.copy_to_device(data(), values.data(), count_ * sizeof(float));
    stream.synchronize();
  }
  float* data() const { return reinterpret_cast<float*>(memory_->data()) + shift_; }
  std::vector<float> values(device::Stream& stream) const {
    std::vector<float> host(count_);
    stream.copy_to_host(host.data(), data(), count_ * sizeof(float));
    stream.synchronize();
    return host;
  }

 private:
  std::size_t count_, shift_;
  std::unique_ptr<device::Buffer> memory_;
};

/// One problem with random operands, and what is done with it.
class ConvRun {
 public:
  kernels::PostOps post_ops{};
  bool bias = false, residual = false, border = false;
  kernels::SrcLayout dst_layout = kernels::SrcLayout::nhwc;
  std::size_t shift = 0;     ///< of src and dst, in elements
  std::int64_t gap = 0;      ///< elements between the rows of src, and of dst, which are channels-last
  bool is_exact = false;     ///< no sum is rounded: results are those of the reference
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
    kernels::ImplicitGemm gemm = kernels::implicit_gemm(sizes(), precision);
    kernels::set_tiles(&gemm, tile, splits);
    SCOPED_TRACE(testing::Message() << describe(problem_) << ", tile " << static_cast<int>(tile)
                                    << ", splits " << gemm.splits);
    std::vector<float> packed(static_cast<std::size_t>(kernels::packed_words(gemm)));
    kernels::pack_implicit_gemm(gemm, weight_.data(), reinterpret_cast<std::uint32_t*>(packed.data()));
    expect_right(&gemm, packed, gemm.partial_bytes() / sizeof(float), allowed(precision),
                 [&](const device::CudaDevice& device, const device::CudaStream& stream, float* partial) {
                   gemm.partial = partial;
                   return device.kernels().implicit_gemm_conv(gemm, stream.native());
                 });
  }

  void expect_direct(kernels::DirectKind kind, int row_positions) const {
    // So few multiprocessors that any problem keeps them busy, or so many that none does.
    const kernels::DirectConv chosen = kernels::direct_conv(sizes(), row_positions == 1 ? 1 << 20 : 0);
    ASSERT_EQ(chosen.kind, kind) << describe(problem_);
    kernels::DirectConv direct = chosen;
    direct.row_positions = row_positions;
    SCOPED_TRACE(testing::Message() << describe(problem_) << ", row positions " << row_positions);
    std::vector<float> packed(static_cast<std::size_t>(kernels::packed_elements(direct)));
    kernels::pack_direct_conv(direct, weight_.data(), packed.data());
    expect_right(&direct, packed, 0, allowed(kernels::Precision::float32),
                 [&](const device::CudaDevice& device, const device::CudaStream& stream, float*) {
                   return device.kernels().direct_conv_f32(direct, stream.native());
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
    kernels::DeviceConv conv = kernels::device_conv(problem_, kernels::Direction::forward, dst_layout);
    conv.epilogue.post_ops = post_ops;
    conv.epilogue.post_ops.residual = residual;
    return conv;
  }

  std::vector<float> expected() const {
    std::vector<float> dst(residual_.size());
    ConvArgs args;
    args.problem = problem_;
    args.post_ops = post_ops;
    args.src = src_.data();
    args.weight = weight_.data();
    if (bias) args.bias = bias_.data();
    if (residual) args.residual = residual_.data();
    if (border) args.border = border_.data();
    if (post_ops.activation == kernels::Activation::prelu) args.slopes = slopes_.data();
    args.dst = dst.data();
    const ConvImpl& reference = kernels::conv_ref(problem_);
    reference.run(args, 0, reference.tasks(problem_), nullptr);
    return dst;
  }

 private:
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
      const auto on_device = [&](const std::vector<float>& values, std::size_t by) {
        return DeviceFloats(*device, stream, values, by);
      };
      constexpr float unwritten = std::numeric_limits<float>::quiet_NaN();
      const std::vector<float> nothing(expected_values.size(), unwritten);
      const DeviceFloats src = on_device(spread(src_, problem_.channels), shift),
                         weight = on_device(packed, 0), bias_at = on_device(bias_, 0),
                         residual_at = on_device(laid_out(residual_), 0), border_at = on_device(border_, 0),
                         slopes = on_device(slopes_, 0), dst = on_device(nothing, shift),
                         partial = on_device(std::vector<float>(partial_sums, unwritten), 0);
      conv->src = src.data();
      conv->weight = weight.data();
      conv->border = border ? border_at.data() : nullptr;
      conv->epilogue.bias = bias ? bias_at.data() : nullptr;
      conv->epilogue.residual = residual ? residual_at.data() : nullptr;
      conv->epilogue.slopes = post_ops.activation == kernels::Activation::prelu ? slopes.data() : nullptr;
      conv->epilogue.dst = dst.data();
      device->check(launch(*device, stream, partial.data()), "a test");
      expect_close_values(dst.values(stream), expected_values, is_exact ? 0 : allowed);
    });
  }

  /// A partial sum more for each range, and functions that are not rounded to the last bit. Rounded operands
  /// err by up to 2^-11, or 2^-8 of bfloat16, of numbers in [-1, 1): their errors add up like a random walk.
  double allowed(kernels::Precision precision) const {
    const double exact = tolerance(problem_) + 2e-6;
    if (precision == kernels::Precision::float32) return exact;
    const double rounding = precision == kernels::Precision::bfloat16 ? 0x1p-8 : 0x1p-11;
    return exact + 2.5 * rounding * std::sqrt(static_cast<double>(problem_.depth()));
  }

  static void expect_close_values(const std::vector<float>& actual, const std::vector<float>& expected,
                                  double allowed) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (std::isnan(expected[i]) || std::isinf(expected[i])) {
        ASSERT_TRUE(std::isnan(expected[i]) ? std::isnan(actual[i]) : actual[i] == expected[i])
            << "at " << i << ": " << actual[i] << ", expected " << expected[i];
      } else {
        ASSERT_NEAR(actual[i], expected[i], allowed) << "at " << i;
      }
    }
  }

  ConvProblem problem_;
  std::vector<float> src_, weight_, bias_, residual_, border_, slopes_;
};

}  // namespace mxinfer::test
