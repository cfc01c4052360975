// What MXNet's BucketingModule saves: one network for each length, and one set of weights.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "formats/arrays/write_params.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/networks/sequence_golden.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"
#include "support/servers/environment_variable.h"

namespace mxinfer {
namespace {

namespace fs = std::filesystem;

using test::kSequenceTolerance;

/// The files of the recorded model, but for those that end so.
void copy_lstm(const test::TempDir& dir, const std::string& name, const std::vector<std::string>& without) {
  for (const char* ending :
       {"-3-symbol.json", "-5-symbol.json", "-8-symbol.json", "-0001.params", ".buckets"}) {
    if (std::find(without.begin(), without.end(), ending) != without.end()) continue;
    fs::copy(test::sequence_model("lstm") + ending, dir / (name + ending));
  }
}

TEST(BucketedModel, GivesWhatMxnetGives) {
  const auto golden = test::read_sequence_golden("lstm");
  const BucketedModel model = BucketedModel::load(test::sequence_model("lstm"));
  EXPECT_EQ(model.keys(), (std::vector<std::int64_t>{3, 5, 8}));
  const SequencePredictor predictor(model);
  EXPECT_EQ(predictor.buckets(), model.keys());
  const auto outputs = predictor.predict_sequences(golden.sequences);
  ASSERT_EQ(outputs.size(), golden.sequences.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto alone = predictor.predict_sequence(golden.sequences[i]);
    ASSERT_EQ(outputs[i].size(), golden.outputs[i].size());
    for (std::size_t o = 0; o < outputs[i].size(); ++o) {
      EXPECT_EQ(outputs[i][o].shape(), golden.outputs[i][o].shape()) << "sequence " << i << " output " << o;
      EXPECT_LE(test::relative_difference(outputs[i][o], golden.outputs[i][o]), kSequenceTolerance)
          << i << ' ' << o;
      EXPECT_LE(test::relative_difference(alone[o], golden.outputs[i][o]), kSequenceTolerance)
          << i << ' ' << o;
    }
  }
}

TEST(BucketedModel, IsLoadedByAPredictorToo) {
  const auto golden = test::read_sequence_golden("lstm");
  const SequencePredictor predictor(test::sequence_model("lstm"));
  EXPECT_EQ(predictor.buckets().size(), 3U);
  EXPECT_EQ(predictor.model().name(), BucketedModel::load(test::sequence_model("lstm")).largest().name());
  for (std::size_t i = 0; i < golden.sequences.size(); ++i) {
    const auto outputs = predictor.predict_sequence(golden.sequences[i]);
    EXPECT_LE(test::relative_difference(outputs[0], golden.outputs[i][0]), kSequenceTolerance);
  }
}

/// (N, length) ids, each looked up, through a product with the one weight, and added: what is large is there
/// once a time in the graph, and once in the file.
std::string sum_of_steps_json(int length) {
  std::string nodes = R"json({"nodes": [{"op": "null", "name": "data", "inputs": []},
    {"op": "null", "name": "embed_weight", "inputs": []}, {"op": "null", "name": "fc_weight", "inputs": []},
    {"op": "Embedding", "name": "embed", "attrs": {"input_dim": "20", "output_dim": "256"},
     "inputs": [[0, 0, 0], [1, 0, 0]]},
    {"op": "SliceChannel", "name": "steps", "attrs": {"num_outputs": ")json" +
                      std::to_string(length) + R"json(", "axis": "1", "squeeze_axis": "True"},
     "inputs": [[3, 0, 0]]})json";
  std::string inputs;
  for (int t = 0; t < length; ++t) {
    nodes += R"json(, {"op": "FullyConnected", "name": "fc)json" + std::to_string(t) +
             R"json(", "attrs": {"num_hidden": "256", "no_bias": "True"}, "inputs": [[4, )json" +
             std::to_string(t) + R"json(, 0], [2, 0, 0]]})json";
    inputs += (t > 0 ? ", [" : "[") + std::to_string(5 + t) + ", 0, 0]";
  }
  return nodes + R"json(, {"op": "add_n", "name": "sum", "attrs": {"num_args": ")json" +
         std::to_string(length) + R"json("}, "inputs": [)json" + inputs +
         R"json(]}], "arg_nodes": [0, 1, 2], "heads": [[)json" + std::to_string(5 + length) +
         R"json(, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

