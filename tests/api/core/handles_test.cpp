// Models, predictors and classifiers are handles: copies are cheap, share what they stand for, and are never
// empty.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/networks/digits.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::kDigits;
const std::string kDigit = MXINFER_SOURCE_DIR "/tests/golden/image/420.jpg";

TEST(Handles, CopiesShareTheWeightsAndPlans) {
  const Model model = Model::load(kDigits);
  const Model copy = model;
  EXPECT_EQ(&copy.signature(), &model.signature());
  const Predictor predictor(model);
  const Predictor other = predictor;
  predictor.warmup();
  EXPECT_EQ(other.stats().plans_made, 1u);
  (void)other.predict({Tensor(DType::float32, {1, 1, 32, 32})});
  EXPECT_EQ(predictor.stats().plans_made, 1u);
  EXPECT_EQ(predictor.stats().calls, 2u);
}

TEST(Handles, ThatWereMovedFromStayWhatTheyAre) {
  Model model = Model::load(kDigits);
  const Model moved = std::move(model);
  EXPECT_EQ(model.name(), moved.name());  // NOLINT(bugprone-use-after-move): that is the promise
  ImageClassifier classifier(moved);
  ImageClassifier taken = std::move(classifier);
  EXPECT_EQ(classifier.classify_file(kDigit, 1)[0].index,  // NOLINT(bugprone-use-after-move)
            taken.classify_file(kDigit, 1)[0].index);
  classifier = std::move(taken);
  EXPECT_EQ(taken.classify_file(kDigit, 1).size(), 1u);  // NOLINT(bugprone-use-after-move)
}

TEST(Handles, APredictorOfAClassifierRunsAsTheClassifier) {
  LoadOptions load;
  load.inputs = {{"data", {-1, 1, -1, -1}}};
  ImageOptions options;
  options.height = options.width = 32;
  std::optional<Predictor> predictor;
  {
    const ImageClassifier classifier(kDigits, options, load);
    predictor = classifier;
  }
  EXPECT_EQ(predictor->input_shapes()[0].second, (Shape{1, 1, 32, 32}));
  EXPECT_NO_THROW(predictor->warmup());
  EXPECT_EQ(predictor->stats().calls, 1u);
}

TEST(Handles, AreCopiedAndMovedWithoutThrowing) {
  EXPECT_TRUE(std::is_nothrow_copy_constructible_v<Model>);
  EXPECT_TRUE(std::is_nothrow_copy_constructible_v<Predictor>);
  EXPECT_TRUE(std::is_nothrow_copy_assignable_v<Classifier>);
  EXPECT_TRUE(std::is_nothrow_move_constructible_v<ImageClassifier>);
  EXPECT_TRUE(std::is_nothrow_move_assignable_v<ObjectDetector>);
}

}  // namespace
}  // namespace mxinfer
