// The convolutions of bytes by themselves, by each kernel and tile, against the plain loops, to the bit.
#include <gtest/gtest.h>

#include <algorithm>

#include "cuda/products/gemm_gpus.h"
#include "cuda/support.h"
#include "kernels/conv/int8/device/int8_cuda.h"
#include "kernels/int8_problem.h"
#include "kernels/random_conv.h"

namespace mxinfer::test {
namespace {

using kernels::Activation;
using kernels::DeviceInt8Conv;
using kernels::Int8Choice;
using kernels::Int8ConvArgs;
using kernels::Int8Kernel;
using kernels::Int8Type;
using kernels::SrcLayout;

/// Bytes on the device; `shift` stand in front of them, so that the address is no multiple of 16.
class DeviceBytes {
 public:
  DeviceBytes(device::CudaDevice& device, device::Stream& stream, const void* from, std::size_t bytes,
              std::size_t shift = 0)
      : bytes_(bytes), shift_(shift), memory_(device.allocate(std::max<std::size_t>(bytes + shift, 1))) {
    if (from == nullptr || bytes == 0) return;
    stream.copy_to_device(data(), from, bytes);
    stream.synchronize();
  }
  void* data() const { return static_cast<std::byte*>(memory_->data()) + shift_; }
  std::vector<std::uint8_t> read(device::Stream& stream) const {
    std::vector<std::uint8_t> bytes(bytes_);
    stream.copy_to_host(bytes.data(), data(), bytes_);
    stream.synchronize();
    return bytes;
  }

