// Graphs of as many nodes as loops that were unrolled by hand have, and more. If a node costs a walk
// through the others, or a frame of the call stack, each of these takes hours or ends in a crash.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <functional>
#include <string>
#include <vector>

#include "formats/json/symbol_json.h"
#include "support/files/params_writer.h"
#include "support/files/temp_dir.h"
#include "support/networks/many.h"

namespace mxinfer {
namespace {

using test::many;

// Writes a symbol file node by node.
class SymbolText {
 public:
  int variable(const std::string& name, const std::string& shape = {}) {
    const std::string hint = shape.empty() ? "" : R"(, "attrs": {"__shape__": ")" + shape + "\"}";
    arg_nodes_ += (arg_nodes_.empty() ? "" : ",") + std::to_string(count_);
    return add(R"({"op": "null", "name": ")" + name + R"(", "inputs": [])" + hint + "}");
  }
  int node(const std::string& op, const std::vector<int>& inputs, const std::string& attrs = {}) {
    std::string list;
    for (int input : inputs) list += (list.empty() ? "[" : ",[") + std::to_string(input) + ",0,0]";
    return add(R"({"op": ")" + op + R"(", "name": "n)" + std::to_string(count_) + R"(", "inputs": [)" + list +
               "]" + (attrs.empty() ? "" : R"(, "attrs": {)" + attrs + "}") + "}");
  }
  std::string with_heads(const std::vector<int>& heads) const {
    std::string list;
    for (int head : heads) list += (list.empty() ? "[" : ",[") + std::to_string(head) + ",0,0]";
    return R"({"nodes": [)" + nodes_ + R"(], "arg_nodes": [)" + arg_nodes_ + R"(], "heads": [)" + list +
           R"(], "attrs": {"mxnet_version": ["int", 10901]}})";
  }

 private:
  int add(const std::string& text) {
    nodes_ += (count_ == 0 ? "" : ",\n") + text;
    return count_++;
  }

