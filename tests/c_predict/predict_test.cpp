// Every function of MXNet's C predict API: what it does, and what it does with what it cannot take.
#include <gtest/gtest.h>
#include <mxnet/c_predict_api.h>

#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "support/equal_names.h"

namespace {

std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::string& digits_symbol() {
  static const std::string text = read_bytes(MXINFER_SOURCE_DIR "/models/digits/digits-symbol.json");
  return text;
}
const std::string& digits_params() {
  static const std::string bytes = read_bytes(MXINFER_SOURCE_DIR "/models/digits/digits-0000.params");
  return bytes;
}

// fc = data, 1 + relu, and a label that only training reads.
const char* const kSmall = R"json({"nodes": [{"op": "null", "name": "data", "inputs": []},
    {"op": "_mul_scalar", "name": "twice", "attrs": {"scalar": "2"}, "inputs": [[0, 0, 0]]},
    {"op": "Activation", "name": "relu", "attrs": {"act_type": "relu"}, "inputs": [[1, 0, 0]]},
    {"op": "null", "name": "softmax_label", "inputs": []},
    {"op": "SoftmaxOutput", "name": "softmax", "inputs": [[2, 0, 0], [3, 0, 0]]}],
    "arg_nodes": [0, 3], "heads": [[4, 0, 0]]})json";

class Predictor {
 public:
  Predictor() = default;
  Predictor(const std::string& symbol, const std::string& params, std::vector<const char*> keys,
            const std::vector<std::vector<mx_uint>>& shapes) {
    set_shapes(shapes);
    result =
        MXPredCreate(symbol.c_str(), params.data(), static_cast<int>(params.size()), 1, 0,
                     static_cast<mx_uint>(keys.size()), keys.data(), indptr.data(), sizes.data(), &handle);
  }
  ~Predictor() { MXPredFree(handle); }
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;

  void set_shapes(const std::vector<std::vector<mx_uint>>& shapes) {
    indptr = {0};
    sizes.clear();
    for (const auto& shape : shapes) {
      sizes.insert(sizes.end(), shape.begin(), shape.end());
      indptr.push_back(static_cast<mx_uint>(sizes.size()));
    }
  }
  std::vector<mx_uint> shape(mx_uint index) {
    mx_uint* data = nullptr;
    mx_uint rank = 0;
    EXPECT_EQ(MXPredGetOutputShape(handle, index, &data, &rank), 0) << MXGetLastError();
    return {data, data + rank};
  }
  std::vector<float> output(mx_uint index) {
    mx_uint size = 1;
    for (const mx_uint dim : shape(index)) size *= dim;
    std::vector<float> values(size);
    EXPECT_EQ(MXPredGetOutput(handle, index, values.data(), size), 0) << MXGetLastError();
    return values;
  }

  PredictorHandle handle = nullptr;
  int result = 0;
  std::vector<mx_uint> indptr, sizes;
};

void expect_error(int result, const std::vector<std::string>& facts) {
  EXPECT_EQ(result, -1);
  for (const std::string& fact : facts)
    EXPECT_NE(std::string(MXGetLastError()).find(fact), std::string::npos) << MXGetLastError();
}

TEST(Predict, RunsAndGivesItsOutputs) {
  Predictor small(kSmall, "", {"data"}, {{2, 3}});
  ASSERT_EQ(small.result, 0) << MXGetLastError();
  EXPECT_EQ(small.shape(0), (std::vector<mx_uint>{2, 3}));
  int dtype = -1;
  EXPECT_EQ(MXPredGetOutputType(small.handle, 0, &dtype), 0);
  EXPECT_EQ(dtype, 0);
  float value[6];
  expect_error(MXPredGetOutput(small.handle, 0, value, 6), {"MXPredForward first"});
  const std::vector<float> data = {-1, -2, -3, 0, 0, 50};
  ASSERT_EQ(MXPredSetInput(small.handle, "data", data.data(), 6), 0);
  ASSERT_EQ(MXPredForward(small.handle), 0) << MXGetLastError();
  const std::vector<float> scores = small.output(0);
  EXPECT_NEAR(scores[0], 1.0F / 3, 1e-6);
  EXPECT_NEAR(scores[5], 1, 1e-6);
}

TEST(Predict, TakesKeysOfLabels) {
  Predictor small(kSmall, "", {"data", "softmax_label"}, {{2, 3}, {2}});
  ASSERT_EQ(small.result, 0) << MXGetLastError();
  const float labels[2] = {1, 2};
  EXPECT_EQ(MXPredSetInput(small.handle, "softmax_label", labels, 2), 0) << MXGetLastError();
  EXPECT_EQ(MXPredForward(small.handle), 0);
}