// All networks read the same parameters, and what plans pack of them is there once.
TEST(BucketedModel, SharesItsWeights) {
  const test::EnvironmentVariable target("MXINFER_TARGET");  // the reference kernels pack nothing
  const test::TempDir dir;
  for (const int key : {2, 4, 7})
    dir.write("sum-" + std::to_string(key) + "-symbol.json", sum_of_steps_json(key));
  const Tensor embed = test::random_tensor({20, 256}, 1), weight = test::random_tensor({256, 256}, 2);
  formats::write_params(dir / "sum-0000.params", {{"arg:embed_weight", embed}, {"arg:fc_weight", weight}});
  const auto after_running = [&](const std::vector<std::int64_t>& buckets) {
    LoadOptions load;
    load.read_weights_at_once = true;  // so that what is stored is in memory
    const BucketedModel model = BucketedModel::load(dir / "sum", load);
    SequenceOptions options;
    options.buckets = buckets;
    const SequencePredictor predictor(model, options);
    predictor.warmup_buckets();
    return model.memory();
  };
  const ModelMemory one = after_running({7}), all = after_running({2, 4, 7});
  EXPECT_EQ(all.stored_weights, embed.bytes() + weight.bytes());
  EXPECT_GE(one.packed_weights, weight.bytes());
  EXPECT_EQ(all.packed_weights, one.packed_weights);
  // Not the same thing: models that were loaded one by one have weights of their own.
  const auto alone = [&](int key) {
    return Model::load_files(dir / ("sum-" + std::to_string(key) + "-symbol.json"), dir / "sum-0000.params");
  };
  const BucketedModel made({{2, alone(2)}, {7, alone(7)}});
  SequencePredictor(made).warmup_buckets();
  EXPECT_GE(made.memory().packed_weights, 2 * one.packed_weights);
}

TEST(BucketedModel, NeedsNoListOfBuckets) {
  const test::TempDir dir;
  copy_lstm(dir, "lstm", {".buckets"});
  EXPECT_EQ(BucketedModel::load(dir / "lstm").keys(), (std::vector<std::int64_t>{3, 5, 8}));
  EXPECT_EQ(BucketedModel::load(dir.path()).keys(), (std::vector<std::int64_t>{3, 5, 8}));
}

TEST(BucketedModel, IsFoundInAFolder) {
  const test::TempDir dir;
  copy_lstm(dir, "lstm", {});
  EXPECT_EQ(BucketedModel::load(dir.path()).keys().size(), 3U);
  EXPECT_EQ(BucketedModel::load("file://" + (dir / "lstm")).keys().size(), 3U);
  copy_lstm(dir, "other", {});
  EXPECT_MXINFER_ERROR(BucketedModel::load(dir.path()), ErrorCode::invalid_argument,
                       {"lstm", "other", "prefix"});
}

// The list says what belongs to the model, not the files that happen to be there.
TEST(BucketedModel, HasTheKeysOfItsList) {
  const test::TempDir dir;
  copy_lstm(dir, "lstm", {"-5-symbol.json"});
  EXPECT_MXINFER_ERROR(BucketedModel::load(dir / "lstm"), ErrorCode::not_found,
                       {"key 5", "lstm-5-symbol.json"});
  dir.write("lstm.buckets", "no list of keys");
  EXPECT_MXINFER_ERROR(BucketedModel::load(dir / "lstm"), ErrorCode::malformed, {"lstm.buckets"});
}

TEST(BucketedModel, SaysWhatIsMissing) {
  const test::TempDir dir;
  EXPECT_MXINFER_ERROR(BucketedModel::load(dir / "lstm"), ErrorCode::not_found,
                       {"lstm", ".buckets", "Model::load"});
  copy_lstm(dir, "lstm", {"-0001.params"});
  EXPECT_MXINFER_ERROR(BucketedModel::load(dir / "lstm"), ErrorCode::not_found, {"-0000.params"});
  EXPECT_MXINFER_ERROR(BucketedModel::load("https://example.com/lstm"), ErrorCode::unsupported, {"local"});
}

TEST(BucketedModel, AsksForTheEpoch) {
  const test::TempDir dir;
  copy_lstm(dir, "lstm", {});
  fs::copy(dir / "lstm-0001.params", dir / "lstm-0002.params");
  EXPECT_MXINFER_ERROR(BucketedModel::load(dir / "lstm"), ErrorCode::invalid_argument,
                       {"lstm-0001.params", "lstm-0002.params"});
  LoadOptions options;
  options.epoch = 2;
  EXPECT_EQ(BucketedModel::load(dir / "lstm", options).keys().size(), 3U);
  options.epoch = 7;
  EXPECT_MXINFER_ERROR(BucketedModel::load(dir / "lstm", options), ErrorCode::not_found, {"epoch 7"});
}

