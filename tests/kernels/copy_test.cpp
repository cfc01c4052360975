// Every copy kernel against the element by element reference, with random strides.
#include "kernels/copy/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "support/run_op.h"

namespace mxinfer::kernels {
namespace {

// dst is row-major over dims; src is row-major over the same dims in another order, cut and reversed at
// random.
CopyArgs random_walk(std::mt19937& random, std::int64_t* src_elements) {
  const auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  CopyArgs args;
  args.rank = 1 + static_cast<int>(below(5));
  std::vector<int> order(static_cast<std::size_t>(args.rank));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  for (int d = 0; d < args.rank; ++d) args.dims[d] = 1 + below(args.rank > 3 ? 7 : 37);
  std::int64_t stride = 1;
  for (int d = args.rank - 1; d >= 0; --d) {
    args.dst_strides[d] = stride;
    stride *= args.dims[d];
  }
  stride = 1;
  for (int d : order) {
    const std::int64_t kind = below(6), step = kind == 0 ? 2 : 1;
    if (kind == 1) continue;  // repeats
    args.src_strides[d] = stride * step;
    stride *= args.dims[d] * step;
    if (kind == 2) {
      args.src_offset += (args.dims[d] - 1) * args.src_strides[d];
      args.src_strides[d] = -args.src_strides[d];
    }
  }
  *src_elements = stride;
  return args;
}

template <typename T>
void compare(const CopyArgs& args, std::int64_t src_elements, Target target) {
  std::vector<T> src(static_cast<std::size_t>(src_elements));
  for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<T>(i * 2654435761u + 1);
  std::vector<T> expected(static_cast<std::size_t>(args.elements())), actual(expected.size());
  const auto run = [&](const CopyArgs& walk, Target on, std::vector<T>& dst, int pieces) {
    const CopyKernel& kernel = select_copy(walk, sizeof(T), on);
    const CopyArgs prepared = kernel.prepare(walk);
    const std::int64_t tasks = kernel.tasks(prepared);
    for (int p = 0; p < pieces; ++p) {
      kernel.run(prepared, reinterpret_cast<const std::byte*>(src.data()),
                 reinterpret_cast<std::byte*>(dst.data()), tasks * p / pieces, tasks * (p + 1) / pieces);
    }
  };
  run(args, Target::ref, expected, 1);
  run(simplify(args), target, actual, 3);
  ASSERT_EQ(actual, expected) << select_copy(simplify(args), sizeof(T), target).name << " rank " << args.rank;
}

TEST(Copy, EveryKernelMovesWhatTheReferenceMoves) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::int64_t src_elements = 0;
    const CopyArgs args = random_walk(random, &src_elements);
    for (Target target : test::targets()) {
      switch (i % 4) {
        case 0:
          compare<std::uint8_t>(args, src_elements, target);
          break;
        case 1:
          compare<std::uint16_t>(args, src_elements, target);
          break;
        case 2:
          compare<std::uint32_t>(args, src_elements, target);
          break;
        default:
          compare<std::uint64_t>(args, src_elements, target);
          break;
      }
      if (HasFatalFailure()) return;
    }
  }
}

// (5, ways, 29) -> (5, 29, ways), as in a channel shuffle.
TEST(Copy, AFewRowsTakeTurns) {
  for (const std::int64_t ways : {2, 3, 4}) {
    CopyArgs args;
    args.rank = 3;
    const std::int64_t dims[] = {5, 29, ways}, src_strides[] = {29 * ways, 1, 29},
                       dst_strides[] = {29 * ways, ways, 1};
    std::copy_n(dims, 3, args.dims);
    std::copy_n(src_strides, 3, args.src_strides);
    std::copy_n(dst_strides, 3, args.dst_strides);
    for (Target target : test::targets()) {
      EXPECT_EQ(select_copy(args, 4, target).name,
                std::string(target == Target::ref ? "copy_ref" : "copy_interleave"));
      compare<std::uint32_t>(args, args.elements(), target);
      compare<std::uint8_t>(args, args.elements(), target);
    }
  }
}

TEST(Copy, SimplifyingMergesWhatIsConsecutive) {
  CopyArgs args;
  args.rank = 4;
  const std::int64_t dims[] = {2, 3, 1, 5};
  for (int d = 3, stride = 1; d >= 0; --d) {
    args.dims[d] = dims[d];
    args.src_strides[d] = args.dst_strides[d] = stride;
    stride *= static_cast<int>(dims[d]);
  }
  const CopyArgs simple = simplify(args);
  EXPECT_EQ(simple.rank, 1);
  EXPECT_EQ(simple.dims[0], 30);
  EXPECT_EQ(simple.src_strides[0], 1);
  EXPECT_EQ(simple.dst_strides[0], 1);
}

}  // namespace
}  // namespace mxinfer::kernels
