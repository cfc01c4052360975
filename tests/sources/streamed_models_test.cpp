// Models that are used while their files come.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sources/digest.h"
#include "support/expect_error.h"
#include "support/files/params_writer.h"
#include "support/files/temp_dir.h"
#include "support/run_op.h"
#include "support/servers/http_server.h"

namespace mxinfer {
namespace {

using test::HttpServer;
using test::TempDir;

constexpr int kLayers = 5;
constexpr std::int64_t kUnits = 1024;

/// Layers of 4 MiB each, in the order of the network: parts of 8 MiB end inside of arrays.
std::string large_symbol() {
  std::string nodes = R"({"op":"null","name":"data","inputs":[]})";
  std::string arguments = "0";
  int last = 0, next = 1;
  for (int i = 0; i < kLayers; ++i) {
    const std::string name = "fc" + std::to_string(i);
    nodes += R"(,{"op":"null","name":")" + name + R"(_weight","inputs":[]})" + R"(,{"op":"null","name":")" +
             name + R"(_bias","inputs":[]})" + R"(,{"op":"FullyConnected","name":")" + name +
             R"(","attrs":{"num_hidden":"1024"},"inputs":[[)" + std::to_string(last) + ",0,0],[" +
             std::to_string(next) + ",0,0],[" + std::to_string(next + 1) + ",0,0]]}";
    arguments += "," + std::to_string(next) + "," + std::to_string(next + 1);
    last = next + 2;
    next += 3;
  }
  return R"({"nodes":[)" + nodes + R"(],"arg_nodes":[)" + arguments + R"(],"heads":[[)" +
         std::to_string(last) + ",0,0]]}";
}

test::Record random_record(const test::Dims& dims, unsigned seed) {
  Shape shape;
  for (const std::int64_t dim : dims) shape.push_back(dim);
  const Tensor values = test::random_tensor(shape, seed, -0.05F, 0.05F);
  const auto* first = reinterpret_cast<const std::byte*>(values.data<float>());
  return test::dense_v2(DType::float32, dims, {first, first + values.bytes()});
}

std::string large_params(unsigned seed = 1) {
  test::ParamsWriter writer;
  for (int i = 0; i < kLayers; ++i) {
    const std::string name = "arg:fc" + std::to_string(i);
    writer.add(name + "_weight", random_record({kUnits, kUnits}, seed++));
    writer.add(name + "_bias", random_record({kUnits}, seed++));
  }
  const std::vector<std::byte> bytes = writer.finish();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class StreamedModels : public testing::Test {
 protected:
  StreamedModels() {
    server.files["/large-symbol.json"] = large_symbol();
    server.files["/large-0000.params"] = large_params();
    server.faults.hold_above = 1 << 20;
    options.remote.cache_folder = folder / "copies";
    options.remote.retries = 1;
    options.inputs = {{"data", {-1, kUnits}}};
  }

  Model load() const { return Model::load(server.address("/large"), options); }

  static std::vector<float> scores(const Model& model) {
    const Tensor input = test::random_tensor({2, kUnits}, 77);
    const std::vector<Tensor> outputs = Predictor(model).predict({input});
    const Tensor& output = outputs.front();
    return {output.data<float>(), output.data<float>() + output.elements()};
  }

  std::vector<float> expected() {
    const Span<const char> symbol(server.files["/large-symbol.json"]);
    const Span<const char> params(server.files["/large-0000.params"]);
    LoadOptions local;
    local.inputs = options.inputs;
    return scores(Model::load_memory(symbol, params, local));
  }

  std::vector<std::string> in_cache(const std::string& ending) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(options.remote.cache_folder)) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(ending) || name.starts_with(ending)) names.push_back(name);
    }
    return names;
  }

  TempDir folder;
  HttpServer server;
  LoadOptions options;
};

TEST_F(StreamedModels, AreThereBeforeTheirWeights) {
  const Model model = load();  // nothing of the large parts has been sent
  EXPECT_EQ(model.signature().inputs.size(), 1U);
  EXPECT_EQ(in_cache(".data").size(), 1U) << "the symbol";
  server.release();
  EXPECT_EQ(scores(model), expected());
}

