// Models and predictors through the C interface.
#include <atomic>
#include <cstring>
#include <limits>
#include <thread>

#include "c_api/c_api_support.h"

namespace mxinfer_c_tests {
namespace {

const std::vector<std::int64_t> kShape = {2, 4};
const std::vector<float> kA = {1, 2, 3, 4, 5, 6, 7, 8};
const std::vector<float> kB = {10, 20, 30, 40, 50, 60, 70, 80};
const std::vector<float> kSum = {11, 22, 33, 44, 55, 66, 77, 88};

TEST(CModel, TellsWhatItTakesAndGives) {
  Model model;
  ASSERT_C_OK(mxinfer_model_load(digits().c_str(), nullptr, Out(model)));
  EXPECT_EQ(std::string(mxinfer_model_name(model.get())).rfind(digits(), 0), 0U);
  EXPECT_EQ(mxinfer_model_label_count(model.get()), 10U);
  EXPECT_STREQ(mxinfer_model_label(model.get(), 7), "seven");
  EXPECT_EQ(mxinfer_model_label(model.get(), 10), nullptr);
  EXPECT_EQ(mxinfer_model_warning(model.get(), mxinfer_model_warning_count(model.get())), nullptr);
  ASSERT_EQ(mxinfer_descs_count(mxinfer_model_inputs(model.get())), 1U);
  auto desc = sized<mxinfer_desc>();
  ASSERT_C_OK(mxinfer_descs_get(mxinfer_model_inputs(model.get()), 0, &desc));
  EXPECT_STREQ(desc.name, "data");
  EXPECT_EQ(desc.shape[0], -1);
  EXPECT_C_ERROR(mxinfer_descs_get(mxinfer_model_inputs(model.get()), 1, &desc), MXINFER_INVALID_ARGUMENT,
                 "there is no descriptor 1");
  auto memory = sized<mxinfer_memory>();
  ASSERT_C_OK(mxinfer_model_memory(model.get(), &memory));
  EXPECT_EQ(memory.workspaces, 0U);
}

TEST(CModel, SaysWhichInputsTakeNulls) {
  Options options;
  ASSERT_C_OK(mxinfer_options_create(Out(options)));
  ASSERT_C_OK(mxinfer_options_set(options.get(), "inputs",
                                  R"([{"name": "data", "shape": [-1, 1, 32, 32], "nullable": true}])"));
  Model model;
  ASSERT_C_OK(mxinfer_model_load(digits().c_str(), options.get(), Out(model)));
  auto desc = sized<mxinfer_desc>();
  ASSERT_C_OK(mxinfer_descs_get(mxinfer_model_inputs(model.get()), 0, &desc));
  EXPECT_EQ(desc.is_nullable, 1);
  // A program that was built before the member was there.
  desc.is_nullable = -7;
  desc.struct_size = offsetof(mxinfer_desc, is_nullable);
  ASSERT_C_OK(mxinfer_descs_get(mxinfer_model_inputs(model.get()), 0, &desc));
  EXPECT_EQ(desc.is_nullable, -7);
}

TEST(CModel, LoadsFilesMemoryAndArchives) {
  Model model;
  const std::string symbol_path = digits() + "/digits-symbol.json";
  const std::string params_path = digits() + "/digits-0000.params";
  const std::string symbol_text = read_bytes(symbol_path), params_bytes = read_bytes(params_path);
  ASSERT_FALSE(symbol_text.empty()) << symbol_path;
  EXPECT_C_OK(mxinfer_model_load_files(symbol_path.c_str(), params_path.c_str(), nullptr, Out(model)));
  EXPECT_C_OK(mxinfer_model_load_memory(symbol_text.data(), symbol_text.size(), params_bytes.data(),
                                        params_bytes.size(), nullptr, Out(model)));
  const std::string archive = read_bytes(MXINFER_SOURCE_DIR "/models/digits.mxz");
  EXPECT_C_OK(mxinfer_model_load_archive(archive.data(), archive.size(), nullptr, Out(model)));
  EXPECT_EQ(mxinfer_model_label_count(model.get()), 10U);
  EXPECT_C_ERROR(mxinfer_model_load_archive(archive.data(), archive.size() / 2, nullptr, Out(model)),
                 MXINFER_MALFORMED);
  EXPECT_C_ERROR(mxinfer_model_load_memory("{", 1, nullptr, 0, nullptr, Out(model)), MXINFER_MALFORMED);
  EXPECT_C_ERROR(mxinfer_model_load_memory(nullptr, 5, nullptr, 0, nullptr, Out(model)),
                 MXINFER_INVALID_ARGUMENT, "symbol_json");
}

struct MemorySource {
  std::string bytes;
  int released = 0;
  bool fails = false;

