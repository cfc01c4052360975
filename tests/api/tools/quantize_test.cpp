// quantize_model, from files to a bundle.
#include <gtest/gtest.h>
#include <mxinfer/tools/bundle.h>
#include <mxinfer/tools/inspect.h>
#include <mxinfer/tools/quantize.h>
#include <mxinfer/tools/verify.h>
#include <mxinfer/vision/image_classifier.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/files/params_writer.h"
#include "support/files/temp_dir.h"
#include "support/networks/digits.h"
#include "support/networks/small_network.h"

namespace mxinfer {
namespace {

using test::kDigits;
using test::SmallNetwork;

std::vector<std::string> example_images() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(MXINFER_SOURCE_DIR "/examples/images")) {
    const std::string ending = entry.path().extension().string();
    if (ending == ".jpg" || ending == ".png") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

CalibrationSamples samples_of_images(const std::string& model) {
  return calibration_images(Model::load(model), example_images());
}

std::vector<NamedTensor> array_named(const std::string& name, Tensor array) {
  std::vector<NamedTensor> arrays;
  arrays.push_back({name, std::move(array)});
  return arrays;
}

class QuantizeModel : public testing::Test {
 protected:
  test::TempDir dir;
  std::string bundle = dir / "int8.mxz";

  /// The files of a network, by their prefix.
  std::string saved(SmallNetwork& network) {
    dir.write("net-symbol.json", network.json());
    const std::vector<std::byte> params = network.params();
    dir.write("net-0000.params", std::string(reinterpret_cast<const char*>(params.data()), params.size()));
    return dir / "net";
  }
  CalibrationSamples samples_for(const std::string& model, Tensor data) const {
    return calibration_arrays(Model::load(model), array_named("data", std::move(data)));
  }
};

/// data (N, 2, 4, 4), a convolution "c" with so many filters, and what `last` adds.
SmallNetwork small_convolution(std::vector<float> weights = {}) {
  SmallNetwork network;
  const int data = network.variable("data", "(0, 2, 4, 4)");
  network.op("Convolution", "c", {{"kernel", "(1, 1)"}, {"num_filter", "3"}, {"no_bias", "True"}},
             {data, network.parameter("c_weight", {3, 2, 1, 1}, std::move(weights))});
  return network;
}

TEST_F(QuantizeModel, WritesABundleThatReadsTheDigits) {
  const QuantizeReport report = quantize_model(kDigits, samples_of_images(kDigits), bundle);
  EXPECT_EQ(report.layers.size(), 7u);
  for (const QuantizedLayer& layer : report.layers) {
    EXPECT_EQ(layer.float_because, "") << layer.name;
    EXPECT_GT(layer.snr_db, 20) << layer.name;
  }
  EXPECT_EQ(report.top1_agreement, 1.0);
  EXPECT_LT(report.parameter_bytes_after, report.parameter_bytes_before / 3);
  EXPECT_GT(report.ms_before, 0);
  const ImageClassifier classifier(bundle);
  for (const std::string& file : example_images()) {
    EXPECT_EQ(classifier.classify_file(file, 1).at(0).label, std::filesystem::path(file).stem().string());
  }
}

TEST_F(QuantizeModel, TheBundleSaysHowItWasMade) {
  QuantizeOptions options;
  options.method = CalibrationMethod::percentile;
  options.percentile = 99.9;
  options.keep_float = {"digits_dense0_fwd"};
  (void)quantize_model(kDigits, samples_of_images(kDigits), bundle, options);
  const Inspection report = inspect_model(bundle);
  const auto made = nlohmann::json::parse(report.quantization);
  EXPECT_EQ(made.at("method"), "percentile");
  EXPECT_EQ(made.at("percentile"), 99.9);
  EXPECT_EQ(made.at("samples"), example_images().size());
  EXPECT_EQ(made.at("int8_layers"), 6);
  EXPECT_EQ(made.at("float_layers").at(0).at("name"), "digits_dense0_fwd");
  EXPECT_TRUE(report.unsupported.empty());
  EXPECT_EQ(report.operators.count("Convolution"), 0u);
  EXPECT_EQ(report.operators.at("_mxinfer_convolution_int8"), 6);
  EXPECT_EQ(report.operators.at("FullyConnected"), 1);
  for (const DataDesc& parameter : report.parameters) {
    const bool is_float_weight = parameter.dtype == DType::float32 && parameter.shape.rank() > 1;
    EXPECT_EQ(is_float_weight, parameter.name == "digits_dense0_weight") << to_string(parameter);
  }
  const PlanInfo plan = Predictor(bundle).explain({{"data", {1, 1, 32, 32}}});
  EXPECT_NE(to_string(plan).find("stays float32: the caller keeps it float32"), std::string::npos)
      << to_string(plan);
}

TEST_F(QuantizeModel, KeepsTransformsLabelsAndTheSample) {
  const std::string model = kDigits + ".mxz";
  (void)quantize_model(model, samples_of_images(model), bundle);
  const Model before = Model::load(model), after = Model::load(bundle);
  EXPECT_EQ(after.labels(), before.labels());
  ASSERT_EQ(after.signature().inputs.size(), before.signature().inputs.size());
  EXPECT_EQ(to_string(after.signature().inputs[0]), to_string(before.signature().inputs[0]));
  EXPECT_EQ(to_string(after.signature().outputs[0]), to_string(before.signature().outputs[0]));
  EXPECT_EQ(inspect_model(bundle).transforms, inspect_model(model).transforms);
  const std::vector<OutputCheck> checks = verify_model(after);
  ASSERT_FALSE(checks.empty());
  EXPECT_GT(checks[0].allowed, 1e-3);
  EXPECT_EQ(ImageClassifier(after).classify_file(test::kSeven, 1).at(0).label, "seven");
}

TEST_F(QuantizeModel, ABundleUnpacksAndLoads) {
  (void)quantize_model(kDigits, samples_of_images(kDigits), bundle);
  (void)unpack_model(bundle, dir / "unpacked");
  const Tensor data = test::random_digits(3, 1);
  EXPECT_EQ(Predictor(bundle).predict({data})[0].span<float>()[7],
            Predictor(dir / "unpacked").predict({data})[0].span<float>()[7]);
}

TEST_F(QuantizeModel, LayersThatHurtStayFloat) {
  QuantizeOptions options;
  options.max_drop = 1e-5;  // of the noise in the results: 50 dB
  SmallNetwork network = small_convolution();
  const int weight = network.parameter("d_weight", {4, 3, 1, 1});
  network.op("Convolution", "d", {{"kernel", "(1, 1)"}, {"num_filter", "4"}, {"no_bias", "True"}},
             {2, weight});
  const std::string model = saved(network);
  const QuantizeReport all =
      quantize_model(model, samples_for(model, test::random_tensor({40, 2, 4, 4}, 1)), bundle);
  EXPECT_TRUE(all.layers[0].float_because.empty() && all.layers[1].float_because.empty());
  EXPECT_FALSE(all.top1_agreement.has_value());
  ASSERT_TRUE(all.output_snr_db.has_value());
  options.max_drop = std::pow(10, -(*all.output_snr_db + 1) / 10);  // one decibel better
  const QuantizeReport some =
      quantize_model(model, samples_for(model, test::random_tensor({40, 2, 4, 4}, 1)), bundle, options);
  int stay = 0;
  for (const QuantizedLayer& layer : some.layers) {
    stay += layer.float_because.empty() ? 0 : 1;
    EXPECT_GT(layer.snr_db, *all.output_snr_db) << layer.name;
  }
  EXPECT_EQ(stay, 1);
  EXPECT_GT(*some.output_snr_db, *all.output_snr_db + 1);
}

TEST_F(QuantizeModel, ProgressCountsRuns) {
  std::size_t last = 0, total = 0;
  QuantizeOptions options;
  options.progress = [&](std::size_t done, std::size_t all) {
    EXPECT_EQ(done, last + 1);
    last = done;
    total = all;
  };
  (void)quantize_model(kDigits, samples_of_images(kDigits), bundle, options);
  EXPECT_GE(last, 3 * example_images().size());
  EXPECT_LE(last, total);
}

TEST_F(QuantizeModel, OneSampleIsEnoughButWarnsOfIt) {
  SmallNetwork network = small_convolution();
  const std::string model = saved(network);
  const QuantizeReport report =
      quantize_model(model, samples_for(model, test::random_tensor({1, 2, 4, 4}, 1)), bundle);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].find("only 1 sample"), std::string::npos) << report.warnings[0];
}

