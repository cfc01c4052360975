// Which pixels transforms read, and how far images may be scaled down for them.
#include "vision/images/wanted_part.h"

#include <gtest/gtest.h>

#include "kernels/common/target.h"
#include "vision/images/preprocessor.h"

namespace mxinfer::api {
namespace {

/// The imagenet preset at 224 x 224, with another policy.
passes::ItemStage stage_of(ResizePolicy policy) {
  Preprocess options = Preprocess::preset("imagenet");
  options.resize = policy;
  ImageInput input;
  input.height = input.width = 224;
  const auto memory = std::make_shared<runtime::MemoryBudget>(runtime::MemoryLimits{1, 1});
  return Preprocessor(options, input, {kernels::best_target(), 1}, memory).stage();
}

image::DecodePart part_of(ResizePolicy policy, Size full, bool scaled) {
  return WantedPart(stage_of(policy), 3, scaled).of(full);
}

bool contains(const Region& outer, const Region& inner) {
  return outer.x <= inner.x && outer.y <= inner.y && outer.x + outer.width >= inner.x + inner.width &&
         outer.y + outer.height >= inner.y + inner.height;
}

TEST(WantedPart, OfACropIsItsMiddleAndAMargin) {
  const image::DecodePart part = part_of(ResizePolicy::short_side_crop, {1920, 1080}, false);
  ASSERT_TRUE(part.region);
  EXPECT_EQ(part.scale_denominator, 1);
  // 224 x 224 of 455 x 256, at 4.22 times the size.
  EXPECT_TRUE(contains(*part.region, {487, 67, 945, 945}));
  EXPECT_TRUE(contains({460, 40, 1000, 1000}, *part.region));
}

TEST(WantedPart, IsInsideTheImage) {
  for (const Size size : {Size{1, 1}, Size{300, 224}, Size{224, 1000}, Size{4000, 30}}) {
    for (const bool scaled : {false, true}) {
      const image::DecodePart part = part_of(ResizePolicy::short_side_crop, size, scaled);
      if (!part.region) continue;
      const Size decoded = image::scaled_size(size, part.scale_denominator);
      EXPECT_TRUE(contains({0, 0, decoded.width, decoded.height}, *part.region)) << size.width;
      EXPECT_GT(part.region->width, 0);
      EXPECT_GT(part.region->height, 0);
    }
  }
}

TEST(WantedPart, IsScaledWhileItHasThePixelsOfTheResize) {
  const struct {
    Size size;
    int crop;     // the scale in front of a short side of 256
    int stretch;  // and in front of 224 x 224
  } cases[] = {{{1920, 1080}, 4, 4}, {{4096, 2160}, 8, 8}, {{500, 375}, 1, 1}, {{640, 511}, 2, 2},
               {{640, 510}, 1, 2},   {{448, 447}, 1, 2},   {{448, 446}, 1, 1}, {{2048, 2041}, 8, 8}};
  for (const auto& c : cases) {
    EXPECT_EQ(part_of(ResizePolicy::short_side_crop, c.size, true).scale_denominator, c.crop)
        << c.size.height;
    EXPECT_EQ(part_of(ResizePolicy::stretch, c.size, true).scale_denominator, c.stretch) << c.size.height;
    EXPECT_EQ(part_of(ResizePolicy::stretch, c.size, false).scale_denominator, 1);
  }
}

TEST(WantedPart, OfOtherTransformsIsTheWholeImage) {
  EXPECT_FALSE(WantedPart().of({1920, 1080}).region);
  EXPECT_FALSE(part_of(ResizePolicy::letterbox, {1920, 1080}, true).region);
}

}  // namespace
}  // namespace mxinfer::api
