// The output of the subcommands on success, as text and JSON.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>

#include <algorithm>
#include <filesystem>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"
#include "support/run_op.h"
#include "tensor/npy.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;

/// A batch of noise for the digits model, also as a .npy file.
struct Batch {
  explicit Batch(std::int64_t samples) : data(random_tensor({samples, 1, 32, 32}, 7, 0, 255)) {
    file = dir / "data.npy";
    save_npy(file, data);
  }
  TempDir dir;
  Tensor data;
  std::string file;
};

TEST(CliInspect, SaysWhatIsInTheModel) {
  const Json report = json_of({"inspect", digits()});
  EXPECT_EQ(report.at("mxnet_version"), 10901);
  EXPECT_EQ(report.at("inputs").size(), 1u);
  EXPECT_EQ(report.at("inputs")[0].at("name"), "data");
  EXPECT_EQ(report.at("inputs")[0].at("dtype"), "float32");
  EXPECT_EQ(report.at("inputs")[0].at("shape"), Json({-1, 1, 32, 32}));
  EXPECT_EQ(report.at("outputs")[0].at("shape"), Json({-1, 10}));
  EXPECT_EQ(report.at("operators").at("Convolution"), 6);
  EXPECT_EQ(report.at("unsupported"), Json::array());
  EXPECT_EQ(report.at("labels").size(), 10u);
  EXPECT_GT(report.at("parameter_elements").get<int>(), 50000);
  EXPECT_GT(report.at("parameters").size(), 10u);

  expect_facts(output_of({"inspect", digits()}), {"MXNet 1.9.1", "data float32 (-1, 1, 32, 32)",
                                                  "Convolution x 6", "zero, one", "this model runs"});
  expect_facts(output_of({"inspect", digits(), "--parameters"}), {"digits_conv0_weight"});
  expect_facts(output_of({"inspect", digits(), "--nodes"}),
               {"Flatten gives digits_flatten0_flatten0_output"});
}

TEST(CliInspect, ReportsWhatCannotRun) {
  const TempDir dir;
  dir.write("odd-symbol.json", R"({"nodes": [
      {"op": "null", "name": "data", "inputs": []},
      {"op": "FrobnicateV2", "name": "frob0", "inputs": [[0, 0, 0]]},
      {"op": "FrobnicateV2", "name": "frob1", "inputs": [[1, 0, 0]]}],
    "arg_nodes": [0], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})");
  const Json report = json_of({"inspect", dir / "odd"});
  EXPECT_EQ(report.at("unsupported"), Json::array({{{"op", "FrobnicateV2"},
                                                    {"nodes", {"frob0", "frob1"}},
                                                    {"reason", "is an operator that is not known here"}}}));
  expect_facts(output_of({"inspect", dir / "odd"}),
               {"FrobnicateV2, needed by frob0, frob1", "is an operator that is not known here"});
  expect_user_error({"explain", dir / "odd"}, {"FrobnicateV2", "frob0", "frob1"});
}

// You can ask whether a model runs before you fetch its weights.
TEST(CliInspect, TheSymbolFileAloneIsEnough) {
  const TempDir dir;
  std::filesystem::copy(digits() + "/digits-symbol.json", dir / "net-symbol.json");
  const Json report = json_of({"inspect", dir / "net"});
  EXPECT_EQ(report.at("missing_parameters").size(), json_of({"inspect", digits()}).at("parameters").size());
  EXPECT_EQ(report.at("missing_parameters")[0], "digits_conv0_weight");
  ASSERT_EQ(report.at("inputs").size(), 1u);
  EXPECT_EQ(report.at("inputs")[0].at("name"), "data");
  EXPECT_EQ(report.at("operators").at("Convolution"), 6);
  expect_facts(report.at("warnings").dump(),
               {"there is no .params file beside it: ", " parameters have no value"});
  expect_facts(output_of({"inspect", dir / "net"}),
               {"missing", "digits_conv0_weight", "with its parameters, this model runs"});
  expect_user_error({"explain", dir / "net"}, {"there is no .params file beside it, and ",
                                               " parameters have no value: ", "digits_conv0_weight"});

  std::filesystem::copy(std::string(MXINFER_SOURCE_DIR) + "/tests/golden/ssd/ssd-symbol.json",
                        dir / "ssd-symbol.json");
  expect_facts(output_of({"inspect", dir / "ssd"}), {"missing"});
  for (std::vector<std::string> arguments : {std::vector<std::string>{"sign", dir / "net", "--output"},
                                             {"pack", dir / "net", "--output"},
                                             {"fuse", "--network", dir / "net", "--output"}}) {
    arguments.push_back(dir / "written");
    expect_user_error(arguments, {"there is no .params file beside it"});
  }
}

