// Samples that models carry.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>
#include <mxinfer/tools/verify.h>

#include <fstream>

#include "api/core/verify_sample.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/networks/digits.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

namespace t = mxinfer::transforms;
using formats::NamedArray;
using test::kDigits;
using test::TempDir;
using test::tensor_of;

std::string seven() {
  return std::string(MXINFER_SOURCE_DIR) + "/examples/images/seven.jpg";
}

ModelBuilder digits_builder(bool encoded = false) {
  std::vector<Transform> steps = {t::resize(32, 32), t::cast(DType::float32), t::transpose({0, 3, 1, 2})};
  if (encoded) steps.insert(steps.begin(), t::decode(false));
  ModelBuilder builder(kDigits);
  builder.transforms(steps).post({t::top_k(3)}).sample(seven());
  return builder;
}

/// Changes a byte in the middle of the file.
void damage(const std::string& path) {
  std::string bytes = test::read_file(path);
  // The highest byte of a float in the middle: a weight becomes very large.
  for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 4; ++i) bytes[i] = 0x47;
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST(Verify, AnImageIsStoredAndRunAgain) {
  const TempDir dir;
  digits_builder().save(dir / "whole");
  const auto checks = verify_model(Model::load(dir / "whole"));
  ASSERT_EQ(checks.size(), 2u);
  EXPECT_EQ(checks[0].elements, 3);
  EXPECT_EQ(checks[0].largest_difference, 0);
  EXPECT_GT(checks[0].allowed, 0);
  EXPECT_EQ(checks[1].allowed, 0);
  LoadOptions options;
  options.verify = true;
  EXPECT_NO_THROW((void)Model::load(dir / "whole", options));
  EXPECT_NO_THROW((void)digits_builder().build(options));
}

TEST(Verify, BytesOfAFileAreStoredAsTheyAre) {
  const TempDir dir;
  digits_builder(true).save(dir / "whole");
  EXPECT_EQ(verify_model(Model::load(dir / "whole")).size(), 2u);
}

TEST(Verify, DamageIsFound) {
  const TempDir dir;
  digits_builder().save(dir / "whole");
  damage(dir / "whole-0000.params");
  LoadOptions options;
  EXPECT_NO_THROW((void)Model::load(dir / "whole"));
  options.verify = true;
  EXPECT_MXINFER_ERROR(
      Model::load(dir / "whole", options), ErrorCode::malformed,
      {"whole", "output 'probabilities_top_k0", "the stored value is", "damaged", "processor"});
  // The bare network has no sample of its own: the whole is run for it.
  options.load_transforms = false;
  EXPECT_MXINFER_ERROR(Model::load(dir / "whole", options), ErrorCode::malformed, {"damaged"});
  EXPECT_MXINFER_ERROR(verify_model(Model::load(dir / "whole")), ErrorCode::malformed, {"damaged"});
}

TEST(Verify, ModelsWithoutASample) {
  LoadOptions options;
  options.verify = true;
  EXPECT_NO_THROW((void)Model::load(kDigits, options));
  EXPECT_MXINFER_ERROR(verify_model(Model::load(kDigits)), ErrorCode::not_found,
                       {"no sample", "mxinfer fuse --sample"});
}

TEST(Verify, TheBareNetworkIsNotWhatTheSampleIsOf) {
  const TempDir dir;
  digits_builder().save(dir / "whole");
  LoadOptions options;
  options.load_transforms = false;
  EXPECT_MXINFER_ERROR(verify_model(Model::load(dir / "whole", options)), ErrorCode::invalid_argument,
                       {"sample", "transforms"});
  options.verify = true;
  EXPECT_NO_THROW((void)Model::load(dir / "whole", options));
}

TEST(Verify, SamplesThatCannotBe) {
  ModelBuilder builder = digits_builder();
  builder.sample("/nowhere.png");
  EXPECT_MXINFER_ERROR(builder.build(), ErrorCode::not_found, {"sample", "/nowhere.png"});
  builder = digits_builder();
  builder.sample("dta", seven());
  EXPECT_MXINFER_ERROR(builder.build(), ErrorCode::invalid_argument, {"'dta'", "no such input"});
  ModelBuilder bare(kDigits);
  bare.sample(seven());
  EXPECT_MXINFER_ERROR(bare.build(), ErrorCode::invalid_argument, {"not an image", ".npy"});
}

/// One comparison of scores and ids.
struct Answers {
  std::vector<NamedArray> stored;
  std::vector<Tensor> computed;
  std::vector<DataDesc> outputs = {{"scores", {-1, 4}, DType::float32, "", Meaning::scores},
                                   {"ids", {-1, 4}, DType::int32, "", Meaning::ids}};
  Answers(std::initializer_list<float> scores, std::initializer_list<std::int32_t> ids) {
    stored.push_back({"scores", tensor_of<float>({1, 4}, {0.5f, 0.3f, 0.29999f, 0.1f})});
    stored.push_back({"ids", tensor_of<std::int32_t>({1, 4}, {9, 8, 7, 6})});
    computed.push_back(tensor_of<float>({1, 4}, scores));
    computed.push_back(tensor_of<std::int32_t>({1, 4}, ids));
  }
  std::vector<OutputCheck> compare() const { return api::compare_outputs(stored, computed, outputs); }
};

TEST(Verify, IdsMayChangePlacesWhereScoresAreAsGoodAsEqual) {
  EXPECT_NO_THROW(Answers({0.5f, 0.3f, 0.29999f, 0.1f}, {9, 8, 7, 6}).compare());
  EXPECT_NO_THROW(Answers({0.5f, 0.3f, 0.3f, 0.1f}, {9, 7, 8, 6}).compare());
  EXPECT_NO_THROW(Answers({0.5f, 0.3f, 0.3f, 0.1f}, {9, 8, 7, 5}).compare());  // the next one is not stored
  EXPECT_MXINFER_ERROR(Answers({0.5f, 0.3f, 0.3f, 0.1f}, {8, 9, 7, 6}).compare(), ErrorCode::malformed,
                       {"output 'ids' [0, 0] is 8", "the stored value is 9"});
}

TEST(Verify, FloatsMayDifferALittle) {
  const auto checks = Answers({0.50004f, 0.3f, 0.3f, 0.1f}, {9, 8, 7, 6}).compare();
  EXPECT_NEAR(checks[0].largest_difference, 4e-5, 1e-6);
  EXPECT_NEAR(checks[0].allowed, 5e-5, 1e-9);
  EXPECT_MXINFER_ERROR(Answers({0.5f, 0.3f, 0.3f, 0.1001f}, {9, 8, 7, 6}).compare(), ErrorCode::malformed,
                       {"output 'scores' [0, 3] is 0.1001", "the stored value is 0.1"});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_MXINFER_ERROR(Answers({nan, 0.3f, 0.3f, 0.1f}, {9, 8, 7, 6}).compare(), ErrorCode::malformed,
                       {"[0, 0] is nan"});
}

TEST(Verify, AnotherShapeIsSaid) {
  Answers answers({0.5f, 0.3f, 0.3f, 0.1f}, {9, 8, 7, 6});
  answers.computed[0].reshape({4, 1});
  EXPECT_MXINFER_ERROR(answers.compare(), ErrorCode::malformed, {"'scores'", "(1, 4)", "(4, 1)"});
}

}  // namespace
}  // namespace mxinfer
