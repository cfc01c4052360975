#include "tensor/write_element.h"

#include <gtest/gtest.h>

namespace mxinfer {
namespace {

TEST(WriteElement, KnowsWhatADTypeHolds) {
  EXPECT_TRUE(holds(DType::uint8, 255));
  EXPECT_FALSE(holds(DType::uint8, 256));
  EXPECT_FALSE(holds(DType::uint8, -1));
  EXPECT_FALSE(holds(DType::int32, 0.5));
  EXPECT_TRUE(holds(DType::int64, 4e18));
  EXPECT_FALSE(holds(DType::int64, 1e19));
  EXPECT_TRUE(holds(DType::float16, 2048));
  EXPECT_FALSE(holds(DType::float16, 2049));  // rounds to another id
  EXPECT_TRUE(holds(DType::float16, 0.1));    // a number that is rounded is still that number, nearly
  EXPECT_FALSE(holds(DType::float16, 1e6));
  EXPECT_FALSE(holds(DType::float32, 1e300));
  EXPECT_FALSE(holds(DType::boolean, 2));
}

}  // namespace
}  // namespace mxinfer
