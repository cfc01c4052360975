// A trained network that reads captchas: what is decoded from its outputs is what is decoded from MXNet's.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>
#include <mxinfer/sequence/ctc.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/files/golden_npz.h"
#include "support/networks/real_models.h"

namespace mxinfer {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSteps = 20;

// Steps first, and the sequences of a batch in one axis with them: (steps * sequences, classes).
TensorView as_batch(const Tensor& output) {
  const std::int64_t classes = output.shape().back();
  return {output.data<float>(), {kSteps, output.shape()[0] / kSteps, classes}};
}

CtcBeamOptions letters() {
  CtcBeamOptions options;
  options.layout = CtcLayout::tnc;
  options.labels = ctc_labels("abcdefghijklmnopqrstuvwxyz");
  options.best = 4;
  return options;
}

std::vector<std::string> texts(const Tensor& output) {
  std::vector<std::string> found;
  for (const auto& greedy : ctc_greedy(as_batch(output), letters())) found.push_back(greedy.text);
  for (const auto& sequence : ctc_beam_search(as_batch(output), letters())) {
    for (const auto& beam : sequence) found.push_back(beam.text);
  }
  return found;
}

std::vector<Tensor> run(const Predictor& predictor, const test::Golden& golden) {
  std::vector<TensorView> inputs;
  for (const DataDesc& desc : predictor.model().signature().inputs)
    inputs.push_back(golden.inputs.at(desc.name).view());
  return predictor.predict(Span<const TensorView>(inputs));
}

class CtcRealModel : public ::testing::TestWithParam<const char*> {
 protected:
  static std::string folder() { return test::real_model(GetParam()); }
};

TEST_P(CtcRealModel, ReadsWhatMxnetReads) {
  if (folder().empty()) GTEST_SKIP() << test::kNoRealModels << " (" << GetParam() << ")";
  const Predictor predictor(folder());
  for (const fs::path& recording : test::recordings_of(folder())) {
    SCOPED_TRACE(recording.filename().string());
    const test::Golden golden = test::read_golden(recording);
    EXPECT_EQ(texts(run(predictor, golden)[0]), texts(golden.outputs[0]));
  }
}

TEST_P(CtcRealModel, ReadsTheLettersOfItsImage) {
  if (folder().empty()) GTEST_SKIP() << test::kNoRealModels << " (" << GetParam() << ")";
  const test::Golden golden = test::read_golden(fs::path(folder()) / "golden.npz");
  const std::vector<Tensor> outputs = run(Predictor(folder()), golden);
  EXPECT_EQ(ctc_greedy(as_batch(outputs[0]), letters())[0].text, "haha");
  const auto found = ctc_beam_search(as_batch(outputs[0]), letters())[0];
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].text, "haha");
  EXPECT_GT(found[0].log_probability, -0.1);
}

INSTANTIATE_TEST_SUITE_P(Shared, CtcRealModel, ::testing::Values("ocr_lstm_869", "ocr_lstm_869_infer"),
                         [](const auto& model) { return std::string(model.param); });

}  // namespace
}  // namespace mxinfer