 private:
  std::size_t bytes_, shift_;
  std::unique_ptr<device::Buffer> memory_;
};

std::string label_of(const Int8Choice& choice) {
  constexpr const char* kNames[] = {"gemm", "direct", "depthwise", "rows"};
  return std::string(kNames[static_cast<int>(choice.kernel)]) + " tile " +
         std::to_string(static_cast<int>(choice.tile)) + " splits " + std::to_string(choice.splits);
}

/// What one kernel makes of it on every schedule. `shift`: of src and dst, in bytes.
void expect_int8_by(const Int8ConvArgs& args, const Int8Choice& choice,
                    const std::vector<std::uint8_t>& expected, std::size_t shift) {
  SCOPED_TRACE(describe(args.problem) + " by " + label_of(choice) + ", shift " + std::to_string(shift));
  const auto device = device::CudaDevice::open(0);
  device::CudaStream stream(device);
  const ConvProblem& s = args.problem;
  DeviceInt8Conv conv = kernels::device_int8_conv(args);
  set_kernel(&conv, choice);
  std::vector<std::byte> packed(packed_bytes(conv), std::byte{0xff});
  pack_device_int8(conv, args.weight, packed.data());
  const auto filters = static_cast<std::size_t>(s.filters);
  const std::size_t outputs = expected.size() / static_cast<std::size_t>(kernels::bytes_of(args.dst_type));
  const DeviceBytes src(*device, stream, args.src,
                        static_cast<std::size_t>(s.batch * s.channels * volume(s.input)), shift);
  const DeviceBytes weight(*device, stream, packed.data(), packed.size());
  const DeviceBytes bias(*device, stream, args.bias, filters * 4),
      scale(*device, stream, args.scale, filters * 4);
  const DeviceBytes residual(*device, stream, args.residual,
                             outputs * static_cast<std::size_t>(kernels::bytes_of(args.residual_type)));
  const DeviceBytes partial(*device, stream, nullptr, conv.gemm.partial_bytes());
  conv.gemm.src = src.data();
  conv.gemm.weight = weight.data();
  conv.gemm.partial = static_cast<float*>(partial.data());
  if (args.bias != nullptr) conv.epilogue.bias = static_cast<const std::int32_t*>(bias.data());
  if (args.scale != nullptr) conv.epilogue.scale = static_cast<const float*>(scale.data());
  if (args.residual != nullptr) conv.epilogue.residual = residual.data();
  for_each_schedule([&] {
    const std::size_t of_dst = kernels::bytes_of(args.dst_type) == 1 ? shift : shift / 4 * 4;
    const DeviceBytes dst(*device, stream, nullptr, expected.size(), of_dst);
    conv.epilogue.dst = dst.data();
    device->check(device->kernels().int8_conv(conv, stream.native()), "starting a kernel");
    ASSERT_EQ(dst.read(stream), expected);
  });
}

/// Every kernel that computes it, tiles with the sum in one range and in several.
void expect_int8(const Int8ConvArgs& args, std::size_t shift = 0) {
  const std::vector<std::uint8_t> expected = run_int8(kernels::int8_conv_ref(), args);
  for (Int8Choice choice : int8_choices(kernels::device_int8_conv(args), gpu_of_tests())) {
    for (const int splits : {1, 3}) {
      if (splits > 1 && choice.kernel != Int8Kernel::gemm) continue;
      choice.splits = splits;
      expect_int8_by(args, choice, expected, shift);
    }
  }
}

/// All types of data and results, with and without bias, scale, residual and activation: one of them for
/// problems whose results do not depend on it.
void check_int8_on_cuda(const ConvProblem& incomplete, int first = 0, int variants = 8,
                        std::size_t shift = 0) {
  const Int8Problem problem(completed(incomplete));
  constexpr Int8Type kResults[] = {Int8Type::u8, Int8Type::s8, Int8Type::f32, Int8Type::s32};
  for (int i = 0; i < variants; ++i) {
    const int variant = (first + i) % 8;
    Int8ConvArgs args = problem.args(variant % 2 == 0 ? Int8Type::u8 : Int8Type::s8, kResults[variant / 2]);
    if (variant % 3 != 0) args.bias = problem.bias.data();
    if (variant % 4 != 1) args.scale = problem.scale.data();
    if (variant % 2 == 1) args.before = {Activation::relu};
    if (variant % 5 == 0) problem.add_residual(args, Int8Type::u8);
    if (variant % 5 == 1) problem.add_residual(args, Int8Type::s8);
    if (variant % 5 == 2) problem.add_residual(args, Int8Type::f32);
    if (variant % 3 == 1) args.after = {Activation::clip, -20, 90};
    if (variant % 3 == 2) args.after = {Activation::leaky, 0.3F};
    if (variant % 4 == 3) args.dst_factor = 1.5F;
    SCOPED_TRACE(testing::Message() << "variant " << variant);
    expect_int8(args, shift);
  }
}

TEST(CudaInt8Conv, TypesResidualsAndActivations) {
  check_int8_on_cuda(conv2d(16, 36, 7, 6, 3, 1, 1));
  check_int8_on_cuda(conv2d(5, 33, 6, 5, 3));
}

TEST(CudaInt8Conv, RowsFiltersAndStepsAtTheBoundsOfTiles) {
  int variant = 0;
  for (const std::int64_t rows : {1, 63, 64, 65, 129})
    check_int8_on_cuda(conv2d(16, 40, 1, rows, 1), ++variant, 1);
  for (const std::int64_t filters : {1, 31, 32, 65, 127, 132})
    check_int8_on_cuda(conv2d(32, filters, 3, 3, 1), ++variant, 1);
  for (const std::int64_t channels : {16, 112, 128, 144, 256, 272, 640})
    check_int8_on_cuda(conv2d(channels, 12, 2, 3, 1), ++variant, 1);
}

TEST(CudaInt8Conv, StridesPadsDilationsAndRanks) {
  int variant = 0;
  check_strides_pads_and_ranks([&](const ConvProblem& s, bool) {
    ConvProblem small = s;
    for (std::size_t d = 1; d < 3; ++d) small.input[d] = std::min<std::int64_t>(s.input[d], 14);
    small.input[2] = std::max(small.input[2], s.dilate[2] * (s.kernel[2] - 1) + 1);
    check_int8_on_cuda(small, ++variant, 2);
  });
}

TEST(CudaInt8Conv, GroupsAndLayouts) {
  int variant = 0;
  for (const std::int64_t channels : {12, 32, 40}) {
    for (const std::int64_t groups : {2, 4}) {
      ConvProblem problem = conv2d(channels, 24, 6, 5, 3, 1, 1);
      problem.groups = groups;
      problem.batch = 3;
      for (const SrcLayout layout : {SrcLayout::nhwc, SrcLayout::nchw}) {
        problem.src_layout = layout;
        check_int8_on_cuda(problem, ++variant, 2);
      }
    }
  }
}

TEST(CudaInt8Conv, Depthwise) {
  int variant = 0;
  for (const std::int64_t channels : {1, 3, 8, 40}) {
    for (const std::int64_t stride : {1, 2}) {
      ConvProblem problem = conv2d(channels, channels, 7, 6, 3, stride, 1);
      problem.groups = channels;
      problem.batch = 2;
      check_int8_on_cuda(problem, ++variant, 2);
      problem.src_layout = SrcLayout::nchw;
      problem.filters = 2 * channels;
      check_int8_on_cuda(problem, ++variant, 1);
    }
  }
}

TEST(CudaInt8Conv, TheFirstLayerOfImages) {
  int variant = 0;
  for (const SrcLayout layout : {SrcLayout::nhwc, SrcLayout::nchw}) {
    ConvProblem problem = conv2d(3, 32, 20, 21, 7, 2, 3);
    problem.src_layout = layout;
    check_int8_on_cuda(problem, ++variant, 2);
  }
}

TEST(CudaInt8Conv, FewRows) {
  int variant = 0;
  for (const std::int64_t rows : {1, 2, 4, 5}) {
    for (const std::int64_t channels : {3, 16, 530, 1040}) {
      ConvProblem problem{.channels = channels, .filters = 19};
      problem.input = {1, 1, rows};
      check_int8_on_cuda(problem, ++variant, 2);
    }
  }
  check_int8_on_cuda({.batch = 3, .channels = 48, .filters = 8}, 0, 2);
}

TEST(CudaInt8Conv, AddressesThatAreNoMultiplesOfSixteen) {
  int variant = 0;
  for (const std::size_t shift : {1, 4}) {
    check_int8_on_cuda(conv2d(32, 36, 5, 4, 3, 1, 1), ++variant, 3, shift);
    check_int8_on_cuda({.batch = 2, .channels = 64, .filters = 12}, ++variant, 3, shift);
    ConvProblem depthwise = conv2d(16, 16, 5, 6, 3, 1, 1);
    depthwise.groups = 16;
    check_int8_on_cuda(depthwise, ++variant, 3, shift);
  }
}

TEST(CudaInt8Conv, RandomProblems) {
  RandomConv random(11, {.channels = 24, .filters = 20, .input = 7});
  for (int i = 0; i < 24; ++i) check_int8_on_cuda(random.shape(), i, 1);
}

// The largest sums of 4096 products: those of 16 bits would have overflowed after one pair.
TEST(CudaInt8Conv, LargestProductsAreExact) {
  constexpr std::int64_t kDepth = 4096;
  const ConvProblem shape = completed({.batch = 3, .channels = kDepth, .filters = 17});
  const std::vector<std::uint8_t> most(3 * kDepth, 255), least(3 * kDepth, 128);
  for (const std::int8_t factor : {-128, 127}) {
    const std::vector<std::int8_t> weight(17 * kDepth, factor);
    for (const bool is_signed : {false, true}) {
      Int8ConvArgs args;
      args.problem = shape;
      args.src_type = is_signed ? Int8Type::s8 : Int8Type::u8;
      args.src = is_signed ? least.data() : most.data();
      args.weight = weight.data();
      args.dst_type = Int8Type::s32;
      expect_int8(args);
    }
  }
}

TEST(CudaInt8Conv, ScalesThatAreNotFinite) {
  Int8Problem problem(completed(conv2d(16, 12, 3, 4, 1)));
  problem.scale[0] = std::numeric_limits<float>::infinity();
  problem.scale[1] = std::numeric_limits<float>::quiet_NaN();
  problem.scale[2] = 1e30F;
  for (const Int8Type dst : {Int8Type::u8, Int8Type::s8, Int8Type::s32}) {
    Int8ConvArgs args = problem.args(Int8Type::u8, dst);
    args.scale = problem.scale.data();
    args.after = {Activation::relu};
    expect_int8(args);
  }
}

TEST(CudaInt8Conv, KernelsAreChosenByTheirEstimatedTime) {
  const auto kernel_of = [](const ConvProblem& shape, const kernels::cuda::GemmGpu& gpu) {
    Int8ConvArgs args;
    args.problem = completed(shape);
    const auto choices = int8_choices(kernels::device_int8_conv(args), gpu);
    return std::min_element(choices.begin(), choices.end(),
                            [](const Int8Choice& a, const Int8Choice& b) { return a.clocks < b.clocks; })
        ->kernel;
  };
  for (const kernels::cuda::GemmGpu& gpu : {kT4, kA100}) {
    EXPECT_EQ(kernel_of(conv2d(64, 64, 56, 56, 3, 1, 1), gpu), Int8Kernel::gemm);
    EXPECT_EQ(kernel_of(conv2d(3, 64, 224, 224, 7, 2, 3), gpu), Int8Kernel::gemm);
    EXPECT_EQ(kernel_of({.channels = 2048, .filters = 1000}, gpu), Int8Kernel::rows);
    EXPECT_EQ(kernel_of({.batch = 64, .channels = 2048, .filters = 1000}, gpu), Int8Kernel::gemm);
    ConvProblem depthwise = conv2d(128, 128, 28, 28, 3, 1, 1), few = conv2d(128, 128, 28, 28, 3, 1, 1);
    depthwise.groups = 128;
    few.groups = 32;
    EXPECT_EQ(kernel_of(depthwise, gpu), Int8Kernel::depthwise);
    EXPECT_EQ(kernel_of(few, gpu), Int8Kernel::direct);
  }
}

}  // namespace
}  // namespace mxinfer::test