  mxinfer_source source() {
    auto result = sized<mxinfer_source>();
    result.user = this;
    result.bytes = static_cast<std::int64_t>(bytes.size());
    result.read = [](void* user, int64_t offset, size_t count, void* to, char* message, size_t size) {
      const auto* self = static_cast<MemorySource*>(user);
      if (self->fails) {
        std::strncpy(message, "the key is wrong", size);
        return static_cast<mxinfer_status>(MXINFER_NETWORK);
      }
      std::memcpy(to, self->bytes.data() + offset, count);
      return static_cast<mxinfer_status>(MXINFER_OK);
    };
    result.release = [](void* user) { ++static_cast<MemorySource*>(user)->released; };
    return result;
  }
};

TEST(CModel, ReadsSourcesOfTheProgram) {
  MemorySource symbol{R"json({"nodes": [{"op": "null", "name": "x", "inputs": []},
      {"op": "negative", "name": "y", "inputs": [[0, 0, 0]]}], "arg_nodes": [0], "heads": [[1, 0, 0]]})json"};
  MemorySource labels{"only\n"};
  const mxinfer_source symbol_source = symbol.source(), labels_source = labels.source();
  Model model;
  ASSERT_C_OK(
      mxinfer_model_load_sources(&symbol_source, nullptr, &labels_source, "vault", nullptr, Out(model)));
  EXPECT_STREQ(mxinfer_model_label(model.get(), 0), "only");
  EXPECT_NE(std::string(mxinfer_model_name(model.get())).find("vault"), std::string::npos);
  model.reset();
  EXPECT_EQ(symbol.released, 1);
  EXPECT_EQ(labels.released, 1);
  symbol.fails = true;
  EXPECT_C_ERROR(
      mxinfer_model_load_sources(&symbol_source, nullptr, &labels_source, "vault", nullptr, Out(model)),
      MXINFER_NETWORK, "the key is wrong");
  EXPECT_EQ(symbol.released, 2);
  EXPECT_EQ(labels.released, 2);
  EXPECT_C_ERROR(
      mxinfer_model_load_sources(nullptr, &symbol_source, &labels_source, "vault", nullptr, Out(model)),
      MXINFER_INVALID_ARGUMENT, "'symbol' is NULL");
  EXPECT_EQ(symbol.released, 3);
}