TEST_F(QuantizeModel, AFixedBatchIsASample) {
  const CalibrationSamples whole =
      calibration_arrays(Model::load(kDigits), array_named("data", test::random_digits(6, 1)));
  EXPECT_EQ(whole.count, 6u);
  LoadOptions load;
  load.inputs = {{"data", {4, 1, 32, 32}}};
  const CalibrationSamples batches =
      calibration_arrays(Model::load(kDigits, load), array_named("data", test::random_digits(10, 1)));
  EXPECT_EQ(batches.count, 2u);
  EXPECT_EQ(batches.read(1).at(0).shape(), (Shape{4, 1, 32, 32}));
}

TEST_F(QuantizeModel, RowsAreThoseOfTheArray) {
  const Tensor data = test::random_digits(3, 1);
  const CalibrationSamples samples =
      calibration_arrays(Model::load(kDigits), array_named("data", data.clone()));
  const Tensor row = std::move(samples.read(2).at(0));
  EXPECT_EQ(row.shape(), (Shape{1, 1, 32, 32}));
  EXPECT_TRUE(
      std::equal(row.span<float>().begin(), row.span<float>().end(), data.data<float>() + 2 * 32 * 32));
}

TEST_F(QuantizeModel, QuantizesTheOutputsThatAreAskedFor) {
  LoadOptions load;
  load.outputs = {"digits_relu5_fwd_output"};
  const QuantizeReport report = quantize_model(kDigits, samples_of_images(kDigits), bundle, {}, load);
  EXPECT_EQ(report.layers.size(), 6u);
  EXPECT_GT(report.output_snr_db.value(), 20);
  const Tensor data = test::random_digits(2, 1);
  const std::vector<Tensor> features = Predictor(bundle).predict({data});
  ASSERT_EQ(features.size(), 1u);
  EXPECT_EQ(features[0].shape(), Predictor(kDigits, {}, load).predict({data})[0].shape());
}