TEST(CliInspect, ListsEveryNodeThatDoesNotFit) {
  const TempDir dir;
  dir.write("odd-symbol.json", R"({"nodes": [
      {"op": "null", "name": "data", "inputs": []},
      {"op": "null", "name": "a_weight", "inputs": []},
      {"op": "FullyConnected", "name": "a", "inputs": [[0, 0, 0], [1, 0, 0]],
       "attrs": {"num_hidden": "3", "no_bias": "True", "engine": "new"}},
      {"op": "Activation", "name": "b", "inputs": [[2, 0, 0]], "attrs": {"act_type": "relu", "speed": "9"}},
      {"op": "Activation", "name": "c", "inputs": [[3, 0, 0]], "attrs": {"act_type": "relu", "speed": "9"}},
      {"op": "Frobnicate", "name": "d", "inputs": [[4, 0, 0]]}],
    "arg_nodes": [0, 1], "heads": [[5, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})");
  const Json report = json_of({"inspect", dir / "odd"});
  ASSERT_EQ(report.at("unsupported").size(), 3u);
  EXPECT_EQ(report.at("unsupported")[0].at("nodes"), Json({"b", "c"}));
  expect_facts(report.at("unsupported")[0].at("reason").get<std::string>(), {"speed"});
  EXPECT_EQ(report.at("unsupported")[1].at("op"), "Frobnicate");
  expect_facts(report.at("unsupported")[2].at("reason").get<std::string>(), {"engine"});
  EXPECT_EQ(report.at("missing_parameters"), Json::array({"a_weight"}));
  ASSERT_EQ(report.at("inputs").size(), 1u);
  expect_user_error({"explain", dir / "odd"}, {"'a' (FullyConnected)", "engine", "Frobnicate"});
}

TEST(CliPredict, WritesWhatTheLibraryComputes) {
  const Batch batch(3);
  const std::string out = batch.dir / "deep/out";
  const Json report = json_of({"predict", digits(), "--input", "data=" + batch.file, "--output", out});
  ASSERT_EQ(report.at("outputs").size(), 1u);
  EXPECT_EQ(report.at("outputs")[0].at("file"), out + "/0.npy");
  EXPECT_EQ(report.at("outputs")[0].at("shape"), Json({3, 10}));
  EXPECT_EQ(report.at("outputs")[0].at("dtype"), "float32");

  const Predictor predictor(digits());
  EXPECT_EQ(report.at("outputs")[0].at("name"), predictor.model().signature().outputs[0].name);
  const std::vector<Tensor> expected = predictor.predict({batch.data});
  EXPECT_EQ(relative_difference(load_npy(out + "/0.npy"), expected[0]), 0);
}

TEST(CliPredict, PrintsALineForEachOutput) {
  const Batch batch(1);
  const std::string text =
      output_of({"predict", digits(), "data=" + batch.file, "--output", batch.dir.path(), "--layer",
                 "digits_conv0_fwd_output", "--layer", "digits_conv1_fwd", "--threads", "1"});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  expect_facts(
      text, {"0.npy", "digits_conv0_fwd_output", "1.npy", "digits_conv1_fwd_output", "float32", "(1, 16, "});
  EXPECT_EQ(load_npy(batch.dir / "0.npy").shape(), Shape({1, 16, 32, 32}));
  EXPECT_TRUE(std::filesystem::exists(batch.dir / "1.npy"));
}

