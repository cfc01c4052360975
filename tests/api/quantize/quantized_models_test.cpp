// The bundled models with 8-bit layers, on what their training never saw.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>
#include <mxinfer/sequence/text_classifier.h>
#include <mxinfer/tools/quantize.h>
#include <mxinfer/vision/preprocess.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/vision/digit_scenes.h"
#include "formats/arrays/npz.h"
#include "support/files/temp_dir.h"
#include "support/networks/digits.h"

namespace mxinfer {
namespace {

class QuantizedModels : public testing::TestWithParam<CalibrationMethod> {
 protected:
  QuantizeReport quantize(const std::string& model, const CalibrationSamples& samples) const {
    QuantizeOptions options;
    options.method = GetParam();
    const QuantizeReport report = quantize_model(model, samples, bundle, options);
    for (const QuantizedLayer& layer : report.layers) {
      if (!layer.float_because.empty())
        std::cout << layer.name << " stays float32: " << layer.float_because << '\n';
    }
    return report;
  }
  test::TempDir dir;
  std::string bundle = dir / "int8.mxz";
};

Tensor held_out_array(const std::string& name) {
  for (auto& array : formats::load_npz(test::kDigits + "/held_out.npz")) {
    if (array.name == name) return std::move(array.tensor);
  }
  throw std::runtime_error("held_out.npz has no array " + name);
}

/// The held-out digits as the network takes them: dark ink on white paper with a margin.
Tensor held_out_digits() {
  const Tensor ink = held_out_array("ink");
  constexpr int kSide = 8, kMargin = 2, kPaper = kSide + 2 * kMargin;
  std::vector<Image> images;
  for (std::int64_t i = 0; i < ink.shape()[0]; ++i) {
    std::vector<std::uint8_t> paper(kPaper * kPaper, 255);
    for (int p = 0; p < kSide * kSide; ++p) {
      paper[static_cast<std::size_t>((p / kSide + kMargin) * kPaper + p % kSide + kMargin)] =
          static_cast<std::uint8_t>(255 - ink.data<std::uint8_t>()[i * 64 + p]);
    }
    images.push_back(resize_image(Image(kPaper, kPaper, 1, paper), 64, 64, Interpolation::cubic));
  }
  return std::move(prepare_images(Span<const Image>(images), {}, {1, 32, 32}).tensor);
}

int right_digits(const std::string& model, const Tensor& data) {
  const Tensor labels = held_out_array("label");
  const std::vector<Tensor> scores = Predictor(model).predict({data});
  int right = 0;
  for (std::int64_t i = 0; i < labels.elements(); ++i) {
    const float* row = scores[0].data<float>() + i * 10;
    right += std::max_element(row, row + 10) - row == labels.data<std::uint8_t>()[i] ? 1 : 0;
  }
  return right;
}

TEST_P(QuantizedModels, ReadTheHeldOutDigits) {
  const Tensor data = held_out_digits();
  std::vector<NamedTensor> arrays;
  arrays.push_back({"data", data.clone()});
  const auto report =
      quantize(test::kDigits, calibration_arrays(Model::load(test::kDigits), std::move(arrays)));
  const int before = right_digits(test::kDigits, data), after = right_digits(bundle, data);
  std::cout << to_string(report.method) << ": " << after << " of 360 digits read right, " << before
            << " by the float32 model\n";
  EXPECT_LE(before - after, 0.002 * 360);
  for (const QuantizedLayer& layer : report.layers) EXPECT_EQ(layer.float_because, "") << layer.name;
}

TEST_P(QuantizedModels, FindTheDigitsInScenes) {
  const digit_scenes::Scenes truth = digit_scenes::read_truth();
  std::vector<std::string> files;
  for (const auto& [name, objects] : truth) files.push_back(digit_scenes::kScenes + name);
  const auto report =
      quantize(digit_scenes::kDetector, calibration_images(Model::load(digit_scenes::kDetector), files));
  const double before = digit_scenes::mean_average_precision(truth, digit_scenes::detect_all(truth, 0.01f));
  const double after =
      digit_scenes::mean_average_precision(truth, digit_scenes::detect_all(truth, 0.01f, bundle));
  std::cout << to_string(report.method) << ": mAP " << after << ", " << before << " of the float32 model\n";
  EXPECT_GE(after, before - 0.01);
}

struct LabelledTexts {
  std::vector<std::string> labels, texts;
};

/// Lines "language, source, sentence", with tabs between.
LabelledTexts read_labelled(const std::string& file) {
  std::ifstream lines(file);
  LabelledTexts all;
  for (std::string line; std::getline(lines, line);) {
    all.labels.push_back(line.substr(0, line.find('\t')));
    all.texts.push_back(line.substr(line.rfind('\t') + 1));
  }
  return all;
}

double share_told_right(const std::string& model, const LabelledTexts& all) {
  const TextClassifier classifier(model);
  const auto classes = classifier.classify_texts(Span<const std::string>(all.texts), 1);
  std::size_t right = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) right += classes[i].at(0).label == all.labels[i] ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(classes.size());
}

/// Every tenth text, padded with zero bytes.
Tensor some_texts(const LabelledTexts& all) {
  constexpr std::int64_t kBytes = 256;
  const auto count = static_cast<std::int64_t>(all.texts.size() / 10);
  Tensor rows(DType::uint8, {count, kBytes});
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string& text = all.texts[static_cast<std::size_t>(i) * 10];
    std::memcpy(rows.data<std::uint8_t>() + i * kBytes, text.data(),
                std::min(text.size(), static_cast<std::size_t>(kBytes)));
  }
  return rows;
}

TEST_P(QuantizedModels, TellLanguages) {
  const std::string model = MXINFER_SOURCE_DIR "/models/language_id";
  const LabelledTexts held_out = read_labelled(model + "/held_out.tsv");
  std::vector<NamedTensor> arrays;
  arrays.push_back({"text", some_texts(held_out)});
  const auto report = quantize(model, calibration_arrays(Model::load(model), std::move(arrays)));
  const double before = share_told_right(model, held_out), after = share_told_right(bundle, held_out);
  std::cout << to_string(report.method) << ": " << after << " of the sentences are told right, " << before
            << " by the float32 model\n";
  EXPECT_GE(after, before - 0.003);
}

INSTANTIATE_TEST_SUITE_P(Quantize, QuantizedModels,
                         testing::Values(CalibrationMethod::minmax, CalibrationMethod::entropy,
                                         CalibrationMethod::percentile),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

}  // namespace
}  // namespace mxinfer