TEST_F(StreamedModels, AreKeptWhenAllHasCome) {
  server.release();
  EXPECT_EQ(scores(load()), expected());
  server.forget_requests();
  EXPECT_EQ(scores(load()), expected());
  EXPECT_EQ(server.count("If-None-Match"), 2);
  EXPECT_EQ(in_cache(".data").size(), 2U);
  EXPECT_TRUE(in_cache("fetching-").empty());
}

TEST_F(StreamedModels, AreKeptNowhereIfTheCallerSaysSo) {
  options.remote.cache = CachePolicy::none;
  const Model model = load();
  server.release();
  EXPECT_EQ(scores(model), expected());
  EXPECT_FALSE(std::filesystem::exists(options.remote.cache_folder));
}

TEST_F(StreamedModels, EndTheirFetchWithTheModel) {
  { const Model model = load(); }
  EXPECT_TRUE(in_cache("fetching-").empty());
  EXPECT_EQ(in_cache(".data").size(), 1U);
  server.release();
  EXPECT_EQ(scores(load()), expected()) << "the lock went with it";
}

TEST_F(StreamedModels, ThatBreakOffAreErrorsOfThePrediction) {
  const Model model = load();
  server.faults.cut_after = 1;
  server.faults.has_ranges = false;
  server.release();
  EXPECT_MXINFER_ERROR(scores(model), ErrorCode::network, {"large-0000.params"});
  EXPECT_MXINFER_ERROR(scores(model), ErrorCode::network, {"large-0000.params"});
  EXPECT_EQ(in_cache(".data").size(), 1U);
  server.faults.cut_after = 0;
  EXPECT_EQ(scores(load()), expected());
}

TEST_F(StreamedModels, ThatAreBrokenOffAgainAndAgainCome) {
  server.faults.cut_after = 300'000;
  server.release();
  EXPECT_EQ(scores(load()), expected());
  EXPECT_GT(server.count("If-Range"), 20);
}

TEST_F(StreamedModels, ThatChangeMeanwhileAreNotMixed) {
  const Model model = load();
  const std::vector<float> before = expected();
  server.files["/large-0000.params"] = large_params(100);
  server.release();
  // The parts that were asked for before are the old file's, the others are not.
  EXPECT_MXINFER_ERROR(scores(model), ErrorCode::network, {"changed while it was fetched", "load it again"});
  const std::vector<float> after = scores(load());
  EXPECT_NE(after, before);
  EXPECT_EQ(after, expected());
}

TEST_F(StreamedModels, ComeFromServersWithoutRangesToo) {
  server.faults.has_ranges = false;
  server.faults.hold_above = 0;
  EXPECT_EQ(scores(load()), expected());
}

TEST_F(StreamedModels, AreWholeIfTheyAreToBeReadAtOnce) {
  server.faults.hold_above = 0;
  options.read_weights_at_once = true;
  const Model model = load();
  server.files.clear();
  EXPECT_EQ(in_cache(".data").size(), 2U);
}

TEST_F(StreamedModels, AreCheckedBeforeTheyAreRead) {
  server.release();
  options.sha256 = {sources::sha256_hex(server.files["/large-symbol.json"]),
                    sources::sha256_hex(server.files["/large-0000.params"])};
  EXPECT_EQ(scores(load()), expected());
  server.faults.flip_byte = 9'000'000;
  options.remote.cache = CachePolicy::refresh;
  EXPECT_MXINFER_ERROR(load(), ErrorCode::malformed, {"SHA-256"});
}

TEST_F(StreamedModels, AreFetchedOnceByManyThreads) {
  server.release();
  const std::vector<float> wanted = expected();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { EXPECT_EQ(scores(load()), wanted); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(in_cache(".data").size(), 2U);
}

TEST_F(StreamedModels, AreRefusedInChildrenThatCannotHaveThem) {
  const Model model = load();
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 1;
    try {
      static_cast<void>(scores(model));
    } catch (const Error& e) {
      code = std::string(e.what()).find("read_weights_at_once") != std::string::npos ? 7 : 2;
    }
    ::_exit(code);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  server.release();
  EXPECT_EQ(scores(model), expected());
}

}  // namespace
}  // namespace mxinfer