TEST(CliPredict, TakesWhatIsNamedForAnInput) {
  const test::TempDir dir;
  dir.write("net-symbol.json", R"({"nodes": [
      {"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "gamma", "inputs": []},
      {"op": "null", "name": "beta", "inputs": []}, {"op": "null", "name": "softmax_label", "inputs": []},
      {"op": "LayerNorm", "name": "norm", "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]},
      {"op": "SoftmaxOutput", "name": "softmax", "inputs": [[4, 0, 0], [3, 0, 0]]}],
    "arg_nodes": [0, 1, 2, 3], "heads": [[5, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})");
  const float ones[] = {1, 1};
  save_npy(dir / "row.npy", TensorView(ones, {1, 2}));
  save_npy(dir / "two.npy", TensorView(ones, {2}));
  const std::vector<std::string> arguments{"predict",
                                           dir / "net",
                                           "data=" + (dir / "row.npy"),
                                           "gamma=" + (dir / "two.npy"),
                                           "beta=" + (dir / "two.npy"),
                                           "softmax_label=" + (dir / "two.npy"),
                                           "--output",
                                           dir / "out"};
  json_of(arguments);
  EXPECT_EQ(load_npy(dir / "out/0.npy").data<float>()[1], 0.5f);
}

TEST(CliPredict, TakesAPairOfFiles) {
  const Batch batch(1);
  json_of({"predict", digits() + "/digits-symbol.json", "--params", digits() + "/digits-0000.params",
           "--input", "data=" + batch.file, "--output", batch.dir.path()});
}

TEST(CliPredict, TakesAnEpoch) {
  const Batch batch(1);
  std::filesystem::copy(digits() + "/digits-symbol.json", batch.dir / "net-symbol.json");
  for (const char* epoch : {"0002", "0010"}) {
    std::filesystem::copy(digits() + "/digits-0000.params",
                          batch.dir / (std::string("net-") + epoch + ".params"));
  }
  const std::vector<std::string> arguments = {"predict",  batch.dir / "net", "--input", "data=" + batch.file,
                                              "--output", batch.dir.path()};
  expect_user_error(arguments, {"net-0002.params", "net-0010.params"});
  std::vector<std::string> chosen = arguments;
  chosen.insert(chosen.end(), {"--epoch", "10"});
  json_of(chosen);
  chosen.back() = "3";
  expect_user_error(chosen, {"epoch 3", "net-0002.params"});
}

TEST(CliPredict, RunsAModelWithoutInputs) {
  const TempDir dir;
  dir.write("range-symbol.json", R"({"nodes": [
      {"op": "_arange", "name": "range", "attrs": {"start": "0", "stop": "3"}, "inputs": []}],
    "arg_nodes": [], "heads": [[0, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})");
  json_of({"predict", dir / "range", "--output", dir.path()});
  EXPECT_EQ(load_npy(dir / "0.npy").shape(), Shape({3}));
}

// MXNet accepts any name, and so do its files.
TEST(CliPredict, TakesNamesThatHoldAnEqualsSign) {
  const TempDir dir;
  dir.write("odd-symbol.json", R"({"nodes": [
      {"op": "null", "name": "a=b", "inputs": []},
      {"op": "null", "name": "a", "inputs": []},
      {"op": "elemwise_sub", "name": "difference", "inputs": [[0, 0, 0], [1, 0, 0]]}],
    "arg_nodes": [0, 1], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})");
  const auto save = [&](const char* name, float value) {
    Tensor tensor(DType::float32, {2});
    std::fill_n(tensor.data<float>(), 2, value);
    save_npy(dir / name, tensor);
    return dir / name;
  };
  const std::string five = save("five.npy", 5), two = save("x=two.npy", 2);
  const std::vector<std::string> described = {"--describe", "a=b=-1", "--describe", "a=-1"};
  std::vector<std::string> arguments = {"predict", dir / "odd", "--input",  "a=b=" + five,
                                        "--input", "a=" + two,  "--output", dir.path()};
  arguments.insert(arguments.end(), described.begin(), described.end());
  json_of(arguments);
  EXPECT_EQ(load_npy(dir / "0.npy").data<float>()[0], 3);
  arguments = {"explain", dir / "odd", "--shape", "a=b=2", "--shape", "a=2"};
  arguments.insert(arguments.end(), described.begin(), described.end());
  json_of(arguments);
  expect_user_error({"predict", dir / "odd", "--input", "a=b=" + (dir / "none.npy"), "--output", dir.path()},
                    {"none.npy"});
}

