// What holds for every function: no argument brings the program down, structs of other sizes are understood,
// errors belong to their thread.
#include <dlfcn.h>

#include <filesystem>
#include <regex>
#include <set>
#include <thread>

#include "c_api/c_api_support.h"

namespace mxinfer_c_tests {
namespace {

std::set<std::string> declared_functions() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(MXINFER_SOURCE_DIR "/include/mxinfer_c")) {
    const std::string text = read_bytes(entry.path());
    const std::regex declaration(R"(MXINFER_C_API[^;(]*?\b(mxinfer_\w+)\s*\()");
    for (std::sregex_iterator it(text.begin(), text.end(), declaration), end; it != end; ++it)
      names.insert((*it)[1]);
  }
  return names;
}

TEST(Interface, WhatIsDeclaredIsExported) {
  void* const library = dlopen(MXINFER_C_LIBRARY, RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  const std::set<std::string> functions = declared_functions();
  EXPECT_GT(functions.size(), 100U);
  for (const std::string& name : functions) {
    EXPECT_NE(dlvsym(library, name.c_str(), "MXINFER_C_1"), nullptr) << name;
  }
  dlclose(library);
}

TEST(Interface, NullsAreErrorsOrNothing) {
  void* const library = dlopen(MXINFER_C_LIBRARY, RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  // Arguments are all pointers and integers, so that nine zeros are arguments of any of them.
  using Function =
      std::intptr_t (*)(std::intptr_t, std::intptr_t, std::intptr_t, std::intptr_t, std::intptr_t,
                        std::intptr_t, std::intptr_t, std::intptr_t, std::intptr_t);
  int statuses = 0;
  for (const std::string& name : declared_functions()) {
    SCOPED_TRACE(name);
    const auto function = reinterpret_cast<Function>(dlsym(library, name.c_str()));
    const auto result = static_cast<std::int32_t>(function(0, 0, 0, 0, 0, 0, 0, 0, 0));
    if (result != MXINFER_INVALID_ARGUMENT) continue;
    EXPECT_EQ(mxinfer_last_status(), MXINFER_INVALID_ARGUMENT);
    EXPECT_NE(std::string(mxinfer_last_error()).find("NULL"), std::string::npos) << mxinfer_last_error();
    ++statuses;
  }
  EXPECT_GT(statuses, 60);
  dlclose(library);
}

TEST(Interface, StructsOfAnOlderProgramAreLeftAsTheyAre) {
  const Model model = add_model();
  // A program that knows only name and shape of a descriptor.
  auto desc = sized<mxinfer_desc>();
  desc.struct_size = offsetof(mxinfer_desc, rank);
  desc.rank = -77;
  desc.layout = "mine";
  ASSERT_C_OK(mxinfer_descs_get(mxinfer_model_inputs(model.get()), 0, &desc));
  EXPECT_STREQ(desc.name, "a");
  EXPECT_EQ(desc.shape[1], 4);
  EXPECT_EQ(desc.rank, -77);
  EXPECT_STREQ(desc.layout, "mine");
  EXPECT_EQ(desc.struct_size, offsetof(mxinfer_desc, rank));
}

TEST(Interface, StructsOfANewerProgramAreTaken) {
  // With a member more than this library knows, in arrays too.
  struct NewTensor {
    mxinfer_tensor tensor;
    double more;
  };
  const Model model = add_model();
  Predictor predictor;
  ASSERT_C_OK(mxinfer_predictor_create(model.get(), nullptr, Out(predictor)));
  const std::vector<float> a = {1, 2, 3, 4}, b = {10, 20, 30, 40};
  const std::vector<std::int64_t> shape = {1, 4};
  NewTensor inputs[2] = {{tensor_of(a.data(), shape), 7}, {tensor_of(b.data(), shape), 7}};
  for (NewTensor& input : inputs) input.tensor.struct_size = sizeof input;
  Tensors outputs;
  ASSERT_C_OK(mxinfer_predictor_predict(predictor.get(), &inputs[0].tensor, 2, Out(outputs)));
  EXPECT_EQ(floats_of(tensor_at(outputs, 0)), (std::vector<float>{11, 22, 33, 44}));
}

TEST(Interface, SizesThatMakeNoSenseAreErrors) {
  const Model model = add_model();
  mxinfer_desc desc{};
  EXPECT_C_ERROR(mxinfer_descs_get(mxinfer_model_inputs(model.get()), 0, &desc), MXINFER_INVALID_ARGUMENT,
                 "struct_size is 0", "sizeof");
  mxinfer_tensor inputs[2] = {sized<mxinfer_tensor>(), sized<mxinfer_tensor>()};
  inputs[1].struct_size += 8;
  Predictor predictor;
  ASSERT_C_OK(mxinfer_predictor_create(model.get(), nullptr, Out(predictor)));
  Tensors outputs;
  EXPECT_C_ERROR(mxinfer_predictor_predict(predictor.get(), inputs, 2, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT, "element 1", "must be the same");
}

TEST(Interface, ErrorsBelongToTheirThread) {
  mxinfer_model* model = nullptr;
  EXPECT_C_ERROR(mxinfer_model_load("/nowhere/model", nullptr, &model), MXINFER_NOT_FOUND, "/nowhere/model");
  EXPECT_EQ(model, nullptr);
  std::thread([] {
    EXPECT_EQ(mxinfer_last_status(), MXINFER_OK);
    EXPECT_STREQ(mxinfer_last_error(), "");
  }).join();
  EXPECT_EQ(mxinfer_last_status(), MXINFER_NOT_FOUND);
  // What goes well leaves the last error.
  char* build = nullptr;
  EXPECT_C_OK(mxinfer_build_info(&build));
  EXPECT_NE(std::string(build).find("\"version\":\""), std::string::npos) << build;
  mxinfer_text_free(build);
  EXPECT_EQ(mxinfer_last_status(), MXINFER_NOT_FOUND);
}

TEST(Interface, NamesOfNumbers) {
  EXPECT_STREQ(mxinfer_status_name(MXINFER_OK), "ok");
  EXPECT_STREQ(mxinfer_status_name(MXINFER_TOO_MANY_REQUESTS), "too_many_requests");
  EXPECT_STREQ(mxinfer_status_name(MXINFER_INTERNAL), "internal");
  EXPECT_STREQ(mxinfer_status_name(1234), "unknown");
  EXPECT_STREQ(mxinfer_dtype_name(MXINFER_BFLOAT16), "bfloat16");
  EXPECT_STREQ(mxinfer_dtype_name(99), "unknown");
  EXPECT_EQ(mxinfer_dtype_size(MXINFER_INT64), 8U);
  EXPECT_EQ(mxinfer_dtype_size(-1), 0U);
  EXPECT_EQ(mxinfer_c_abi_version(), MXINFER_C_ABI_VERSION);
}

TEST(Interface, OptionsAreDescribed) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < mxinfer_options_known(); ++i) {
    auto info = sized<mxinfer_option_info>();
    ASSERT_C_OK(mxinfer_options_describe(i, &info));
    names.insert(info.name);
    EXPECT_STRNE(info.help, "");
  }
  EXPECT_EQ(names.count("threads"), 1U);
  EXPECT_EQ(names.count("max_delay"), 1U);
  auto info = sized<mxinfer_option_info>();
  EXPECT_C_ERROR(mxinfer_options_describe(names.size(), &info), MXINFER_INVALID_ARGUMENT,
                 "there is no option");
  const Options options = make_options({});
  EXPECT_C_ERROR(mxinfer_options_set(options.get(), "thread", "4"), MXINFER_INVALID_ARGUMENT,
                 "did you mean 'threads'?");
  EXPECT_C_ERROR(mxinfer_options_set(options.get(), "precision", "float8"), MXINFER_INVALID_ARGUMENT,
                 "float32, bfloat16, tf32 or float16");
  for (const char* name : {"bf16", "half", "fp16", "fp32", "float"})
    EXPECT_C_OK(mxinfer_options_set(options.get(), "precision", name));
  EXPECT_C_OK(mxinfer_options_set(options.get(), "device", "gpu:0"));
  EXPECT_C_ERROR(mxinfer_options_set(options.get(), "threads", "many"), MXINFER_INVALID_ARGUMENT, "'many'");
}

std::vector<std::string>& logged() {
  static std::vector<std::string> messages;
  return messages;
}

TEST(Interface, LogsToACallback) {
  int marker = 0;
  ASSERT_C_OK(mxinfer_set_log_callback(
      [](int32_t level, const char* message, void* user) {
        EXPECT_GE(level, MXINFER_LOG_INFO);
        ++*static_cast<int*>(user);
        logged().emplace_back(message);
      },
      &marker, MXINFER_LOG_INFO));
  Model model;
  ASSERT_C_OK(mxinfer_model_load(digits().c_str(), nullptr, Out(model)));
  ASSERT_C_OK(mxinfer_set_log_callback(nullptr, nullptr, MXINFER_LOG_INFO));
  EXPECT_GT(marker, 0);
  const std::size_t count = logged().size();
  ASSERT_C_OK(mxinfer_model_load(digits().c_str(), nullptr, Out(model)));
  EXPECT_EQ(logged().size(), count);
  EXPECT_C_ERROR(mxinfer_set_log_callback(nullptr, nullptr, 9), MXINFER_INVALID_ARGUMENT, "log level 9");
}

}  // namespace
}  // namespace mxinfer_c_tests