TEST(Predict, WrongCreationsSayWhatIsWrong) {
  expect_error(Predictor("{", "", {"data"}, {{2, 3}}).result, {"MXPredCreate", "symbol"});
  expect_error(Predictor(kSmall, "nonsense", {"data"}, {{2, 3}}).result, {"params"});
  expect_error(Predictor(kSmall, "", {"dota"}, {{2, 3}}).result, {"'data' has no shape", "'dota'"});
  expect_error(Predictor(kSmall, "", {"data", "data"}, {{2, 3}, {2, 3}}).result, {"twice"});
  expect_error(Predictor(digits_symbol(), "", {"data"}, {{1, 1, 32, 32}}).result, {"no value"});
  expect_error(Predictor(digits_symbol(), digits_params(), {"data"}, {{1, 7, 32, 32}}).result, {"data"});
  PredictorHandle handle = nullptr;
  const char* keys[] = {"data"};
  const mx_uint indptr[] = {0, 2}, shape[] = {2, 3}, backwards[] = {5, 2};
  expect_error(MXPredCreate(kSmall, nullptr, 0, 2, 0, 1, keys, indptr, shape, &handle), {"GPU", "1, 0"});
  expect_error(MXPredCreate(kSmall, nullptr, 0, 9, 0, 1, keys, indptr, shape, &handle), {"9"});
  expect_error(MXPredCreate(kSmall, nullptr, 5, 1, 0, 1, keys, indptr, shape, &handle), {"param_bytes"});
  expect_error(MXPredCreate(kSmall, nullptr, -5, 1, 0, 1, keys, indptr, shape, &handle), {"-5"});
  expect_error(MXPredCreate(kSmall, nullptr, 0, 1, 0, 1, keys, backwards, shape, &handle), {"indptr"});
  expect_error(MXPredCreate(kSmall, nullptr, 0, 1, 0, 1, nullptr, indptr, shape, &handle), {"input_keys"});
  expect_error(MXPredCreate(kSmall, nullptr, 0, 1, 0, 1, keys, indptr, nullptr, &handle),
               {"input_shape_data"});
  expect_error(MXPredCreate(nullptr, nullptr, 0, 1, 0, 1, keys, indptr, shape, &handle), {"symbol_json_str"});
  expect_error(MXPredCreate(kSmall, nullptr, 0, 1, 0, 1, keys, indptr, shape, nullptr), {"'out' is NULL"});
  EXPECT_EQ(handle, nullptr);
}

TEST(Predict, WrongCallsSayWhatIsWrong) {
  Predictor small(kSmall, "", {"data"}, {{2, 3}});
  float value[6] = {};
  mx_uint* shape = nullptr;
  mx_uint rank = 0;
  int number = 0;
  expect_error(MXPredSetInput(small.handle, "data", value, 5), {"(2, 3)", "5"});
  expect_error(MXPredSetInput(small.handle, "other", value, 6), {"'other'", "'data'"});
  expect_error(MXPredSetInput(small.handle, "data", nullptr, 6), {"'data' is NULL"});
  expect_error(MXPredSetInput(small.handle, nullptr, value, 6), {"'key' is NULL"});
  expect_error(MXPredGetOutputShape(small.handle, 1, &shape, &rank), {"no output 1", "there are 1"});
  expect_error(MXPredGetOutputType(small.handle, 1, &number), {"no output 1"});
  ASSERT_EQ(MXPredForward(small.handle), 0);
  expect_error(MXPredGetOutput(small.handle, 0, value, 5), {"(2, 3)", "5"});
  expect_error(MXPredPartialForward(small.handle, -1, &number), {"-1"});
  expect_error(MXPredForward(nullptr), {"'handle' is NULL"});
  expect_error(MXPredGetOutput(nullptr, 0, value, 6), {"'handle' is NULL"});
  expect_error(MXPredSetMonitorCallback(nullptr, nullptr, nullptr, false), {"'handle' is NULL"});
  EXPECT_EQ(MXPredFree(nullptr), 0);
}