TEST(CliClassify, NamesTheBundledDigits) {
  const std::vector<std::pair<std::string, std::string>> images = {
      {"seven.jpg", "seven"}, {"four.png", "four"}, {"zero.png", "zero"}, {"five.jpg", "five"}};
  std::vector<std::string> arguments = {"classify", digits(), "--top-k", "3"};
  for (const auto& [file, label] : images) arguments.push_back(image_path(file));
  const Json report = json_of(arguments);
  ASSERT_EQ(report.at("images").size(), images.size());
  for (std::size_t i = 0; i < images.size(); ++i) {
    const Json& image = report.at("images")[i];
    EXPECT_EQ(image.at("image"), image_path(images[i].first));
    ASSERT_EQ(image.at("classes").size(), 3u);
    EXPECT_EQ(image.at("classes")[0].at("label"), images[i].second);
    EXPECT_GE(image.at("classes")[0].at("score"), image.at("classes")[1].at("score"));
  }
  expect_facts(output_of({"classify", digits(), image_path("nine.jpg")}),
               {image_path("nine.jpg") + "\n", "  nine\n"});
}

TEST(CliClassify, GivesEveryClassInTheOrderOfTheLabels) {
  const Json classes =
      json_of({"classify", digits(), image_path("two.png"), "--all"}).at("images")[0].at("classes");
  ASSERT_EQ(classes.size(), 10u);
  EXPECT_EQ(classes[0].at("label"), "zero");
  EXPECT_EQ(classes[9].at("index"), 9);
}

TEST(CliClassify, TakesLabelsFromAFile) {
  const TempDir dir;
  const std::string labels =
      dir.write("labels.txt", "null\neins\r\nzwei\ndrei\nvier\nfuenf\nsechs\nsieben\nacht\nneun\n\n");
  const Json report =
      json_of({"classify", digits(), image_path("one.jpg"), "--labels", labels, "--top-k", "1"});
  EXPECT_EQ(report.at("images")[0].at("classes")[0].at("label"), "eins");
}

// The fastest algorithm depends on the batch size, and the last bits depend on the algorithm.
void expect_same_classes(const Json& report, const Json& expected) {
  ASSERT_EQ(report.at("images").size(), expected.at("images").size());
  for (std::size_t i = 0; i < expected.at("images").size(); ++i) {
    const Json& classes = report.at("images")[i].at("classes");
    const Json& wanted = expected.at("images")[i].at("classes");
    EXPECT_EQ(report.at("images")[i].at("image"), expected.at("images")[i].at("image"));
    ASSERT_EQ(classes.size(), wanted.size());
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      EXPECT_EQ(classes[c].at("label"), wanted[c].at("label"));
      EXPECT_NEAR(classes[c].at("score").get<double>(), wanted[c].at("score").get<double>(), 1e-6);
    }
  }
}

TEST(CliClassify, TheSizeOfABatchDoesNotMatter) {
  std::vector<std::string> arguments = {"classify", digits()};
  for (const char* name : {"eight.png", "five.jpg", "four.png", "nine.jpg", "one.jpg"}) {
    arguments.push_back(image_path(name));
  }
  const Json expected = json_of(arguments);
  for (const char* size : {"1", "2", "5"}) {
    std::vector<std::string> sized = arguments;
    sized.insert(sized.end(), {"--batch-size", size});
    SCOPED_TRACE(std::string("batches of ") + size);
    expect_same_classes(json_of(sized), expected);
  }
}

TEST(CliClassify, EveryPreprocessingOptionIsUnderstood) {
  json_of({"classify",
           digits(),
           image_path("six.png"),
           "--preset",
           "imagenet",
           "--resize",
           "letterbox",
           "--pad-value",
           "255",
           "--interpolation",
           "3",
           "--color",
           "bgr",
           "--scale",
           "1/2",
           "--mean",
           "-1.5",
           "--std",
           "1,2,3",
           "--no-exif",
           "--threads",
           "1",
           "--target",
           "ref"});
  json_of(
      {"classify", digits(), image_path("six.png"), "--resize", "short-side-crop", "--resize-short", "40"});
}

