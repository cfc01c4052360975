#include "load/signature/guess_batch.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "ops/op_def.h"
#include "tensor/data_desc.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;

constexpr std::int64_t kLargestWritten = 4096;
constexpr std::size_t kMostWritten = 6;

// The first size of the shape that a node states; 0 if it states none.
std::int64_t size_in_front(const Node& node) {
  if (node.constant) return node.constant->shape().rank() > 1 ? node.constant->shape()[0] : 0;
  if (node.op == nullptr) return 0;
  const std::string& op = node.op->name;
  if (op == "SliceChannel") return node.attrs.integer("axis") == 0 ? node.attrs.integer("num_outputs") : 0;
  if (op == "_np_reshape" || op == "_npx_reshape") {
    const graph::IntTuple& sizes = node.attrs.optional_tuple("newshape");
    return sizes.empty() ? 0 : std::max<std::int64_t>(0, sizes[0].value_or(0));
  }
  const bool states_shape =
      op == "Reshape" || op == "broadcast_to" || op == "_zeros" || op == "_ones" || op == "_full";
  if (!states_shape) return 0;
  const graph::IntTuple& shape = node.attrs.optional_tuple("shape");
  return shape.empty() ? 0 : shape[0].value_or(0);
}

// Constants whose first dimension may be a batch: not the weights of products.
bool is_operand(const Graph& graph, const Node& reader, std::size_t input) {
  const Node& node = graph.nodes[static_cast<std::size_t>(reader.inputs[input].node)];
  return node.constant != nullptr && reader.op->traits.elementwise != ops::Elementwise::no;
}

}  // namespace

bool has_free_batch(const DataDesc& input) {
  if (is_file(input.meaning) || input.shape.rank() == 0) return false;
  const auto axis = batch_axis(input);
  return axis && input.shape[*axis] < 0;
}

TriedBatches try_batches(const Graph& graph, const std::vector<DataDesc>& inputs, std::int64_t batch,
                         std::int64_t side) {
  constexpr std::int64_t kOtherSide = 64;
  TriedBatches tried;
  tried.batch = batch;
  const auto add = [&](std::int64_t samples, std::int64_t of_side) {
    auto trial = try_shapes(graph, inputs, samples, of_side);
    if (trial) tried.trials.push_back(std::move(*trial));
    return trial.has_value();
  };
  if (!add(batch, side)) return tried;
  const bool is_open = std::any_of(inputs.begin(), inputs.end(), [](const DataDesc& input) {
    return has_free_batch(input) && !input.is_optional;
  });
  if (is_open && batch == 1) {
    if (!add(2, side)) {
      tried.rule = BatchRule::fixed;
      tried.rejected = 2;
    }
  } else if (is_open) {
    const bool takes_any = try_shapes(graph, inputs, 1, side) && try_shapes(graph, inputs, batch + 1, side);
    const bool takes_twice = add(2 * batch, side);
    if (!takes_any) {
      tried.rule = takes_twice ? BatchRule::multiple : BatchRule::fixed;
      tried.rejected = try_shapes(graph, inputs, 1, side) ? batch + 1 : 1;
    } else {
      tried.batch = 1;
    }
  }
  add(batch, side + kOtherSide);
  return tried;
}

std::vector<std::int64_t> batches_to_try(const Graph& graph) {
  std::vector<std::int64_t> batches;
  const auto add = [&](std::int64_t batch) {
    const bool is_new = std::find(batches.begin(), batches.end(), batch) == batches.end();
    if (batch > 1 && batch <= kLargestWritten && is_new) batches.push_back(batch);
  };
  for (const Node& node : graph.nodes) {
    if (batches.size() >= kMostWritten) break;
    if (node.op == nullptr) continue;
    add(size_in_front(node));
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (is_operand(graph, node, i))
        add(size_in_front(graph.nodes[static_cast<std::size_t>(node.inputs[i].node)]));
    }
  }
  for (const std::int64_t batch : {2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 128}) add(batch);
  return batches;
}

std::string warning_of(const Graph& graph, const std::vector<DataDesc>& inputs, const TriedBatches& tried,
                       std::int64_t side) {
  const std::string objection = objection_to(graph, inputs, tried.rejected, side);
  const bool is_fixed = tried.rule == BatchRule::fixed;
  return concat("the network accepts only batches of ", tried.batch,
                is_fixed ? " samples" : " samples and multiples of that", ": with ", tried.rejected, ", ",
                objection,
                is_fixed ? concat(". Lists and images are padded to batches of ", tried.batch,
                                  "; other calls must give full batches")
                         : std::string("; give full batches"));
}

}  // namespace mxinfer::api