TEST(Predict, PartialOutputsAreInnerValues) {
  PredictorHandle handle = nullptr;
  const char* keys[] = {"data"};
  const char* outputs[] = {"relu", "twice"};
  const mx_uint indptr[] = {0, 2}, shape[] = {1, 2};
  ASSERT_EQ(MXPredCreatePartialOut(kSmall, nullptr, 0, 1, 0, 1, keys, indptr, shape, 2, outputs, &handle), 0)
      << MXGetLastError();
  const float data[] = {-3, 4};
  float relu[2], twice[2];
  ASSERT_EQ(MXPredSetInput(handle, "data", data, 2), 0);
  ASSERT_EQ(MXPredForward(handle), 0);
  ASSERT_EQ(MXPredGetOutput(handle, 0, relu, 2), 0);
  ASSERT_EQ(MXPredGetOutput(handle, 1, twice, 2), 0);
  EXPECT_EQ(relu[0], 0);
  EXPECT_EQ(relu[1], 8);
  EXPECT_EQ(twice[0], -6);
  MXPredFree(handle);
  outputs[0] = "nothing";
  expect_error(MXPredCreatePartialOut(kSmall, nullptr, 0, 1, 0, 1, keys, indptr, shape, 2, outputs, &handle),
               {"nothing_output"});
}

TEST(Predict, PartialOutputsOfOneNameHaveAnIndex) {
  const std::string network = mxinfer::test::equal_names_json();
  PredictorHandle handle = nullptr;
  const char* keys[] = {"data"};
  const char* outputs[] = {"layer#2", "layer#0"};
  const mx_uint indptr[] = {0, 2}, shape[] = {1, 2};
  ASSERT_EQ(
      MXPredCreatePartialOut(network.c_str(), nullptr, 0, 1, 0, 1, keys, indptr, shape, 2, outputs, &handle),
      0)
      << MXGetLastError();
  const float data[] = {-3, 4};
  float third[2], first[2];
  ASSERT_EQ(MXPredSetInput(handle, "data", data, 2), 0);
  ASSERT_EQ(MXPredForward(handle), 0);
  ASSERT_EQ(MXPredGetOutput(handle, 0, third, 2), 0);
  ASSERT_EQ(MXPredGetOutput(handle, 1, first, 2), 0);
  EXPECT_EQ(third[0], -1);
  EXPECT_EQ(first[0], -6);
  MXPredFree(handle);
  outputs[0] = "layer";
  expect_error(
      MXPredCreatePartialOut(network.c_str(), nullptr, 0, 1, 0, 1, keys, indptr, shape, 2, outputs, &handle),
      {"3 values", "'layer_output#1'"});
}

TEST(Predict, TypesOfInputsAreTheCallers) {
  const char* const cast = R"json({"nodes": [{"op": "null", "name": "data", "inputs": []},
      {"op": "Cast", "name": "cast", "attrs": {"dtype": "int32"}, "inputs": [[0, 0, 0]]}],
      "arg_nodes": [0], "heads": [[1, 0, 0]]})json";
  PredictorHandle handle = nullptr;
  const char* keys[] = {"data"};
  const mx_uint indptr[] = {0, 1}, shape[] = {3};
  int types[] = {3};
  ASSERT_EQ(MXPredCreateEx(cast, nullptr, 0, 1, 0, 1, keys, indptr, shape, 1, keys, types, &handle), 0)
      << MXGetLastError();
  const std::uint8_t data[] = {1, 200, 3};
  ASSERT_EQ(MXPredSetInput(handle, "data", reinterpret_cast<const float*>(data), 3), 0);
  ASSERT_EQ(MXPredForward(handle), 0) << MXGetLastError();
  int dtype = 0;
  ASSERT_EQ(MXPredGetOutputType(handle, 0, &dtype), 0);
  EXPECT_EQ(dtype, 4);
  std::int32_t values[3];
  ASSERT_EQ(MXPredGetOutput(handle, 0, reinterpret_cast<float*>(values), 3), 0);
  EXPECT_EQ(values[1], 200);
  MXPredFree(handle);
  types[0] = 77;
  expect_error(MXPredCreateEx(cast, nullptr, 0, 1, 0, 1, keys, indptr, shape, 1, keys, types, &handle),
               {"77"});
}