TEST_F(QuantizeModel, NodesOfOneNameAreToldApart) {
  SmallNetwork network = small_convolution();
  const int weight = network.parameter("d_weight", {4, 3, 1, 1});
  network.op("Convolution", "c", {{"kernel", "(1, 1)"}, {"num_filter", "4"}, {"no_bias", "True"}},
             {2, weight});
  const std::string model = saved(network);
  const QuantizeReport report =
      quantize_model(model, samples_for(model, test::random_tensor({5, 2, 4, 4}, 1)), bundle);
  ASSERT_EQ(report.layers.size(), 2u);
  EXPECT_EQ(report.layers[0].name, "c");
  EXPECT_EQ(report.layers[1].name, "c_2");
}

TEST_F(QuantizeModel, LayersAreNoTransforms) {
  SmallNetwork network = small_convolution();
  const int weight = network.parameter("d_weight", {4, 3, 1, 1});
  network.op("Convolution", "d", {{"kernel", "(1, 1)"}, {"num_filter", "4"}, {"no_bias", "True"}},
             {2, weight});
  const std::string model = saved(network);
  const Tensor data = test::random_tensor({5, 2, 4, 4}, 1);
  (void)quantize_model(model, samples_for(model, data.clone()), bundle);
  LoadOptions without;
  without.load_transforms = false;
  const Predictor whole(bundle), network_alone(Model::load(bundle, without));
  const Tensor expected = std::move(whole.predict({data}).at(0)),
               result = std::move(network_alone.predict({data}).at(0));
  ASSERT_EQ(result.shape(), expected.shape());
  for (std::int64_t i = 0; i < result.elements(); ++i)
    EXPECT_EQ(result.data<float>()[i], expected.data<float>()[i]) << "at " << i;
}

// Weights of 0.5 and 1, in float16.
TEST_F(QuantizeModel, ANetworkOfHalvesIsQuantizedAsOneOfFloats) {
  SmallNetwork network;
  const int data = network.variable("data", "(0, 2, 4, 4)");
  network.op("Convolution", "c", {{"kernel", "(1, 1)"}, {"num_filter", "2"}, {"no_bias", "True"}},
             {data, network.variable("c_weight")});
  dir.write("net-symbol.json", network.json());
  test::ByteWriter halves;
  for (const std::uint16_t half : {0x3800, 0x3C00, 0x3C00, 0x3800}) halves.put(half);
  test::ParamsWriter params;
  params.add("arg:c_weight", test::dense_v2(DType::float16, {2, 2, 1, 1}, halves.bytes()));
  const std::vector<std::byte> file = params.finish();
  dir.write("net-0000.params", std::string(reinterpret_cast<const char*>(file.data()), file.size()));
  const std::string model = dir / "net";
  const Predictor before(model);
  const Tensor copy = test::random_tensor({5, 2, 4, 4}, 1);
  (void)quantize_model(model, samples_for(model, copy.clone()), bundle);
  const Tensor expected = std::move(before.predict({copy}).at(0)),
               actual = std::move(Predictor(bundle).predict({copy}).at(0));
  ASSERT_EQ(actual.dtype(), DType::float32);
  EXPECT_NEAR(actual.data<float>()[5], expected.data<float>()[5], 0.02);
}

