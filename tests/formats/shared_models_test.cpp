// Real models of every era, if a folder of them is at hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/fail.h"
#include "formats/arrays/bind_params.h"
#include "formats/arrays/npz.h"
#include "formats/arrays/params.h"
#include "formats/files/model_files.h"
#include "formats/json/symbol_json.h"
#include "ops/op_def.h"
#include "sources/source.h"

namespace mxinfer::formats {
namespace {

namespace fs = std::filesystem;

class SharedModels : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("MXINFER_SHARED_DIR");
    if (folder == nullptr || !fs::is_directory(fs::path(folder) / "models")) {
      GTEST_SKIP()
          << "MXINFER_SHARED_DIR is not set to a folder with models/: real model files are NOT tested";
    }
    models_ = fs::path(folder) / "models";
  }
  fs::path models_;
};

ParsedSymbol parse_file(const fs::path& path) {
  return parse_symbol(sources::read_text(*sources::open_file(path.string())));
}

TEST_F(SharedModels, EveryModelIsReadAndItsParametersBind) {
  for (const auto& entry : fs::directory_iterator(models_)) {
    if (!fs::exists(entry.path() / "model-symbol.json")) continue;
    SCOPED_TRACE(entry.path().filename().string());
    const ModelFiles files = find_model(entry.path().string(), {});
    ParsedSymbol symbol = parse_file(files.symbol);
    std::vector<std::string> warnings;
    auto params = read_params(*sources::open_file(files.params), {}, &warnings);
    EXPECT_TRUE(warnings.empty());
    bind_params(symbol.graph, as_parameters(std::move(params)));
    std::size_t bound = 0;
    for (const auto& node : symbol.graph.nodes) bound += node.constant != nullptr;
    EXPECT_GT(bound, 0u);
  }
}

TEST_F(SharedModels, ArraysOfEveryEraAreWhatMxnetLoads) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(models_ / "legacy/nd")) {
    if (entry.path().extension() == ".npz") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const auto expected = load_npz(entry.path().string() + ".npz");
    const auto arrays = read_params(*sources::open_file(entry.path().string()));
    ++files;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      const std::string name = arrays[i].name.empty() ? std::to_string(i) : arrays[i].name;
      const auto same = std::find_if(expected.begin(), expected.end(),
                                     [&](const NamedArray& array) { return array.name == name; });
      ASSERT_NE(same, expected.end()) << name;
      EXPECT_EQ(arrays[i].tensor.dtype(), same->tensor.dtype()) << name;
      ASSERT_EQ(arrays[i].tensor.shape(), same->tensor.shape()) << name;
      EXPECT_EQ(std::memcmp(arrays[i].tensor.raw(), same->tensor.raw(), same->tensor.bytes()), 0) << name;
    }
    // The record also holds the parts of sparse arrays, under names with a slash.
    const auto whole = std::count_if(expected.begin(), expected.end(), [](const NamedArray& array) {
      return array.name.find('/') == std::string::npos;
    });
    EXPECT_EQ(static_cast<std::ptrdiff_t>(arrays.size()), whole);
  }
  EXPECT_GT(files, 0u);
}

// The variables that the outputs need, depth first, as MXNet lists them.
void list_variables(const graph::Graph& graph, std::int32_t id, std::vector<bool>& seen,
                    std::vector<std::int32_t>& variables) {
  if (seen[static_cast<std::size_t>(id)]) return;
  seen[static_cast<std::size_t>(id)] = true;
  const graph::Node& node = graph.nodes[static_cast<std::size_t>(id)];
  for (graph::Value input : node.inputs) list_variables(graph, input.node, seen, variables);
  if (node.is_variable()) variables.push_back(id);
}

struct Listing {
  std::vector<std::string> arguments, auxiliary, outputs;
};

Listing list(const graph::Graph& graph) {
  Listing listing;
  std::vector<bool> seen(graph.nodes.size()), auxiliary(graph.nodes.size());
  std::vector<std::int32_t> variables;
  for (graph::Value head : graph.heads) {
    list_variables(graph, head.node, seen, variables);
    listing.outputs.push_back(ops::output_name(graph, head));
  }
  for (const graph::Node& node : graph.nodes) {
    if (node.op == nullptr) continue;
    const auto ports = ops::input_ports(*node.op, node.attrs).names;
    for (std::size_t i = 0; i < node.inputs.size() && i < ports.size(); ++i) {
      const auto& names = node.op->auxiliary;
      if (std::find(names.begin(), names.end(), ports[i]) == names.end()) continue;
      auxiliary[static_cast<std::size_t>(node.inputs[i].node)] = true;
    }
  }
  for (std::int32_t id : variables) {
    const auto index = static_cast<std::size_t>(id);
    (auxiliary[index] ? listing.auxiliary : listing.arguments).push_back(graph.nodes[index].name);
  }
  return listing;
}

// Names, operators, inputs and the attributes that operators have, without annotations.
std::string structure(graph::Graph graph) {
  for (graph::Node& node : graph.nodes) {
    if (node.is_variable()) node.raw_attrs.clear();
    if (node.op != nullptr) node.op_name = node.op->name;  // the file may use an alias
    std::erase_if(node.raw_attrs, [](const auto& entry) { return entry.first.starts_with("__"); });
  }
  return graph::dump(graph);
}

TEST_F(SharedModels, SymbolsOfEveryEraAreWhatMxnetMakesOfThem) {
  std::size_t compared = 0;
  for (const auto& entry : fs::directory_iterator(models_ / "legacy/sym")) {
    if (entry.path().extension() != ".mxnet191") continue;
    const auto seen = nlohmann::json::parse(sources::read_text(*sources::open_file(entry.path().string())));
    fs::path path = entry.path();
    SCOPED_TRACE(path.filename().string());
    const ParsedSymbol symbol = parse_file(path.replace_extension(".json"));
    if (const auto missing = unsupported_ops(symbol.graph); !missing.empty()) {
      std::printf("NOT compared: %s needs %s\n", path.filename().c_str(), missing[0].op.c_str());
      continue;
    }
    ++compared;
    const Listing listing = list(symbol.graph);
    EXPECT_EQ(listing.arguments, seen["arguments"].get<std::vector<std::string>>());
    EXPECT_EQ(listing.auxiliary, seen["aux"].get<std::vector<std::string>>());
    EXPECT_EQ(listing.outputs, seen["outputs"].get<std::vector<std::string>>());
    // MXNet wrote the graph again after its own upgrades.
    const ParsedSymbol again = parse_symbol(seen["tojson"].dump());
    EXPECT_EQ(again.graph.heads.size(), symbol.graph.heads.size());
    EXPECT_EQ(structure(parse_symbol(write_symbol(symbol.graph)).graph), structure(again.graph));
  }
  EXPECT_GT(compared, 0u);
}

TEST_F(SharedModels, SymbolsThatMxnetRefusesAreRefused) {
  const fs::path folder = models_ / "legacy/sym";
  EXPECT_THROW(parse_file(folder / "save_000800_e0be90f6.json"),
               Error);  // an attribute that BatchNorm has not
  EXPECT_THROW(require_supported(unsupported_ops(parse_file(folder / "deep3d.json").graph)), Error);
}

}  // namespace
}  // namespace mxinfer::formats
