// Pieces of the lengths that a network takes, and sizes of batches.
#include "sequence/pieces.h"

#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <numeric>
#include <vector>

#include "sequence/pad_batch.h"
#include "support/expect_error.h"

namespace mxinfer::api {
namespace {

using Lengths = std::vector<std::int64_t>;

TEST(Pieces, AreAsFewAsPossible) {
  EXPECT_EQ(pieces_of(8, {4, 6}, "m"), (Lengths{4, 4}));  // not 6 and what is left
  EXPECT_EQ(pieces_of(11, {1, 8}, "m"), (Lengths{8, 1, 1, 1}));
  EXPECT_EQ(pieces_of(7, {7}, "m"), (Lengths{7}));
  EXPECT_EQ(pieces_of(16, {3, 5, 8}, "m"), (Lengths{8, 8}));
  EXPECT_MXINFER_ERROR(pieces_of(7, {4, 6}, "the model"), ErrorCode::invalid_argument,
                       {"length 7", "4, 6", "the model"});
}

TEST(Pieces, OfLongSequencesAreFoundToo) {
  for (const std::int64_t length : {1000, 1001, 99999}) {
    const Lengths pieces = pieces_of(length, {3, 5, 8}, "m");
    EXPECT_EQ(std::accumulate(pieces.begin(), pieces.end(), std::int64_t{0}), length);
    EXPECT_LE(pieces.size(), static_cast<std::size_t>(length / 8 + 3));
  }
  EXPECT_MXINFER_ERROR(pieces_of(100001, {4, 6}, "m"), ErrorCode::invalid_argument, {"length 100001"});
}

TEST(BatchSizes, ArePowersOfTwoWithLittleRoom) {
  EXPECT_EQ(batch_sizes(1, 32), (Lengths{1}));
  EXPECT_EQ(batch_sizes(3, 32), (Lengths{4}));
  EXPECT_EQ(batch_sizes(5, 32), (Lengths{4, 1}));
  EXPECT_EQ(batch_sizes(7, 32), (Lengths{8}));
  EXPECT_EQ(batch_sizes(70, 32), (Lengths{32, 32, 8}));
  EXPECT_EQ(batch_sizes(3, 1), (Lengths{1, 1, 1}));
  EXPECT_EQ(batch_sizes(6, 5), (Lengths{4, 2}));
  EXPECT_TRUE(batch_sizes(0, 32).empty());
  for (std::int64_t count = 1; count < 200; ++count) {
    std::int64_t room = 0;
    for (const std::int64_t size : batch_sizes(count, 32)) {
      EXPECT_EQ(size & (size - 1), 0);
      EXPECT_LE(size, 32);
      room += size;
    }
    EXPECT_GE(room, count);
    EXPECT_LE(room - count, 8);
  }
}

}  // namespace
}  // namespace mxinfer::api