TEST(CliClassify, PreprocessingChangesTheScores) {
  const auto best = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"classify", digits(), image_path("three.jpg"), "--top-k", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return json_of(arguments).at("images")[0].at("classes")[0];
  };
  EXPECT_EQ(best({}).at("label"), "three");
  EXPECT_NE(best({"--scale", "0.001"}), best({}));
  EXPECT_EQ(best({"--scale", "2/4", "--std", "0.5"}).at("label"), "three");
}

TEST(CliClassify, ALongListHasAProgressBarOnATerminalOnly) {
  std::vector<std::string> arguments = {MXINFER_COMMAND, "classify", digits()};
  arguments.insert(arguments.end(), {"--threads", "1", "--batch-size", "4"});  // two batches at once
  for (int i = 0; i < 24; ++i) arguments.push_back(image_path(i % 2 == 0 ? "one.jpg" : "two.png"));
  const Outcome piped = run_program(arguments);
  EXPECT_EQ(piped.exit_code, 0);
  EXPECT_EQ(piped.err, "");
  const Outcome shown = run_program(arguments, {}, 240, StandardError::terminal);
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_EQ(shown.out, piped.out);
  expect_facts(shown.err, {"8/24", "[##########....................] ", "24/24"});

  arguments.resize(10);
  EXPECT_EQ(run_program(arguments, {}, 240, StandardError::terminal).err, "");
}

TEST(CliExplain, NamesTheKernelOfEveryStep) {
  const Json plan =
      json_of({"explain", digits(), "--shape", "data=2,1,32,32", "--threads", "1", "--target", "ref"});
  EXPECT_EQ(plan.at("target"), "ref");
  EXPECT_EQ(plan.at("threads"), 1);
  EXPECT_GT(plan.at("arena_bytes").get<int>(), 0);
  ASSERT_FALSE(plan.at("steps").empty());
  for (const char* key : {"node", "op", "output", "kernel", "reason", "notes", "flops", "predicted_ms"}) {
    EXPECT_TRUE(plan.at("steps")[0].contains(key)) << key;
  }
  expect_facts(output_of({"explain", digits()}), {"Convolution", "digits_conv0_fwd"});
}

TEST(CliExplain, TellsThePrecision) {
  EXPECT_EQ(json_of({"explain", digits()}).at("precision"), "float32");
  EXPECT_EQ(json_of({"explain", digits(), "--precision", "bfloat16"}).at("precision"), "bfloat16");
  EXPECT_EQ(json_of({"explain", digits(), "--precision", "bf16"}).at("precision"), "bfloat16");
  EXPECT_EQ(json_of({"explain", digits(), "--precision", "FP32", "--device", "cpu:0"}).at("precision"),
            "float32");
  expect_facts(output_of({"explain", digits(), "--precision", "bfloat16"}),
               {"precision bfloat16", "conv_bf16_", "rounded to bfloat16"});
  const Json images =
      json_of({"classify", digits(), image_path("three.jpg"), "--top-k", "1", "--precision", "bfloat16"});
  EXPECT_EQ(images.at("images")[0].at("classes")[0].at("label"), "three");
}

TEST(CliExplain, TakesShapesInTheWaysPeopleWriteThem) {
  // With the reference kernels: among others, each process chooses by rates that it measures itself.
  const auto plan = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--target", "ref"});
    return json_of(arguments);
  };
  EXPECT_NE(plan({"explain", digits(), "--shape", "data=1,1,32,32"}),
            plan({"explain", digits(), "--shape", "data=2,1,32,32"}));
  const Json expected = plan({"explain", digits(), "--shape", "data=2,1,32,32"});
  EXPECT_EQ(plan({"explain", digits(), "--shape", "data=(2, 1, 32, 32)"}), expected);
  EXPECT_EQ(plan({"explain", digits(), "--shape", "data=[2,1,32,32]"}), expected);
  EXPECT_EQ(
      plan({"explain", digits(), "--describe", "data=-1,1,32,32:float32:NCHW", "--shape", "data=2,1,32,32"}),
      expected);
}

