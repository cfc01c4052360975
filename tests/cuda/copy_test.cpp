// The copies of device::Stream on a GPU, against loops.
#include "kernels/copy/copy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "cuda/support.h"
#include "device/cuda/cuda_device.h"

namespace mxinfer::device {
namespace {

using kernels::CopyArgs;

CopyArgs make_args(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& src_strides,
                   const std::vector<std::int64_t>& dst_strides, std::int64_t src_offset,
                   std::int64_t dst_offset) {
  CopyArgs args;
  args.rank = static_cast<int>(dims.size());
  std::copy(dims.begin(), dims.end(), args.dims);
  std::copy(src_strides.begin(), src_strides.end(), args.src_strides);
  std::copy(dst_strides.begin(), dst_strides.end(), args.dst_strides);
  args.src_offset = src_offset;
  args.dst_offset = dst_offset;
  return args;
}

/// Calls visit(offset in src, offset in dst) for all elements.
template <typename Visit>
void for_each_element(const CopyArgs& args, const Visit& visit) {
  for (std::int64_t i = 0; i < args.elements(); ++i) {
    std::int64_t rest = i, src = args.src_offset, dst = args.dst_offset;
    for (int d = args.rank - 1; d >= 0; --d) {
      src += rest % args.dims[d] * args.src_strides[d];
      dst += rest % args.dims[d] * args.dst_strides[d];
      rest /= args.dims[d];
    }
    visit(src, dst);
  }
}

template <typename T>
std::vector<T> numbered(std::size_t count, std::uint64_t first) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>((first + i) * 0x9e3779b97f4a7c15u >> 7);
  return values;
}

/// Device memory with a copy of `values`, which may go then.
template <typename T>
std::unique_ptr<Buffer> on_device(const std::vector<T>& values, Stream& stream) {
  std::unique_ptr<Buffer> buffer = CudaDevice::open(0)->allocate(values.size() * sizeof(T));
  stream.copy_to_device(buffer->data(), values.data(), values.size() * sizeof(T));
  stream.synchronize();
  return buffer;
}

/// Copies by `args` on the device, and in a loop; compares all of dst, also what is not to be written.
template <typename T>
void expect_copied(const CopyArgs& args, std::size_t src_count, std::size_t dst_count) {
  const std::vector<T> src = numbered<T>(src_count, 1), before = numbered<T>(dst_count, 1000000);
  std::vector<T> expected = before;
  for_each_element(args, [&](std::int64_t from, std::int64_t to) {
    expected[static_cast<std::size_t>(to)] = src[static_cast<std::size_t>(from)];
  });
  test::for_each_schedule([&] {
    const std::unique_ptr<Stream> stream = CudaDevice::open(0)->new_stream();
    const auto src_buffer = on_device(src, *stream), dst_buffer = on_device(before, *stream);
    stream->copy_strided(kernels::simplify(args), sizeof(T), src_buffer->data(), dst_buffer->data());
    std::vector<T> actual(dst_count);
    stream->copy_to_host(actual.data(), dst_buffer->data(), dst_count * sizeof(T));
    stream->synchronize();
    EXPECT_EQ(expected, actual) << sizeof(T) << " bytes";
  });
}

void expect_copied_in_all_sizes(const CopyArgs& args, std::size_t src_count, std::size_t dst_count) {
  expect_copied<std::uint8_t>(args, src_count, dst_count);
  expect_copied<std::uint16_t>(args, src_count, dst_count);
  expect_copied<std::uint32_t>(args, src_count, dst_count);
  expect_copied<std::uint64_t>(args, src_count, dst_count);
}

TEST(Copy, MovesOneElement) {
  expect_copied_in_all_sizes(make_args({1}, {1}, {1}, 2, 1), 3, 3);
}

TEST(Copy, MovesAsManyElementsAsBlocksHaveThreadsAndOneMoreOrLess) {
  for (const std::int64_t count : {255, 256, 257, 511, 513}) {
    const auto size = static_cast<std::size_t>(count);
    expect_copied_in_all_sizes(make_args({count}, {1}, {2}, 0, 1), size, 2 * size + 1);
  }
}

TEST(Copy, Transposes) {
  expect_copied_in_all_sizes(make_args({5, 7, 11}, {1, 55, 5}, {77, 11, 1}, 0, 0), 385, 385);
}

TEST(Copy, TransposesByTiles) {
  for (const std::int64_t rows : {15, 16, 31, 32, 33, 65}) {
    for (const std::int64_t columns : {16, 32, 47}) {
      const auto size = static_cast<std::size_t>(3 * rows * columns);
      expect_copied_in_all_sizes(
          make_args({3, columns, rows}, {rows * columns, 1, columns}, {rows * columns, rows, 1}, 0, 0), size,
          size);
      // The dimension that stays is between the others.
      expect_copied_in_all_sizes(
          make_args({columns, 3, rows}, {1, rows * columns, columns}, {3 * rows, rows, 1}, 0, 0), size, size);
    }
  }
  // Into a part of wider rows, from the middle.
  expect_copied<std::uint32_t>(make_args({2, 20, 40}, {1700, 1, 42}, {1000, 50, 1}, 5, 3), 3500, 2100);
}

TEST(Copy, TransposesMoreTilesThanBlocks) {
  constexpr std::int64_t kOuter = 2055, kSide = 16;
  constexpr auto kSize = static_cast<std::size_t>(kOuter * kSide * kSide);
  expect_copied<std::uint16_t>(
      make_args({kOuter, kSide, kSide}, {kSide * kSide, 1, kSide}, {kSide * kSide, kSide, 1}, 0, 0), kSize,
      kSize);
}

TEST(Copy, MovesWordsOfRows) {
  // Rows and their distances are multiples of 16 bytes, of less, and of one element.
  for (const std::int64_t columns : {32, 24, 6, 5}) {
    for (const std::int64_t offset : {0, 16, 2, 1})
      expect_copied_in_all_sizes(make_args({9, columns}, {48, 1}, {64, 1}, offset, 16), 500, 700);
  }
  expect_copied_in_all_sizes(make_args({9, 16}, {-32, 1}, {16, 1}, 256, 0), 500, 144);
}

TEST(Copy, RepeatsByAStrideOfZero) {
  expect_copied_in_all_sizes(make_args({6, 50}, {0, 1}, {50, 1}, 0, 0), 50, 300);
}

TEST(Copy, ReversesByANegativeStride) {
  expect_copied_in_all_sizes(make_args({4, 100}, {100, -1}, {100, 1}, 99, 0), 400, 400);
}

TEST(Copy, LoopsWhereThereAreMoreElementsThanThreads) {
  constexpr std::int64_t kRows = 8192, kColumns = 300;
  expect_copied<std::uint8_t>(make_args({kRows, kColumns}, {2 * kColumns, 2}, {kColumns, 1}, 0, 0),
                              2 * kRows * kColumns, kRows * kColumns);
}

template <typename T>
void expect_filled(const CopyArgs& args, std::size_t dst_count) {
  constexpr std::uint64_t kElement = 0x8182838485868788u;
  const std::vector<T> before = numbered<T>(dst_count, 5);
  std::vector<T> expected = before;
  for_each_element(args, [&](std::int64_t, std::int64_t to) {
    expected[static_cast<std::size_t>(to)] = static_cast<T>(kElement);
  });
  test::for_each_schedule([&] {
    const std::unique_ptr<Stream> stream = CudaDevice::open(0)->new_stream();
    const auto buffer = on_device(before, *stream);
    stream->fill_strided(kernels::simplify(args), sizeof(T), kElement, buffer->data());
    std::vector<T> actual(dst_count);
    stream->copy_to_host(actual.data(), buffer->data(), dst_count * sizeof(T));
    stream->synchronize();
    EXPECT_EQ(expected, actual) << sizeof(T) << " bytes";
  });
}

TEST(Copy, FillsWithOneElement) {
  const CopyArgs args = make_args({9, 30}, {0, 0}, {40, 1}, 0, 3);
  expect_filled<std::uint8_t>(args, 360);
  expect_filled<std::uint16_t>(args, 360);
  expect_filled<std::uint32_t>(args, 360);
  expect_filled<std::uint64_t>(args, 360);
}

// Offsets past 2^31 elements, of memory of which little is touched.
TEST(Copy, ReachesElementsPastTwoToThe31) {
  constexpr std::int64_t kFar = std::int64_t{1} << 30, kBytes = 2 * kFar + 64;
  const std::shared_ptr<CudaDevice> device = CudaDevice::open(0);
  const std::unique_ptr<Stream> stream = device->new_stream();
  const std::unique_ptr<Buffer> large = device->allocate(static_cast<std::size_t>(kBytes));
  const CopyArgs out = make_args({3, 16}, {kFar, 2}, {16, 1}, 8, 0);
  const CopyArgs in = make_args({3, 16}, {16, 1}, {kFar, 3}, 0, 9);
  const std::vector<std::uint8_t> values = numbered<std::uint8_t>(64, 3);
  for (const std::int64_t row : {0, 1, 2}) {
    stream->copy_to_device(large->data() + row * kFar, values.data() + row, 60);
  }
  const auto rows = on_device(std::vector<std::uint8_t>(48), *stream);
  stream->copy_strided(kernels::simplify(out), 1, large->data(), rows->data());
  stream->copy_strided(kernels::simplify(in), 1, rows->data(), large->data());
  for (std::size_t row = 0; row < 3; ++row) {
    std::vector<std::uint8_t> expected(values.begin() + static_cast<std::ptrdiff_t>(row),
                                       values.begin() + static_cast<std::ptrdiff_t>(row + 60)),
        actual(60);
    std::vector<std::uint8_t> copied(16);
    for (std::size_t i = 0; i < 16; ++i) copied[i] = expected[8 + 2 * i];
    for (std::size_t i = 0; i < 16; ++i) expected[9 + 3 * i] = copied[i];
    stream->copy_to_host(actual.data(), large->data() + row * static_cast<std::size_t>(kFar), 60);
    stream->synchronize();
    EXPECT_EQ(actual, expected) << "row " << row;
  }
}

TEST(Copy, IsRepeatedByARecordingWithOtherContents) {
  const std::shared_ptr<CudaDevice> device = CudaDevice::open(0);
  const std::unique_ptr<Stream> stream = device->new_stream();
  const CopyArgs args = make_args({3, 20}, {1, 3}, {20, 1}, 0, 0);
  const auto src = on_device(numbered<std::uint32_t>(60, 1), *stream);
  const auto dst = on_device(numbered<std::uint32_t>(60, 2), *stream);
  const auto recording =
      stream->record([&] { stream->copy_strided(kernels::simplify(args), 4, src->data(), dst->data()); });
  for (const std::uint64_t first : {10u, 77u}) {
    const std::vector<std::uint32_t> values = numbered<std::uint32_t>(60, first);
    std::vector<std::uint32_t> expected(60), actual(60);
    for_each_element(args, [&](std::int64_t from, std::int64_t to) {
      expected[static_cast<std::size_t>(to)] = values[static_cast<std::size_t>(from)];
    });
    stream->copy_to_device(src->data(), values.data(), 240);
    recording->replay();
    stream->copy_to_host(actual.data(), dst->data(), 240);
    stream->synchronize();
    EXPECT_EQ(expected, actual);
  }
}

}  // namespace
}  // namespace mxinfer::device