TEST(Predict, ReshapesAndLeavesTheOldOne) {
  Predictor small(kSmall, "", {"data"}, {{1, 3}}), larger;
  larger.set_shapes({{4, 5}});
  const char* keys[] = {"data"};
  ASSERT_EQ(MXPredReshape(1, keys, larger.indptr.data(), larger.sizes.data(), small.handle, &larger.handle),
            0)
      << MXGetLastError();
  EXPECT_EQ(larger.shape(0), (std::vector<mx_uint>{4, 5}));
  ASSERT_EQ(MXPredForward(larger.handle), 0) << MXGetLastError();
  EXPECT_NEAR(larger.output(0)[19], 0.2F, 1e-6);
  const float data[] = {0, 0, 9};
  ASSERT_EQ(MXPredSetInput(small.handle, "data", data, 3), 0);
  ASSERT_EQ(MXPredForward(small.handle), 0);
  EXPECT_NEAR(small.output(0)[2], 1, 1e-6);
  expect_error(MXPredReshape(1, keys, larger.indptr.data(), larger.sizes.data(), nullptr, &larger.handle),
               {"'handle' is NULL"});
}

TEST(Predict, RunsAPartAtATime) {
  Predictor whole(digits_symbol(), digits_params(), {"data"}, {{1, 1, 32, 32}});
  ASSERT_EQ(whole.result, 0) << MXGetLastError();
  Predictor parts(digits_symbol(), digits_params(), {"data"}, {{1, 1, 32, 32}});
  std::vector<float> data(32 * 32);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i % 17) / 17;
  for (Predictor* predictor : {&whole, &parts})
    ASSERT_EQ(MXPredSetInput(predictor->handle, "data", data.data(), 1024), 0);
  ASSERT_EQ(MXPredForward(whole.handle), 0);
  for (int round = 0; round < 2; ++round) {
    int left = 1, steps = 0, before = 1000;
    for (; left > 0; ++steps) {
      ASSERT_EQ(MXPredPartialForward(parts.handle, steps, &left), 0) << MXGetLastError();
      EXPECT_LT(left, before);
      before = left;
    }
    EXPECT_GT(steps, 5);
    EXPECT_EQ(parts.output(0), whole.output(0));
  }
}

struct Seen {
  std::vector<std::string> names;
  std::vector<float> relu;
};

TEST(Predict, TellsAMonitorOfEveryValue) {
  Predictor small(kSmall, "", {"data"}, {{1, 2}});
  const float data[] = {-3, 4};
  ASSERT_EQ(MXPredSetInput(small.handle, "data", data, 2), 0);
  Seen seen;
  const auto monitor = [](const char* name, NDArrayHandle array, void* user) {
    auto& to = *static_cast<Seen*>(user);
    to.names.emplace_back(name);
    int rank = 0, dtype = -1, device = 0, index = -1;
    const int* shape = nullptr;
    EXPECT_EQ(MXNDArrayGetShapeEx(array, &rank, &shape), 0);
    EXPECT_EQ(MXNDArrayGetDType(array, &dtype), 0);
    EXPECT_EQ(MXNDArrayGetContext(array, &device, &index), 0);
    EXPECT_EQ(MXNDArrayWaitToRead(array), 0);
    ASSERT_EQ(rank, 2);
    EXPECT_EQ(shape[1], 2);
    EXPECT_EQ(dtype, 0);
    EXPECT_EQ(device, 1);
    std::vector<float> values(2);
    EXPECT_EQ(MXNDArraySyncCopyToCPU(array, values.data(), 1), -1);
    EXPECT_EQ(MXNDArraySyncCopyToCPU(array, values.data(), 2), 0);
    if (to.names.back() == "relu_output") to.relu = values;
    EXPECT_EQ(MXNDArrayFree(array), 0);
  };
  ASSERT_EQ(MXPredSetMonitorCallback(small.handle, monitor, &seen, false), 0);
  ASSERT_EQ(MXPredForward(small.handle), 0) << MXGetLastError();
  EXPECT_EQ(seen.names, (std::vector<std::string>{"twice_output", "relu_output", "softmax_output"}));
  EXPECT_EQ(seen.relu, (std::vector<float>{0, 8}));
  EXPECT_NEAR(small.output(0)[1], 1, 1e-3);
  seen = {};
  ASSERT_EQ(MXPredSetMonitorCallback(small.handle, monitor, &seen, true), 0);
  ASSERT_EQ(MXPredForward(small.handle), 0) << MXGetLastError();
  EXPECT_EQ(seen.names.front(), "data");
  EXPECT_EQ(seen.names.back(), "softmax_output");
  EXPECT_GT(seen.names.size(), 6U);
  ASSERT_EQ(MXPredSetMonitorCallback(small.handle, nullptr, nullptr, false), 0);
  const std::size_t told = seen.names.size();
  ASSERT_EQ(MXPredForward(small.handle), 0);
  EXPECT_EQ(seen.names.size(), told);
}

