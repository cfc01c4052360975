// The vector kernels of pooling against the reference, with borders at every place of a
// vector.
#include "kernels/pool_nd/pool_nd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "support/run_op.h"

namespace mxinfer::kernels {
namespace {

std::vector<float> run(const PoolArgs& args, const std::vector<float>& src, Target target) {
  std::vector<float> dst(static_cast<std::size_t>(args.planes * args.out_plane()), -77.0f);
  const PoolKernel kernel = select_pool(args, sizeof(float), target);
  // Two calls: a kernel must start at any task.
  const std::int64_t tasks = kernel.tasks(args), half = tasks / 2;
  kernel.run(args, src.data(), dst.data(), half, tasks);
  kernel.run(args, src.data(), dst.data(), 0, half);
  return dst;
}

std::vector<float> pooled_values(std::int64_t count, unsigned seed) {
  const Tensor tensor = test::random_tensor({count}, seed, -1, 1);
  return std::vector<float>(tensor.data<float>(), tensor.data<float>() + count);
}

void expect_agreement(const PoolArgs& args, const std::vector<float>& src, const std::string& what) {
  const std::vector<float> expected = run(args, src, Target::ref);
  // Sums of up to 500 values below 1 in another order: 500 * 2^-24 each.
  const float limit = args.kind == PoolKind::max ? 0.0f : args.kind == PoolKind::avg ? 1e-6f : 3e-5f;
  for (Target target : test::targets()) {
    const std::vector<float> actual = run(args, src, target);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (std::abs(actual[i] - expected[i]) <= limit) continue;
      FAIL() << what << " [" << to_string(target) << "] element " << i << ": " << actual[i] << ", expected "
             << expected[i];
    }
  }
}

std::int64_t outputs(const PoolArgs& args, int d) {
  return 1 + (args.in[d] + 2 * args.pad[d] - args.kernel[d] + args.stride[d] - 1) / args.stride[d];
}

// Compares bytes, so that NaN and other bit patterns must be kept too.
TEST(PoolCopy, TakesOnePositionOfEachWindow) {
  PoolArgs args;
  args.planes = 2;
  args.kind = PoolKind::avg;
  args.inner = 5;
  for (int d = 0; d < 3; ++d) args.in[d] = 4 + d;
  for (const std::size_t bytes : {2, 4, 8}) {
    for (std::int64_t stride = 1; stride <= 3; ++stride) {
      for (int d = 0; d < 3; ++d) args.stride[d] = stride;
      for (int d = 0; d < 3; ++d) args.out[d] = (args.in[d] - 1) / stride + 1;
      args.src_stride = 7;
      args.dst_stride = 6;
      const auto positions = [](const std::int64_t(&size)[3]) { return size[0] * size[1] * size[2]; };
      std::vector<unsigned char> src(static_cast<std::size_t>(2 * positions(args.in) * 7) * bytes);
      for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<unsigned char>(i * 31 + i / 256);
      std::vector<unsigned char> dst(static_cast<std::size_t>(2 * positions(args.out) * 6) * bytes, 99);
      const PoolKernel kernel = select_pool(args, bytes, test::targets().back());
      ASSERT_STREQ(kernel.name, "pool_nd_copy");
      kernel.run(args, src.data(), dst.data(), 0, kernel.tasks(args));
      for (std::int64_t at = 0; at < 2 * positions(args.out); ++at) {
        const std::int64_t x = at % args.out[2], y = at / args.out[2] % args.out[1];
        const std::int64_t z = at / args.out[2] / args.out[1] % args.out[0];
        const std::int64_t plane = at / positions(args.out);
        const std::int64_t from =
            ((plane * args.in[0] + z * stride) * args.in[1] + y * stride) * args.in[2] + x * stride;
        const auto first = static_cast<std::size_t>(at * 6) * bytes;
        ASSERT_EQ(std::memcmp(&dst[first], &src[static_cast<std::size_t>(from * 7) * bytes], 5 * bytes), 0)
            << "stride " << stride << ", output " << at;
        ASSERT_EQ(dst[first + 5 * bytes], 99) << "what lies between is not touched";
      }
    }
  }
}

TEST(PoolCopy, IsNotForWindowsThatReachBeyondOrCompare) {
  PoolArgs args;
  args.inner = 5;
  args.in[2] = 4;
  args.out[2] = 2;
  args.stride[2] = 3;
  args.kind = PoolKind::avg;
  EXPECT_TRUE(is_pool_copy(args));
  args.kind = PoolKind::max;  // NaN loses, even alone
  EXPECT_FALSE(is_pool_copy(args));
  args.kind = PoolKind::avg;
  args.out[2] = 3;  // the last window is empty
  EXPECT_FALSE(is_pool_copy(args));
  args.out[2] = 2;
  args.pad[2] = 1;
  EXPECT_FALSE(is_pool_copy(args));
}

TEST(PoolRows, EveryWidthKernelStrideAndPad) {
  for (PoolKind kind : {PoolKind::max, PoolKind::avg, PoolKind::sum}) {
    for (std::int64_t width = 1; width <= 41; ++width) {
      for (std::int64_t kernel = 1; kernel <= 5; ++kernel) {
        for (std::int64_t stride = 1; stride <= 3; ++stride) {
          for (std::int64_t pad = 0; pad < kernel; ++pad) {
            PoolArgs args;
            args.planes = 2;
            args.in[1] = 5;
            args.in[2] = width;
            args.kernel[1] = 2;
            args.stride[1] = 2;
            args.kernel[2] = kernel;
            args.stride[2] = stride;
            args.pad[2] = pad;
            if (kernel > width + 2 * pad) continue;
            args.out[1] = outputs(args, 1);
            args.out[2] = outputs(args, 2);
            args.kind = kind;
            const auto src = pooled_values(args.planes * args.in_plane(), static_cast<unsigned>(width));
            expect_agreement(args, src,
                             "width " + std::to_string(width) + " kernel " + std::to_string(kernel) +
                                 " stride " + std::to_string(stride) + " pad " + std::to_string(pad));
          }
        }
      }
    }
  }
}

TEST(PoolChannels, EveryNumberOfChannels) {
  for (PoolKind kind : {PoolKind::max, PoolKind::avg}) {
    for (std::int64_t channels = 2; channels <= 70; ++channels) {
      PoolArgs args;
      args.planes = 2;
      args.inner = channels;
      args.in[1] = 5;
      args.in[2] = 6;
      args.kernel[1] = args.kernel[2] = 3;
      args.stride[1] = args.stride[2] = 2;
      args.pad[1] = args.pad[2] = 1;
      args.out[1] = outputs(args, 1);
      args.out[2] = outputs(args, 2);
      args.kind = kind;
      args.divisor = PoolDivisor::valid;
      expect_agreement(args, pooled_values(args.planes * args.in_plane(), 3),
                       std::to_string(channels) + " channels");
    }
  }
}

// Blocks of channels as tasks give the bits of all channels at once.
TEST(PoolChannels, OneWindowOverAPlaneIsCutIntoBlocksOfChannels) {
  for (PoolKind kind : {PoolKind::max, PoolKind::avg}) {
    for (std::int64_t channels : {2, 31, 32, 33, 64, 100, 321}) {
      PoolArgs args;
      args.planes = 2;
      args.inner = channels;
      args.in[1] = args.kernel[1] = 5;
      args.in[2] = args.kernel[2] = 7;
      args.kind = kind;
      const auto src = pooled_values(args.planes * args.in_plane(), 3);
      expect_agreement(args, src, std::to_string(channels) + " channels");
      for (Target target : test::targets()) {
        const PoolKernel kernel = select_pool(args, sizeof(float), target);
        const std::int64_t tasks = kernel.tasks(args);
        EXPECT_EQ(tasks, target == Target::ref ? 2 : 2 * ((channels + 31) / 32));
        std::vector<float> whole(static_cast<std::size_t>(2 * channels)), parts = whole;
        kernel.run(args, src.data(), whole.data(), 0, tasks);
        for (std::int64_t task = tasks; task-- > 0;)
          kernel.run(args, src.data(), parts.data(), task, task + 1);
        EXPECT_EQ(parts, whole);
      }
    }
  }
}

TEST(PoolGlobal, EveryPlaneSize) {
  for (PoolKind kind : {PoolKind::max, PoolKind::avg, PoolKind::sum}) {
    for (std::int64_t size = 1; size <= 150; ++size) {
      PoolArgs args;
      args.planes = 3;
      args.in[2] = args.kernel[2] = size;
      args.kind = kind;
      expect_agreement(args, pooled_values(args.planes * size, 5), std::to_string(size) + " elements");
    }
  }
}

TEST(PoolMax, NanLosesAndEmptyWindowsGiveTheLowest) {
  PoolArgs args;
  args.planes = 1;
  args.in[2] = 64;
  args.kernel[2] = 2;
  args.out[2] = 63;
  std::vector<float> src(64, std::nanf(""));
  src[20] = 3.0f;
  for (Target target : test::targets()) {
    const std::vector<float> dst = run(args, src, target);
    for (std::size_t i = 0; i < 63; ++i) {
      EXPECT_EQ(dst[i], i == 19 || i == 20 ? 3.0f : std::numeric_limits<float>::lowest()) << i;
    }
  }
}

}  // namespace
}  // namespace mxinfer::kernels