// Whoever takes it for one network is told what it is.
TEST(BucketedModel, IsNoModel) {
  EXPECT_MXINFER_ERROR(Model::load(test::sequence_model("lstm")), ErrorCode::invalid_argument,
                       {"BucketedModel::load", "3 lengths"});
  const test::TempDir dir;
  copy_lstm(dir, "lstm", {".buckets"});
  EXPECT_MXINFER_ERROR(Model::load(dir.path()), ErrorCode::invalid_argument, {"BucketedModel::load"});
}

// A number in a name is not yet a bucket.
TEST(BucketedModel, IsNoNetworkWithANumberInItsName) {
  const test::TempDir dir;
  dir.write("resnet-18-symbol.json", test::channel_means_json());
  dir.write("resnet-18-0000.params", test::read_file(test::sequence_model("lstm") + "-0001.params"));
  fs::remove(dir / "resnet-18-0000.params");
  EXPECT_EQ(Model::load(dir.path()).signature().inputs.size(), 1U);
  EXPECT_MXINFER_ERROR(BucketedModel::load(dir / "resnet"), ErrorCode::not_found, {"resnet"});
}

TEST(BucketedModel, IsMadeOfModels) {
  const BucketedModel loaded = BucketedModel::load(test::sequence_model("lstm"));
  const BucketedModel made({{8, loaded.model(8)}, {3, loaded.model(3)}});
  EXPECT_EQ(made.keys(), (std::vector<std::int64_t>{3, 8}));
  const auto golden = test::read_sequence_golden("lstm");
  const SequencePredictor predictor(made);
  const auto& longest = golden.sequences.back();
  ASSERT_EQ(longest.size(), 8U);
  EXPECT_LE(test::relative_difference(predictor.predict_sequence(longest)[0], golden.outputs.back()[0]),
            kSequenceTolerance);
}

TEST(BucketedModel, RefusesModelsThatDoNotBelongTogether) {
  const BucketedModel loaded = BucketedModel::load(test::sequence_model("lstm"));
  const Model other = test::load_json(test::channel_means_json());
  using Buckets = std::vector<std::pair<std::int64_t, Model>>;
  EXPECT_MXINFER_ERROR(BucketedModel(Buckets{}), ErrorCode::invalid_argument, {"no buckets"});
  EXPECT_MXINFER_ERROR(BucketedModel(Buckets{{0, other}}), ErrorCode::invalid_argument, {"is 0"});
  EXPECT_MXINFER_ERROR(BucketedModel(Buckets{{4, other}, {4, other}}), ErrorCode::invalid_argument,
                       {"key 4", "twice"});
  EXPECT_MXINFER_ERROR(BucketedModel(Buckets{{3, loaded.model(3)}, {4, other}}), ErrorCode::invalid_argument,
                       {"different inputs", "3 and 4"});
  EXPECT_MXINFER_ERROR(loaded.model(4), ErrorCode::invalid_argument, {"no bucket of key 4"});
  // A network at the key of another: it takes no sequences of that length.
  EXPECT_MXINFER_ERROR(SequencePredictor(BucketedModel(Buckets{{4, loaded.model(3)}})),
                       ErrorCode::invalid_argument, {"length 4"});
}

TEST(BucketedModel, RunsTheBucketsThatAreAskedFor) {
  const BucketedModel model = BucketedModel::load(test::sequence_model("lstm"));
  SequenceOptions options;
  options.buckets = {3, 8};
  const SequencePredictor predictor(model, options);
  EXPECT_EQ(predictor.bucket_of(4), 8);
  EXPECT_EQ(predictor.bucket_of(99), 8);
  options.buckets = {3, 4};
  EXPECT_MXINFER_ERROR(SequencePredictor(model, options), ErrorCode::invalid_argument, {"4", "no network"});
}

// The plans of all buckets count as one predictor's.
TEST(BucketedModel, CountsAllPlans) {
  SequenceOptions options;
  options.max_batch = 2;
  const SequencePredictor predictor(test::sequence_model("lstm"), options);
  predictor.warmup_buckets();
  EXPECT_EQ(predictor.stats().plans_made, 3U);  // one of a batch of one for each: outputs mix samples
  EXPECT_GT(predictor.memory().plans, 0U);
}

}  // namespace
}  // namespace mxinfer
