// Options::precision: bfloat16 answers as float32 does, on models that were trained.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include "support/expect_error.h"
#include "support/files/golden_npz.h"
#include "support/networks/digits.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

namespace fs = std::filesystem;
using test::kDigits;

Options at(const char* precision, int threads = 0) {
  Options options;
  options.precision = parse_precision(precision);
  options.threads = threads;
  return options;
}

/// The index of the largest element of each row.
std::vector<std::int64_t> best(const Tensor& scores) {
  const std::int64_t classes = scores.shape().back();
  std::vector<std::int64_t> indices;
  for (const float* row = scores.data<float>(); row != scores.data<float>() + scores.elements();
       row += classes)
    indices.push_back(std::max_element(row, row + classes) - row);
  return indices;
}

TEST(Precision, OtherSpellingsAreTaken) {
  for (const char* name : {"float32", "fp32", "f32", "float", "FP32"})
    EXPECT_EQ(parse_precision(name), Precision::float32) << name;
  for (const char* name : {"bfloat16", "bf16", "BF16"})
    EXPECT_EQ(parse_precision(name), Precision::bfloat16) << name;
  for (const char* name : {"float16", "fp16", "f16", "half", "FP16"})
    EXPECT_EQ(parse_precision(name), Precision::float16) << name;
  for (const char* name : {"tf32", "TF32"}) EXPECT_EQ(parse_precision(name), Precision::tf32) << name;
}

TEST(Precision, UnknownOnesAreRefused) {
  // Of these three there is a dtype.
  for (const char* name : {"double", "int8", "uint8", "", "unknown"}) {
    EXPECT_MXINFER_ERROR(
        parse_precision(name), ErrorCode::invalid_argument,
        {"\"" + std::string(name) + "\" is not a precision", "float32, bfloat16, tf32 or float16"});
  }
  EXPECT_MXINFER_ERROR(parse_precision("float8"), ErrorCode::invalid_argument,
                       {"\"float8\" is not a precision", "float32, bfloat16, tf32 or float16"});
  Options options;
  options.precision = static_cast<Precision>(7);
  EXPECT_MXINFER_ERROR(Predictor(kDigits, options), ErrorCode::invalid_argument, {"Options::precision", "7"});
}

TEST(Precision, Float32IsTheDefault) {
  const auto model = Model::load(kDigits);
  const Tensor input = test::random_tensor({2, 1, 32, 32}, 5, 0.0f, 255.0f);
  const Predictor unset(model), set(model, at("float32"));
  EXPECT_EQ(test::relative_difference(unset.predict({input})[0], set.predict({input})[0]), 0);
  EXPECT_EQ(unset.explain().precision, "float32");
}

TEST(Precision, PredictorsOfBothShareAModel) {
  const auto model = Model::load(kDigits);
  const Tensor input = test::random_tensor({3, 1, 32, 32}, 5, 0.0f, 255.0f);
  const Predictor exact(model);
  const Tensor before = std::move(exact.predict({input})[0]);
  for (const auto target : test::targets()) {
    Options options = at("bfloat16", 1);
    options.target = parse_target(kernels::to_string(target));
    const Predictor rounded(model, options);
    const PlanInfo plan = rounded.explain();
    EXPECT_EQ(plan.precision, "bfloat16");
    EXPECT_NE(to_string(plan).find("precision bfloat16"), std::string::npos);
    EXPECT_TRUE(std::any_of(plan.steps.begin(), plan.steps.end(), [](const StepInfo& step) {
      return step.kernel.rfind("conv_bf16_", 0) == 0 && step.output.rfind("bfloat16", 0) == 0;
    })) << to_string(plan);
    const Tensor scores = std::move(rounded.predict({input})[0]);
    EXPECT_EQ(scores.dtype(), DType::float32);
    EXPECT_EQ(best(scores), best(before));
    options.threads = 3;
    EXPECT_EQ(test::relative_difference(Predictor(model, options).predict({input})[0], scores), 0);
  }
  EXPECT_EQ(test::relative_difference(exact.predict({input})[0], before), 0);
}

TEST(Precision, TheBundledImagesAreReadInBfloat16) {
  for (const std::string& model : {kDigits, kDigits + ".mxz"}) {
    ImageOptions options;
    options.options.precision = Precision::bfloat16;
    const ImageClassifier classifier(model, options);
    int images = 0;
    for (const auto& entry : fs::directory_iterator(MXINFER_SOURCE_DIR "/examples/images")) {
      EXPECT_EQ(classifier.classify_file(entry.path().string(), 1).at(0).label, entry.path().stem().string());
      ++images;
    }
    EXPECT_EQ(images, 10);
  }
}

// Of a network that sees noise two scores may lie nearer to each other than bfloat16 tells apart: the best
// class must then be one whose score in float32 is that near to the best.
void expect_same_best(const Tensor& rounded, const Tensor& exact) {
  const std::int64_t classes = exact.shape().back();
  const std::vector<std::int64_t> wanted = best(exact), found = best(rounded);
  for (std::size_t row = 0; row < wanted.size(); ++row) {
    const float* scores = exact.data<float>() + static_cast<std::int64_t>(row) * classes;
    const float near = 0.01f * std::abs(scores[wanted[row]]);
    EXPECT_GE(scores[found[row]], scores[wanted[row]] - near) << "row " << row;
  }
}

TEST(Precision, TrainedClassifiersKeepTheirBestClass) {
  const char* shared = std::getenv("MXINFER_SHARED_DIR");
  const fs::path models = shared == nullptr ? fs::path() : fs::path(shared) / "models";
  if (models.empty() || !fs::is_directory(models))
    GTEST_SKIP() << "MXINFER_SHARED_DIR is not set to a folder with models/: classifiers are NOT tested";
  int cases = 0;
  for (const char* name :
       {"lenet_mnist", "gluon_advos", "residual_hlh", "pose_mlp", "synth_squeezenet1.0", "sentiment_lstm"}) {
    if (!fs::exists(models / name / "model-symbol.json")) continue;
    const auto model = Model::load((models / name).string());
    const Predictor exact(model), rounded(model, at("bfloat16"));
    for (const auto& entry : fs::directory_iterator(models / name)) {
      if (entry.path().extension() != ".npz") continue;
      SCOPED_TRACE(entry.path().string());
      const test::Golden golden = test::read_golden(entry.path());
      std::vector<TensorView> inputs;
      for (const DataDesc& desc : model.signature().inputs) inputs.push_back(golden.inputs.at(desc.name));
      const auto before = exact.predict(Span<const TensorView>(inputs));
      const auto after = rounded.predict(Span<const TensorView>(inputs));
      for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(after[i].dtype(), before[i].dtype());
        expect_same_best(after[i], before[i]);
        std::cout << name << ' ' << entry.path().stem().string() << " output " << i << ": top-1 "
                  << (best(after[i]) == best(before[i]) ? "same" : "differs") << " of "
                  << best(before[i]).size() << ", largest difference "
                  << test::relative_difference(after[i], before[i]) << '\n';
      }
      ++cases;
    }
  }
  EXPECT_GT(cases, 0);
}

}  // namespace
}  // namespace mxinfer
