// Boxes on a GPU: overlaps, coding relative to anchors, and the anchors of a feature map.
#include <gtest/gtest.h>

#include "cuda/support.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;
using test::kSameBits;

/// Corners whose second one is right and below of the first.
Tensor corners(const Shape& shape, unsigned seed) {
  Tensor boxes = test::random_tensor(shape, seed, 0.1f, 2);
  float* box = boxes.data<float>();
  for (std::int64_t i = 0; i < shape.elements(); i += 4) {
    box[i + 2] += box[i];
    box[i + 3] += box[i + 1];
  }
  return boxes;
}

TEST(BoxesOnCuda, Overlaps) {
  const Tensor lhs = test::random_tensor({3, 19, 4}, 1, -1, 3), rhs = test::random_tensor({23, 4}, 2, -1, 3);
  const Tensor real = corners({300, 4}, 3);
  for (const char* format : {"center", "corner"}) {
    test::expect_as_on_cpu("_contrib_box_iou", {{"format", format}}, {&lhs, &rhs}, kSameBits);
    test::expect_as_on_cpu("_contrib_box_iou", {{"format", format}}, {&real, &real}, kSameBits);
  }
}

TEST(BoxesOnCuda, Encode) {
  constexpr std::int64_t kAnchors = 150, kReferences = 11;
  const Tensor samples = test::random_tensor({2, kAnchors}, 4, 0, 1);
  Tensor matches = test::random_tensor({2, kAnchors}, 5, -2, kReferences + 2);  // some match nothing
  const Tensor anchors = corners({2, kAnchors, 4}, 6), refs = corners({2, kReferences, 4}, 7);
  const Tensor means = test::random_tensor({4}, 8), stds = test::random_tensor({4}, 9, 0.1f, 0.3f);
  test::expect_as_on_cpu("_contrib_box_encode", {}, {&samples, &matches, &anchors, &refs, &means, &stds});
}

TEST(BoxesOnCuda, Decode) {
  const Tensor codes = test::random_tensor({3, 111, 4}, 10, -2, 2), anchors = corners({1, 111, 4}, 11);
  for (const Attributes& attrs :
       {Attributes{}, Attributes{{"format", "corner"}},
        Attributes{{"std0", "0.1"}, {"std1", "0.2"}, {"std2", "0.3"}, {"std3", "0.4"}, {"clip", "0.5"}}})
    test::expect_as_on_cpu("_contrib_box_decode", attrs, {&codes, &anchors}, {.tolerance = 1e-6});
}

TEST(BoxesOnCuda, AnchorsOfAFeatureMap) {
  const Tensor map = test::random_tensor({2, 3, 7, 9}, 12);
  for (const Attributes& attrs :
       {Attributes{}, Attributes{{"sizes", "(0.2, 0.27)"}, {"ratios", "(1, 2, 0.5)"}, {"clip", "1"}},
        Attributes{{"sizes", "(0.9,)"}, {"steps", "(0.1, 0.2)"}, {"offsets", "(0, 0.7)"}}})
    test::expect_as_on_cpu("_contrib_MultiBoxPrior", attrs, {&map}, kSameBits);
}

}  // namespace
}  // namespace mxinfer