TEST_F(QuantizeModel, AnInputOfUnknownShapeHasRowsToo) {
  SmallNetwork network;
  const int data = network.variable("data", "(0, 3)");
  const int weight = network.parameter("fc_weight", {4, 3});
  const int dense =
      network.op("FullyConnected", "fc", {{"num_hidden", "4"}, {"no_bias", "True"}}, {data, weight});
  network.op("broadcast_add", "sum", {}, {dense, network.variable("other")});
  const Model model = Model::load(saved(network));
  ASSERT_EQ(model.signature().inputs[1].shape.rank(), 0u);
  std::vector<NamedTensor> arrays = array_named("data", test::random_tensor({5, 3}, 1));
  arrays.push_back({"other", test::random_tensor({5, 4}, 2)});
  const CalibrationSamples samples = calibration_arrays(model, std::move(arrays));
  EXPECT_EQ(samples.count, 5u);
  EXPECT_EQ(samples.read(4).at(1).shape(), (Shape{1, 4}));
}

TEST_F(QuantizeModel, RefusesWhatHasNoRange) {
  SmallNetwork network = small_convolution();
  const std::string model = saved(network);
  Tensor data = test::random_tensor({3, 2, 4, 4}, 1);
  data.data<float>()[40] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_MXINFER_ERROR(quantize_model(model, samples_for(model, std::move(data)), bundle),
                       ErrorCode::invalid_argument, {"sample 1", "'data'", "NaN or infinite"});
  EXPECT_FALSE(std::filesystem::exists(bundle));
}

TEST_F(QuantizeModel, RefusesToQuantizeTwice) {
  (void)quantize_model(kDigits, samples_of_images(kDigits), bundle);
  EXPECT_MXINFER_ERROR(quantize_model(bundle, samples_of_images(bundle), dir / "again.mxz"),
                       ErrorCode::invalid_argument, {"quantized already"});
}

TEST_F(QuantizeModel, RefusesNetworksWithoutLayers) {
  SmallNetwork network;
  network.op("Activation", "a", {{"act_type", "relu"}}, {network.variable("data", "(0, 4)")});
  const std::string model = saved(network);
  EXPECT_MXINFER_ERROR(quantize_model(model, samples_for(model, test::random_tensor({3, 4}, 1)), bundle),
                       ErrorCode::unsupported, {"no Convolution or FullyConnected"});
}

TEST_F(QuantizeModel, WeightsThatAreNotFiniteStayFloat) {
  SmallNetwork network = small_convolution({std::numeric_limits<float>::infinity(), 1, 2, 3, 4, 5});
  const std::string model = saved(network);
  EXPECT_MXINFER_ERROR(
      quantize_model(model, samples_for(model, test::random_tensor({3, 2, 4, 4}, 1)), bundle),
      ErrorCode::unsupported, {"'c' (Convolution)", "not finite"});
}

TEST_F(QuantizeModel, RefusesWrongOptions) {
  const CalibrationSamples samples = samples_of_images(kDigits);
  EXPECT_MXINFER_ERROR(quantize_model(kDigits, {}, bundle), ErrorCode::invalid_argument, {"no samples"});
  QuantizeOptions options;
  options.percentile = 0;
  EXPECT_MXINFER_ERROR(quantize_model(kDigits, samples, bundle, options), ErrorCode::invalid_argument,
                       {"percentile is 0"});
  options.percentile = 99;
  options.max_drop = std::numeric_limits<double>::quiet_NaN();
  EXPECT_MXINFER_ERROR(quantize_model(kDigits, samples, bundle, options), ErrorCode::invalid_argument,
                       {"max_drop is nan"});
  options.max_drop = 0.1;
  options.keep_float = {"digits_conv9_fwd"};
  EXPECT_MXINFER_ERROR(quantize_model(kDigits, samples, bundle, options), ErrorCode::invalid_argument,
                       {"'digits_conv9_fwd'", "no convolution or dense layer"});
}

TEST_F(QuantizeModel, RefusesArraysThatDoNotFit) {
  const Model model = Model::load(kDigits);
  EXPECT_MXINFER_ERROR(calibration_arrays(model, {}), ErrorCode::invalid_argument,
                       {"no array for input 'data'"});
  std::vector<NamedTensor> arrays = array_named("data", test::random_digits(2, 1));
  arrays.push_back({"other", test::random_digits(2, 1)});
  EXPECT_MXINFER_ERROR(calibration_arrays(model, std::move(arrays)), ErrorCode::invalid_argument,
                       {"'other'", "no such input", "'data'"});
  EXPECT_MXINFER_ERROR(
      calibration_images(Model::load(MXINFER_SOURCE_DIR "/models/language_id"), {test::kSeven}),
      ErrorCode::invalid_argument, {"text"});
}

TEST_F(QuantizeModel, AnUnreadableImageIsNamed) {
  const CalibrationSamples samples =
      calibration_images(Model::load(kDigits), {test::kSeven, dir.write("broken.jpg", "no image")});
  EXPECT_MXINFER_ERROR(quantize_model(kDigits, samples, bundle), ErrorCode::malformed, {"broken.jpg"});
}

}  // namespace
}  // namespace mxinfer
