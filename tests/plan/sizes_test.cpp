// Values and scratch memory of more bytes than a number of them, or than a process, can hold.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "base/files/aligned_memory.h"
#include "ops/common/scratch_layout.h"
#include "plan/memory/memory_plan.h"
#include "support/expect_error.h"
#include "support/networks/build_graph.h"

namespace mxinfer::plan {
namespace {

using test::GraphBuilder;

// One element repeated to this shape, of which one is read.
void read_one_of(const std::string& shape) {
  GraphBuilder b;
  const auto made = b.op("broadcast_to", {{"shape", shape}}, {b.input("one")}, "made");
  b.head(b.op("slice_axis", {{"axis", "0"}, {"begin", "0"}, {"end", "1"}}, {made}));
  const Tensor one(DType::float64, {1});
  test::run_graph(b.graph(), {&one});
}

TEST(Sizes, OfOneValue) {
  // 2^61 elements of 8 bytes: as many bytes as 64 bits count to, plus one, so that 0 would be left.
  for (const char* shape :
       {"(2305843009213693952,)", "(2305843009213693953,)", "(4611686018427387904,)", "(140737488355329,)"}) {
    EXPECT_MXINFER_ERROR(read_one_of(shape), ErrorCode::invalid_argument,
                         {"node 'made' (broadcast_to)", "float64", shape, "is too large"});
  }
}

TEST(Sizes, OfValuesTogether) {
  // Each by itself could be.
  std::vector<Block> blocks(3, Block{kMostBytes / 2, 0, 1});
  EXPECT_MXINFER_ERROR(assign_offsets(blocks), ErrorCode::out_of_memory, {"at the same time"});
}

TEST(Sizes, OfScratchMemory) {
  ops::ScratchLayout layout;
  EXPECT_EQ(layout.take<float>(3), 0u);
  EXPECT_EQ(layout.take<double>(1), 64u);
  for (const std::int64_t elements :
       {std::int64_t{-1}, std::int64_t{1} << 60, std::int64_t{1} << 61, std::int64_t{1} << 62}) {
    EXPECT_MXINFER_ERROR(layout.take<double>(elements), ErrorCode::out_of_memory,
                         {std::to_string(elements) + " elements"});
  }
  EXPECT_EQ(layout.bytes(), 128u);
  EXPECT_MXINFER_ERROR(layout.take<char>(std::numeric_limits<std::int64_t>::max()), ErrorCode::out_of_memory,
                       {"elements"});
  const std::size_t half = layout.take<char>(static_cast<std::int64_t>(kMostBytes / 2 + 1));
  EXPECT_EQ(half, 128u);
  EXPECT_MXINFER_ERROR(layout.take<char>(static_cast<std::int64_t>(kMostBytes / 2)), ErrorCode::out_of_memory,
                       {"elements"});
}

}  // namespace
}  // namespace mxinfer::plan