TEST(CPredictor, TakesInputsInOrderAndByName) {
  const Predictor predictor = add_predictor();
  mxinfer_tensor inputs[] = {tensor_of(kA.data(), kShape), tensor_of(kB.data(), kShape)};
  Tensors outputs;
  ASSERT_C_OK(mxinfer_predictor_predict(predictor.get(), inputs, 2, Out(outputs)));
  ASSERT_EQ(mxinfer_tensors_count(outputs.get()), 2U);
  const mxinfer_tensor sum = tensor_at(outputs, 0);
  EXPECT_STREQ(sum.name, "sum_output");
  EXPECT_EQ(sum.rank, 2);
  EXPECT_EQ(sum.dtype, MXINFER_FLOAT32);
  EXPECT_EQ(floats_of(sum), kSum);
  EXPECT_EQ(floats_of(tensor_at(outputs, 1))[7], 6400.0F);

  inputs[0] = tensor_of(kB.data(), kShape, "b");
  inputs[1] = tensor_of(kA.data(), kShape, "a");
  ASSERT_C_OK(mxinfer_predictor_predict(predictor.get(), inputs, 2, Out(outputs)));
  EXPECT_EQ(floats_of(tensor_at(outputs, 1))[7], 6400.0F);
  inputs[1].name = nullptr;
  EXPECT_C_ERROR(mxinfer_predictor_predict(predictor.get(), inputs, 2, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT, "1 of 2 tensors have names");
  inputs[1].name = "b";
  EXPECT_C_ERROR(mxinfer_predictor_predict(predictor.get(), inputs, 2, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT, "'b' is given twice");
  inputs[1].name = "c";
  EXPECT_C_ERROR(mxinfer_predictor_predict(predictor.get(), inputs, 2, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT, "c");
}

TEST(CPredictor, WritesIntoMemoryOfTheCaller) {
  const Predictor predictor = add_predictor();
  const mxinfer_tensor inputs[] = {tensor_of(kA.data(), kShape), tensor_of(kB.data(), kShape)};
  std::vector<float> sum(8), squared(8);
  mxinfer_tensor outputs[] = {tensor_of(sum.data(), kShape), tensor_of(squared.data(), kShape)};
  ASSERT_C_OK(mxinfer_predictor_predict_into(predictor.get(), inputs, 2, outputs, 2));
  EXPECT_EQ(sum, kSum);
  outputs[0] = tensor_of(squared.data(), kShape, "squared_output");
  outputs[1] = tensor_of(sum.data(), kShape, "sum_output");
  sum.assign(8, 0);
  ASSERT_C_OK(mxinfer_predictor_predict_into(predictor.get(), inputs, 2, outputs, 2));
  EXPECT_EQ(sum, kSum);
  outputs[1].name = "nothing";
  EXPECT_C_ERROR(mxinfer_predictor_predict_into(predictor.get(), inputs, 2, outputs, 2),
                 MXINFER_INVALID_ARGUMENT, "sum_output");
  EXPECT_C_ERROR(mxinfer_predictor_predict_into(predictor.get(), inputs, 2, outputs, 1),
                 MXINFER_INVALID_ARGUMENT);
  mxinfer_tensor none[] = {tensor_of(nullptr, kShape), tensor_of(nullptr, kShape)};
  EXPECT_C_ERROR(mxinfer_predictor_predict_into(predictor.get(), inputs, 2, none, 2),
                 MXINFER_INVALID_ARGUMENT, "memory to write to");
}

TEST(CPredictor, ShapesFlatArrays) {
  const Predictor predictor = add_predictor();
  const mxinfer_tensor inputs[] = {tensor_of(kA.data(), {8}), tensor_of(kB.data(), {8})};
  const std::vector<std::int64_t> eight = {8}, seven = {7};
  mxinfer_tensor flat[] = {inputs[0], inputs[1]};
  flat[0].shape = flat[1].shape = eight.data();
  Tensors outputs;
  ASSERT_C_OK(mxinfer_predictor_predict_flat(predictor.get(), flat, 2, Out(outputs)));
  EXPECT_EQ(tensor_at(outputs, 0).shape[0], 2);
  EXPECT_EQ(floats_of(tensor_at(outputs, 0)), kSum);
  flat[0].shape = seven.data();
  EXPECT_C_ERROR(mxinfer_predictor_predict_flat(predictor.get(), flat, 2, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT, "7");
  flat[0] = tensor_of(kA.data(), kShape);
  EXPECT_C_ERROR(mxinfer_predictor_predict_flat(predictor.get(), flat, 2, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT, "(2, 4)", "one dimension");
}

TEST(CPredictor, WrongTensorsSayWhatIsWrong) {
  const Predictor predictor = add_predictor();
  mxinfer_tensor inputs[] = {tensor_of(kA.data(), kShape), tensor_of(kB.data(), kShape)};
  Tensors outputs;
  const auto predict = [&] { return mxinfer_predictor_predict(predictor.get(), inputs, 2, Out(outputs)); };
  const auto wrong = [&](auto change, std::initializer_list<const char*> facts) {
    const mxinfer_tensor right = inputs[1];
    change(inputs[1]);
    EXPECT_EQ(predict(), MXINFER_INVALID_ARGUMENT);
    for (const char* fact : facts)
      EXPECT_NE(std::string(mxinfer_last_error()).find(fact), std::string::npos) << mxinfer_last_error();
    inputs[1] = right;
  };
  const std::vector<std::int64_t> negative = {2, -4}, huge = {std::numeric_limits<std::int64_t>::max(), 4};
  wrong([](mxinfer_tensor& t) { t.dtype = 99; }, {"dtype 99"});
  wrong([](mxinfer_tensor& t) { t.dtype = MXINFER_INT32; }, {"int32", "float32"});
  wrong([](mxinfer_tensor& t) { t.rank = -1; }, {"rank -1"});
  wrong([](mxinfer_tensor& t) { t.rank = 17; }, {"rank 17"});
  wrong([](mxinfer_tensor& t) { t.shape = nullptr; }, {"NULL"});
  wrong([](mxinfer_tensor& t) { t.data = nullptr; }, {"data", "NULL"});
  wrong([&](mxinfer_tensor& t) { t.shape = negative.data(); }, {"-4"});
  wrong([&](mxinfer_tensor& t) { t.shape = huge.data(); }, {});
  inputs[1].device_type = 2;
  EXPECT_C_ERROR(predict(), MXINFER_UNSUPPORTED, "device type 2");
  inputs[1].device_type = 1;
  EXPECT_C_OK(predict());
  EXPECT_C_ERROR(mxinfer_predictor_predict(predictor.get(), inputs, 1, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT);
  EXPECT_C_ERROR(mxinfer_predictor_predict(predictor.get(), nullptr, 2, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT, "'inputs' is NULL");
}

TEST(CPredictor, TellsItsShapesPlansAndCounters) {
  const Predictor predictor = add_predictor();
  const std::vector<std::int64_t> batch = {3, 4};
  mxinfer_shape shapes[] = {sized<mxinfer_shape>(), sized<mxinfer_shape>()};
  shapes[0].name = "a";
  shapes[1].name = "b";
  for (mxinfer_shape& shape : shapes) {
    shape.shape = batch.data();
    shape.rank = 2;
  }
  Descs descs;
  ASSERT_C_OK(mxinfer_predictor_output_shapes(predictor.get(), shapes, 2, Out(descs)));
  auto desc = sized<mxinfer_desc>();
  ASSERT_C_OK(mxinfer_descs_get(descs.get(), 0, &desc));
  EXPECT_EQ(desc.shape[0], 3);
  ASSERT_C_OK(mxinfer_predictor_input_shapes(predictor.get(), nullptr, 0, Out(descs)));
  ASSERT_C_OK(mxinfer_descs_get(descs.get(), 1, &desc));
  EXPECT_STREQ(desc.name, "b");
  EXPECT_EQ(desc.shape[0], 1);
  ASSERT_C_OK(mxinfer_predictor_warmup(predictor.get(), shapes, 2));
  char* text = nullptr;
  ASSERT_C_OK(mxinfer_predictor_explain(predictor.get(), shapes, 2, &text));
  EXPECT_NE(std::string(text).find("elemwise_add"), std::string::npos) << text;
  mxinfer_text_free(text);
  auto stats = sized<mxinfer_stats>();
  ASSERT_C_OK(mxinfer_predictor_stats(predictor.get(), &stats));
  EXPECT_EQ(stats.plans, 1U);
  auto metrics = sized<mxinfer_call_metrics>();
  ASSERT_C_OK(mxinfer_predictor_metrics(predictor.get(), &metrics));
  EXPECT_EQ(metrics.done, 1U);
  auto memory = sized<mxinfer_memory>();
  ASSERT_C_OK(mxinfer_predictor_memory(predictor.get(), &memory));
  EXPECT_GT(memory.plans, 0U);
  ASSERT_C_OK(mxinfer_predictor_prometheus(predictor.get(), "model=\"add\"", 1, &text));
  EXPECT_NE(std::string(text).find("mxinfer_calls_total{model=\"add\""), std::string::npos) << text;
  EXPECT_NE(std::string(text).find("mxinfer_memory_bytes{model=\"add\""), std::string::npos) << text;
  mxinfer_text_free(text);
  std::uint64_t bytes = 1;
  EXPECT_C_OK(mxinfer_predictor_trim(predictor.get(), &bytes));
  EXPECT_EQ(bytes, memory.idle_workspaces);
  shapes[1].name = "c";
  EXPECT_C_ERROR(mxinfer_predictor_warmup(predictor.get(), shapes, 2), MXINFER_INVALID_ARGUMENT, "'c'");
}

TEST(CPredictor, ModelsAndCopiesOutliveOneAnother) {
  Predictor predictor = add_predictor(), copy;
  ASSERT_C_OK(mxinfer_predictor_share(predictor.get(), Out(copy)));
  predictor.reset();
  Model model;
  ASSERT_C_OK(mxinfer_predictor_model(copy.get(), Out(model)));
  Tensors outputs;
  const mxinfer_tensor inputs[] = {tensor_of(kA.data(), kShape), tensor_of(kB.data(), kShape)};
  ASSERT_C_OK(mxinfer_predictor_predict(copy.get(), inputs, 2, Out(outputs)));
  copy.reset();
  EXPECT_EQ(floats_of(tensor_at(outputs, 0)), kSum);
  EXPECT_EQ(mxinfer_descs_count(mxinfer_model_inputs(model.get())), 2U);
}

TEST(CPredictor, SettingsOfImagesAreNotForIt) {
  const Options options = make_options({{"preset", "imagenet"}});
  Predictor predictor;
  EXPECT_C_ERROR(mxinfer_predictor_create(add_model().get(), options.get(), Out(predictor)),
                 MXINFER_INVALID_ARGUMENT, "preset", "a Predictor");
}

TEST(CPredictor, SixteenThreadsUseOne) {
  const Predictor predictor = add_predictor();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&, t] {
      const std::vector<float> mine(8, static_cast<float>(t));
      const mxinfer_tensor inputs[] = {tensor_of(kA.data(), kShape), tensor_of(mine.data(), kShape)};
      for (int i = 0; i < 200; ++i) {
        mxinfer_tensors* outputs = nullptr;
        auto sum = sized<mxinfer_tensor>();
        if (mxinfer_predictor_predict(predictor.get(), inputs, 2, &outputs) != MXINFER_OK ||
            mxinfer_tensors_get(outputs, 0, &sum) != MXINFER_OK ||
            static_cast<const float*>(sum.data)[3] != 4.0F + static_cast<float>(t)) {
          ++wrong;
        }
        mxinfer_tensors_free(outputs);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace mxinfer_c_tests