  std::string nodes_, arg_nodes_;
  int count_ = 0;
};

// One node behind the other.
std::string chain(const std::string& op, int count, const std::string& attrs = {},
                  const std::string& shape = {}) {
  SymbolText symbol;
  int last = symbol.variable("x", shape);
  for (int i = 0; i < count; ++i) last = symbol.node(op, {last}, attrs);
  return symbol.with_heads({last});
}

Inspection inspect_text(const std::string& text) {
  const test::TempDir dir;
  dir.write("net-symbol.json", text);
  return inspect_model(dir / "net");
}

Model load_text(const std::string& text) {
  return Model::load_memory({text.data(), text.size()}, {});
}

TEST(LongGraphs, Chains) {
  constexpr int kNodes = many(80'000);
  EXPECT_EQ(inspect_text(chain("relu", kNodes)).operators.at("relu"), std::size_t{kNodes});
  EXPECT_EQ(inspect_text(chain("relu", many(80'000), {}, "(0, 3)")).signature.outputs[0].shape,
            Shape({-1, 3}));
}

// The shape of an input without a hint follows from who reads it, through whatever keeps it.
TEST(LongGraphs, ChainsThatTellNoShape) {
  EXPECT_EQ(inspect_text(chain("_copy", many(80'000))).signature.inputs[0].shape.rank(), 0u);
  EXPECT_EQ(inspect_text(chain("Activation", many(80'000), R"("act_type": "relu")"))
                .signature.inputs[0]
                .shape.rank(),
            0u);
}

TEST(LongGraphs, ManyInputs) {
  constexpr int kInputs = many(20'000);
  SymbolText symbol;
  std::vector<int> inputs;
  for (int i = 0; i < kInputs; ++i) inputs.push_back(symbol.variable("input" + std::to_string(i)));
  const int sum = symbol.node("add_n", inputs, R"("num_args": ")" + std::to_string(kInputs) + "\"");
  EXPECT_EQ(inspect_text(symbol.with_heads({sum})).signature.inputs.size(), std::size_t{kInputs});
}

TEST(LongGraphs, ManyOutputs) {
  SymbolText symbol;
  const int x = symbol.variable("x", "(0, 3)");
  std::vector<int> heads;
  for (int i = 0; i < many(80'000); ++i) heads.push_back(symbol.node("relu", {x}));
  EXPECT_EQ(inspect_text(symbol.with_heads(heads)).signature.outputs.size(), heads.size());
}

TEST(LongGraphs, ManyOutputsOneOfWhichIsALoss) {
  SymbolText symbol;
  const int x = symbol.variable("x", "(0, 3)"), label = symbol.variable("label", "(0,)");
  std::vector<int> heads;
  for (int i = 0; i < many(80'000); ++i) heads.push_back(symbol.node("relu", {x}));
  heads.push_back(symbol.node("softmax_cross_entropy", {heads.back(), label}));
  const auto report = inspect_text(symbol.with_heads(heads));
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].find("which alone reads label;"), std::string::npos);
}

// What is left out is handed on to its readers; what does the same twice is done once.
TEST(LongGraphs, AreOptimised) {
  EXPECT_NO_THROW((void)load_text(chain("_copy", many(80'000), {}, "(0, 3)")));
  EXPECT_NO_THROW((void)load_text(chain("_plus_scalar", many(80'000), R"("scalar": "1")", "(0, 3)")));
  SymbolText symbol;
  const int x = symbol.variable("x", "(0, 3)");
  std::vector<int> sums;
  for (int i = 0; i < many(40'000); ++i)
    sums.push_back(symbol.node("_plus_scalar", {x}, R"("scalar": ")" + std::to_string(i) + "\""));
  const int all = symbol.node("add_n", sums, R"("num_args": ")" + std::to_string(sums.size()) + "\"");
  EXPECT_NO_THROW((void)load_text(symbol.with_heads({all})));
}

TEST(LongGraphs, ConvolutionsThatTakeUpWhatIsBehindThem) {
  SymbolText symbol;
  const int x = symbol.variable("x", "(0, 1, 0, 0)"), weight = symbol.variable("weight");
  int last = symbol.node("Convolution", {x, weight},
                         R"a("kernel": "(1, 1)", "num_filter": "1", "no_bias": "True")a");
  for (int i = 0; i < many(40'000); ++i) last = symbol.node("relu", {last});
  LoadOptions options;
  options.inputs = {{"weight", {1, 1, 1, 1}}};
  const std::string text = symbol.with_heads({last});
  EXPECT_NO_THROW((void)Model::load_memory({text.data(), text.size()}, {}, options));
}

// Two repeats, down and across, are one upsampling, if nothing else reads the first.
TEST(LongGraphs, RepeatsThatMayBeUpsampling) {
  SymbolText symbol;
  const int x = symbol.variable("x", "(0, 1, 0, 0)"), weight = symbol.variable("weight");
  int last = symbol.node("Convolution", {x, weight},
                         R"a("kernel": "(1, 1)", "num_filter": "1", "no_bias": "True")a");
  for (int i = 0; i < many(40'000); ++i)
    last = symbol.node("repeat", {last},
                       R"("repeats": "1", "axis": )" + std::string(i % 2 == 0 ? R"("3")" : R"("2")"));
  const std::string text = symbol.with_heads({last});
  test::ParamsWriter params;
  params.add("arg:weight", test::dense_v2(DType::float32, {1, 1, 1, 1}, test::floats({1})));
  const Predictor predictor(Model::load_memory(text, params.finish()));
  const Tensor image(DType::float32, {1, 1, 2, 3});
  EXPECT_EQ(predictor.predict({image.view()})[0].shape(), (Shape{1, 1, 2, 3}));
}

// What is kept for writing the file back.
TEST(LongGraphs, UnknownKeysAreWrittenBack) {
  constexpr int kMany = many(80'000);
  std::string text = chain("relu", 1);
  std::string object, keys;
  for (int i = 0; i < kMany; ++i) {
    object += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
    keys += ",\"key" + std::to_string(i) + "\":0";
  }
  text.pop_back();
  text += keys + ",\"object\":{" + object + "}}";
  const auto graph = formats::parse_symbol(text).graph;
  const auto again = formats::parse_symbol(formats::write_symbol(graph)).graph;
  EXPECT_EQ(again.unknown_keys.size(), kMany + 1u);
  EXPECT_EQ(again.unknown_keys, graph.unknown_keys);
}

}  // namespace
}  // namespace mxinfer
