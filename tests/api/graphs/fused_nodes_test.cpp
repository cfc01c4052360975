// Nodes that MXNet fused for oneDNN, with subgraphs that MXNet does not write: each is an error that says
// what is wrong, or runs.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "support/expect_error.h"
#include "support/files/golden_npz.h"
#include "support/networks/golden_graphs.h"

namespace mxinfer {
namespace {

using Json = nlohmann::json;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Files {
  Json symbol;
  std::string params;
};

Files files_of(const std::string& name) {
  const auto folder = test::quantized_graphs_folder();
  return {Json::parse(text_of(folder / (name + "-symbol.json"))), text_of(folder / (name + "-0000.params"))};
}

Json& node_of(Json& symbol, const std::string& name) {
  for (Json& node : symbol.at("nodes")) {
    if (node.at("name") == name) return node;
  }
  throw std::runtime_error("no node " + name);
}

Model load(const std::string& symbol, const std::string& params) {
  const auto bytes = [](const std::string& text) {
    return ByteSpan(reinterpret_cast<const std::byte*>(text.data()), text.size());
  };
  return Model::load_memory(bytes(symbol), bytes(params));
}

// With what is recorded for its inputs.
void predict(const Model& model, const std::string& name) {
  const auto golden = test::read_golden(test::quantized_graphs_folder() / (name + ".npz"));
  std::vector<TensorView> inputs;
  for (const DataDesc& desc : model.signature().inputs) {
    const auto found = golden.inputs.find(desc.name);
    if (found != golden.inputs.end()) inputs.push_back(found->second.view());
  }
  (void)Predictor(model).predict(Span<const TensorView>(inputs));
}

class FusedNodes : public ::testing::Test {
 protected:
  Files files_ = files_of("fused_residuals");
  Json& node() { return node_of(files_.symbol, "ru_after"); }
  Json& subgraph() { return node().at("subgraphs").at(0); }
  Model load_changed() { return load(files_.symbol.dump(), files_.params); }
};

TEST_F(FusedNodes, LoadAsTheyAre) {
  EXPECT_NO_THROW(load_changed());
}

TEST_F(FusedNodes, NeedASubgraph) {
  node().erase("subgraphs");
  EXPECT_MXINFER_ERROR(load_changed(), ErrorCode::malformed, {"'ru_after'", "0 subgraphs"});
}

TEST_F(FusedNodes, HaveOneSubgraph) {
  node().at("subgraphs").push_back(subgraph());
  EXPECT_MXINFER_ERROR(load_changed(), ErrorCode::malformed, {"'ru_after'", "2 subgraphs"});
}

TEST_F(FusedNodes, HoldNoOtherOperators) {
  node_of(subgraph(), "after").at("op") = "sigmoid";
  node_of(subgraph(), "after").erase("attrs");
  EXPECT_MXINFER_ERROR(load_changed(), ErrorCode::malformed,
                       {"'ru_after'", "'after' (sigmoid)", "get_backend_symbol"});
}

TEST_F(FusedNodes, HoldNoActivationThatMxnetDoesNotFuse) {
  node_of(subgraph(), "after").at("attrs").at("act_type") = "softsign";
  EXPECT_MXINFER_ERROR(load_changed(), ErrorCode::unsupported, {"'ru_after'", "'after'", "8-bit"});
}

TEST_F(FusedNodes, HoldNoFusedNodes) {
  Json inner = node();
  inner.at("name") = "inner";
  inner.at("inputs") = Json::array();
  for (int i = 0; i < 11; ++i) inner.at("inputs").push_back({0, 0, 0});
  subgraph().at("nodes").push_back(inner);
  subgraph().at("heads") = {{subgraph().at("nodes").size() - 1, 0, 0}};
  EXPECT_MXINFER_ERROR(load_changed(), ErrorCode::malformed, {"'ru_after'", "'inner'"});
}

TEST_F(FusedNodes, StateTheirFlags) {
  node().at("attrs").erase("with_sum");
  EXPECT_MXINFER_ERROR(load_changed(), ErrorCode::malformed, {"'ru_after'", "with_sum is false", "addition"});
}

TEST_F(FusedNodes, TakeInputsInOrder) {
  node_of(subgraph(), "bn").at("inputs").at(1) = {5, 0, 0};
  node_of(subgraph(), "bn").at("inputs").at(2) = {4, 0, 0};
  EXPECT_MXINFER_ERROR(load_changed(), ErrorCode::malformed, {"'ru_after'", "input 4", "as input 3"});
}

TEST_F(FusedNodes, CountTheirInputs) {
  node().at("inputs").erase(node().at("inputs").size() - 1);
  EXPECT_MXINFER_ERROR(load_changed(), ErrorCode::malformed, {"'ru_after'", "11 inputs", "expected 12"});
}

TEST_F(FusedNodes, HaveFiniteRanges) {
  node().at("attrs").at("min_calib_range") = "nan";
  EXPECT_MXINFER_ERROR(predict(load_changed(), "fused_residuals"), ErrorCode::malformed,
                       {"'ru_after'", "min_calib_range", "finite"});
}

// Of the right name, with another dtype or size.
TEST(FusedRows, NeedInt8Weights) {
  Files files = files_of("fused_rows");
  node_of(files.symbol, "u_float").at("attrs")["channel_wise_quantize"] = "True";
  Json& inputs = node_of(files.symbol, "u_float").at("inputs");
  inputs.erase(inputs.begin() + 5, inputs.end());
  EXPECT_MXINFER_ERROR(predict(load(files.symbol.dump(), files.params), "fused_rows"),
                       ErrorCode::invalid_argument, {"'u_float'", "weight is int8", "expected float32"});
}

// Any change of a file is an error or another network, never a crash.
TEST(FusedNodesFuzz, ChangedFilesAreErrorsOrRun) {
  for (const char* name : {"fused_residuals", "fused_rows", "network_auto", "network_positive"}) {
    const Files files = files_of(name);
    const std::string text = files.symbol.dump();
    std::mt19937 random(7);
    for (int i = 0; i < 150; ++i) {
      std::string changed = text;
      // A digit, so that most files still are JSON.
      for (int k = 0; k < 3; ++k) {
        std::size_t at = random() % changed.size();
        for (std::size_t n = 0;
             n < changed.size() && std::isdigit(static_cast<unsigned char>(changed[at])) == 0; ++n)
          at = (at + 1) % changed.size();
        changed[at] = static_cast<char>('0' + random() % 10);
      }
      try {
        predict(load(changed, files.params), name);
      } catch (const Error& e) {
        EXPECT_NE(e.code(), ErrorCode::internal) << e.what();
      }
    }
  }
}

}  // namespace
}  // namespace mxinfer