TEST(CliBench, ReportsEveryNumber) {
  const Json report =
      json_of({"bench", digits(), "--shape", "data=4,1,32,32", "--threads", "1", "--seconds", "0.2"});
  for (const char* key :
       {"min_ms", "median_ms", "p99_ms", "per_second", "load_ms", "first_ms", "peak_rss_mb"}) {
    EXPECT_GT(report.at(key).get<double>(), 0) << key;
  }
  EXPECT_LE(report.at("min_ms"), report.at("median_ms"));
  EXPECT_LE(report.at("median_ms"), report.at("p99_ms"));
  EXPECT_EQ(report.at("threads"), 1);
  EXPECT_EQ(report.at("concurrency"), 1);
  EXPECT_EQ(report.at("model"), digits());
  EXPECT_EQ(report.at("shapes").at("data"), Json({4, 1, 32, 32}));
  EXPECT_GE(report.at("calls").get<int>(), 1);
}

TEST(CliBench, NeedsNoShapeForAModelThatResizes) {
  const Json report = json_of({"bench", digits() + ".mxz", "--threads", "1", "--seconds", "0.05"});
  EXPECT_EQ(report.at("shapes").at("data"), Json({1, 480, 640, 1}));
  EXPECT_FALSE(json_of({"explain", digits() + ".mxz"}).at("steps").empty());
  json_of({"bench", digits() + ".mxz", "--seconds", "0.05", "--by-node"});
}

TEST(CliBench, TakesSeveralCallers) {
  const Json report =
      json_of({"bench", digits(), "--threads", "1", "--seconds", "0.2", "--concurrency", "3"});
  EXPECT_EQ(report.at("concurrency"), 3);
  EXPECT_GE(report.at("calls").get<int>(), 3);
  EXPECT_EQ(report.at("shapes").at("data"), Json({1, 1, 32, 32}));
  expect_facts(output_of({"bench", digits(), "--seconds", "0.05"}),
               {"median", "p99", "per second", "peak memory"});
}

TEST(CliBench, KeepsPredictionsInFlight) {
  EXPECT_EQ(json_of({"bench", digits(), "--seconds", "0.05"}).at("async"), false);
  // More than a queue accepts by default.
  const Json report =
      json_of({"bench", digits(), "--threads", "1", "--seconds", "0.2", "--concurrency", "100", "--async"});
  EXPECT_EQ(report.at("async"), true);
  EXPECT_EQ(report.at("concurrency"), 100);
  EXPECT_GE(report.at("calls").get<int>(), 100);
  EXPECT_GT(report.at("p99_ms").get<double>(), 0);
  expect_facts(output_of({"bench", digits(), "--seconds", "0.05", "--concurrency", "2", "--async"}),
               {"for each of 2 in flight"});
}

TEST(CliBench, TellsTheTimeOfEachNode) {
  const Json report = json_of({"bench", digits(), "--threads", "1", "--seconds", "0.05", "--by-node"});
  EXPECT_GE(report.at("calls").get<int>(), 1);
  double sum = 0;
  for (const Json& node : report.at("nodes")) sum += node.at("median_ms").get<double>();
  EXPECT_DOUBLE_EQ(report.at("sum_ms").get<double>(), sum);
  const Json plan = json_of({"explain", digits(), "--threads", "1"});
  std::size_t run = 0;
  for (const Json& step : plan.at("steps")) run += step.at("kernel") == "alias" ? 0 : 1;
  EXPECT_EQ(report.at("nodes").size(), run);
  expect_facts(output_of({"bench", digits(), "--seconds", "0.05", "--by-node"}), {"GFLOP/s", "medians of"});
}

TEST(CliBench, MeasuresTransformsBesideTheirNetwork) {
  const Json report =
      json_of({"bench", "--preset", "end-to-end", "--runs", "1", "--batch", "1", "--threads", "1"});
  ASSERT_EQ(report.at("batches").size(), 1U);
  const Json& row = report.at("batches")[0];
  EXPECT_EQ(row.at("batch"), 1);
  for (const char* key : {"end_to_end_ms", "end_to_end_separate_ms", "network_ms", "transforms_ms",
                          "transforms_separate_ms", "transforms_share", "transforms_separate_share"}) {
    EXPECT_GT(row.at(key).get<double>(), 0) << key;
  }
}

}  // namespace
}  // namespace mxinfer::test
