// Networks that write sequences which can be told beforehand, as JSON text without parameters, and calls of
// them.
//
//   test::load_json(test::sum_json());                    // 1 goes on 1, 2, 4, 8
//   test::generate(generator, {1}, test::of_length(4));   // four tokens
#pragma once

#include <mxinfer/sequence/generator.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mxinfer::test {

/// A symbol file, node by node: each gets the number by which others read it.
class GraphJson {
 public:
  int variable(const std::string& name, const std::string& shape = "") {
    const std::string attrs = shape.empty() ? "" : R"("attrs": {"__shape__": ")" + shape + R"("}, )";
    arguments_ += (arguments_.empty() ? "" : ", ") + std::to_string(count_);
    return add(R"({"op": "null", "name": ")" + name + R"(", )" + attrs + R"("inputs": []})");
  }
  int op(const std::string& op, const std::string& name, const std::string& attrs,
         const std::vector<int>& inputs) {
    std::string list;
    for (const int input : inputs) list += (list.empty() ? "[" : ", [") + std::to_string(input) + ", 0, 0]";
    return add(R"({"op": ")" + op + R"(", "name": ")" + name + R"(", "attrs": {)" + attrs +
               R"(}, "inputs": [)" + list + "]}");
  }
  std::string text(const std::vector<int>& heads) const {
    std::string list;
    for (const int head : heads) list += (list.empty() ? "[" : ", [") + std::to_string(head) + ", 0, 0]";
    return R"({"nodes": [)" + nodes_ + R"(], "arg_nodes": [)" + arguments_ + R"(], "heads": [)" + list +
           R"(], "attrs": {"mxnet_version": ["int", 10901]}})";
  }

 private:
  int add(const std::string& node) {
    nodes_ += (count_ == 0 ? "" : ", ") + node;
    return count_++;
  }
  int count_ = 0;
  std::string nodes_{}, arguments_{};
};

/// The next token is the sum of all before: token (N,), state total (N, 1); scores (N, 20), 9 for the next
/// token and 0 for others. The new state has `state_width` columns; of 0 it is the sums (N,), no such state.
inline std::string sum_json(int state_width = 1) {
  GraphJson g;
  const int token = g.variable("token");
  const int total = g.variable("total", "(0, 1)");
  const int column = g.op("expand_dims", "column", R"("axis": "1")", {token});
  const int sum = g.op("elemwise_add", "sum", "", {column, total});
  const int flat = g.op("Reshape", "flat", R"j("shape": "(-1,)")j", {sum});
  const int scores = g.op("one_hot", "scores", R"("depth": "20", "on_value": "9")", {flat});
  if (state_width == 0) return g.text({scores, flat});
  const int next =
      g.op("tile", "next", R"j("reps": "(1, )j" + std::to_string(state_width) + R"j()")j", {sum});
  return g.text({scores, next});
}

/// The next token is the number of the step, which is one number for all: token (N,), step (1,).
inline std::string step_json() {
  GraphJson g;
  const int token = g.variable("token");
  const int step = g.variable("step", "(1,)");
  const int nothing = g.op("_mul_scalar", "nothing", R"("scalar": "0")", {token});
  const int steps = g.op("broadcast_add", "steps", "", {nothing, step});
  return g.text({g.op("one_hot", "scores", R"("depth": "20", "on_value": "9")", {steps})});
}

/// The next token is the one before and 1: token (N,); without a state. Its score is `on`.
inline std::string next_json(const std::string& on = "9", const std::string& off = "0") {
  GraphJson g;
  const int more = g.op("_plus_scalar", "more", R"("scalar": "1")", {g.variable("token")});
  return g.text(
      {g.op("one_hot", "scores",
            R"("depth": "20", "on_value": ")" + on + R"(", "off_value": ")" + off + R"(")", {more})});
}

inline GenerateOptions of_length(int max_length) {
  GenerateOptions options;
  options.max_length = max_length;
  return options;
}

inline std::vector<Generated> generate(const SequenceGenerator& generator,
                                       const std::vector<std::int32_t>& prompt,
                                       const GenerateOptions& options = {}) {
  return generator.generate(Span<const std::int32_t>(prompt), options);
}

}  // namespace mxinfer::test