TEST(Predict, AMonitorHearsTheNamesOfMXNet) {
  const std::string network = mxinfer::test::equal_names_json("[[1, 0, 0], [1, 0, 0], [3, 0, 0]]");
  Predictor equal(network, "", {"data"}, {{1, 2}});
  const float data[] = {-3, 4};
  ASSERT_EQ(MXPredSetInput(equal.handle, "data", data, 2), 0);
  Seen seen;
  const auto monitor = [](const char* name, NDArrayHandle array, void* user) {
    auto& to = *static_cast<Seen*>(user);
    to.names.emplace_back(name);
    to.relu.resize(2);
    EXPECT_EQ(MXNDArraySyncCopyToCPU(array, to.relu.data(), 2), 0);
  };
  ASSERT_EQ(MXPredSetMonitorCallback(equal.handle, monitor, &seen, false), 0);
  ASSERT_EQ(MXPredForward(equal.handle), 0) << MXGetLastError();
  EXPECT_EQ(seen.names, (std::vector<std::string>{"layer_output", "layer_output", "layer_output"}));
  EXPECT_EQ(seen.relu, (std::vector<float>{-1, 7}));
  for (const mx_uint output : {0U, 1U}) EXPECT_EQ(equal.output(output), (std::vector<float>{-6, 8}));
  EXPECT_EQ(equal.output(2), (std::vector<float>{-1, 7}));
}

TEST(Predict, SixteenThreadsHaveInputsOfTheirOwn) {
  constexpr int kThreads = 16;
  PredictorHandle handles[kThreads] = {};
  const char* keys[] = {"data"};
  const mx_uint indptr[] = {0, 4}, shape[] = {1, 1, 32, 32};
  ASSERT_EQ(MXPredCreateMultiThread(digits_symbol().c_str(), digits_params().data(),
                                    static_cast<int>(digits_params().size()), 1, 0, 1, keys, indptr, shape,
                                    kThreads, handles),
            0)
      << MXGetLastError();
  const auto data_of = [](int t) { return std::vector<float>(1024, static_cast<float>(t) / kThreads); };
  std::vector<std::vector<float>> alone(kThreads), together(kThreads);
  const auto predict = [&](int t, std::vector<float>& scores) {
    scores.resize(10);
    const std::vector<float> data = data_of(t);
    return MXPredSetInput(handles[t], "data", data.data(), 1024) == 0 && MXPredForward(handles[t]) == 0 &&
           MXPredGetOutput(handles[t], 0, scores.data(), 10) == 0;
  };
  for (int t = 0; t < kThreads; ++t) ASSERT_TRUE(predict(t, alone[t])) << MXGetLastError();
  EXPECT_NE(alone[0], alone[15]);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) EXPECT_TRUE(predict(t, together[t]));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(together, alone);
  for (PredictorHandle handle : handles) MXPredFree(handle);
  expect_error(MXPredCreateMultiThread(kSmall, nullptr, 0, 1, 0, 1, keys, indptr, shape, 0, handles),
               {"num_threads"});
}

TEST(NDList, ReadsArraysByName) {
  NDListHandle list = nullptr;
  mx_uint length = 0;
  ASSERT_EQ(MXNDListCreate(digits_params().data(), static_cast<int>(digits_params().size()), &list, &length),
            0)
      << MXGetLastError();
  ASSERT_GT(length, 2U);
  const char* key = nullptr;
  const float* data = nullptr;
  const mx_uint* shape = nullptr;
  mx_uint rank = 0;
  bool has_weight = false;
  for (mx_uint i = 0; i < length; ++i) {
    ASSERT_EQ(MXNDListGet(list, i, &key, &data, &shape, &rank), 0);
    EXPECT_EQ(std::string(key).substr(3, 1), ":") << key;
    EXPECT_NE(data, nullptr);
    has_weight = has_weight || (std::string(key).find("weight") != std::string::npos && rank >= 2);
  }
  EXPECT_TRUE(has_weight);
  expect_error(MXNDListGet(list, length, &key, &data, &shape, &rank), {"no array"});
  EXPECT_EQ(MXNDListFree(list), 0);
  expect_error(MXNDListCreate("nonsense", 8, &list, &length), {"MXNDListCreate"});
  expect_error(MXNDListCreate(nullptr, 8, &list, &length), {"nd_file_bytes"});
  expect_error(MXNDListGet(nullptr, 0, &key, &data, &shape, &rank), {"'handle' is NULL"});
}

}  // namespace
