// Attributes and shapes at the ends of what files can say: every operator gives an Error or a result for
// them, and takes no memory or time that its outputs do not.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ops/registry.h"
#include "support/build_graph.h"
#include "support/expect_error.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;

constexpr const char* kLargest = "9223372036854775807";
constexpr const char* kSmallest = "-9223372036854775808";

/// As a plan runs it, which checks the sizes of all values and leaves out what is empty.
std::vector<Tensor> run(const std::string& op, const Attributes& attrs, const std::vector<Tensor>& inputs) {
  test::GraphBuilder b;
  std::vector<graph::Value> values;
  std::vector<const Tensor*> pointers;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    values.push_back(b.input("input" + std::to_string(i)));
    pointers.push_back(&inputs[i]);
  }
  graph::Value value = b.op(op, attrs, values);
  const std::int32_t outputs = b.graph().nodes[static_cast<std::size_t>(value.node)].num_outputs;
  for (value.index = 0; value.index < outputs; ++value.index) b.head(value);
  return test::run_graph(b.graph(), pointers);
}

template <typename... Tensors>
std::vector<Tensor> inputs(Tensors&&... tensors) {
  std::vector<Tensor> list;
  (list.push_back(std::forward<Tensors>(tensors)), ...);
  return list;
}

struct Refused {
  const char* name;
  const char* op;
  Attributes attrs;
  std::vector<Shape> shapes;  ///< of inputs of float32
  const char* message;        ///< a part of it
};

void PrintTo(const Refused& refused, std::ostream* out) {
  *out << refused.name;
}

class Refusals : public testing::TestWithParam<Refused> {};

TEST_P(Refusals, SayWhatIsTooLarge) {
  const Refused& refused = GetParam();
  std::vector<Tensor> tensors;
  for (const Shape& shape : refused.shapes) tensors.emplace_back(DType::float32, shape);
  EXPECT_MXINFER_ERROR(run(refused.op, refused.attrs, tensors), ErrorCode::invalid_argument,
                       {refused.message});
}

constexpr std::int64_t kHuge = std::int64_t{1} << 40;

const std::vector<Refused> kRefused = {
    {"box_nms_start",
     "_contrib_box_nms",
     {{"coord_start", kLargest}, {"in_format", "center"}, {"out_format", "corner"}},
     {{1, 40, 6}},
     "leaves no 4 coordinates"},
    {"box_nms_start_near_the_end",
     "_contrib_box_nms",
     {{"coord_start", "9223372036854775804"}, {"in_format", "center"}},
     {{1, 40, 6}},
     "leaves no 4 coordinates"},
    {"box_nms_score", "_contrib_box_nms", {{"score_index", kLargest}}, {{1, 40, 6}}, "is outside the 6"},
    {"box_nms_id", "_contrib_box_nms", {{"id_index", kLargest}}, {{1, 40, 6}}, "is outside the 6"},
};

INSTANTIATE_TEST_SUITE_P(Operators, Refusals, testing::ValuesIn(kRefused),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace mxinfer
