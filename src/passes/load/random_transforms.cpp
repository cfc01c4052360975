#include <algorithm>

#include "base/fail.h"
#include "ops/random/random_draws.h"
#include "ops/registry.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;

bool is_random_transform(const ops::OpDef& op) {
  return op.name.starts_with("_image_random_") || op.name.starts_with("_mxinfer_random_");
}

bool is_random(const Node& node) {
  return node.op != nullptr && (node.op->traits.draws_random_numbers || is_random_transform(*node.op));
}

bool is_random_crop(const Node& node) {
  return node.op->name == "_image_random_crop" || node.op->name == "_image_random_resized_crop";
}

void become(Node& node, const char* op_name, std::map<std::string, std::string> attrs) {
  node.notes.push_back(concat("replaces ", node.op_name, ", so no random numbers are drawn"));
  node.op_name = op_name;
  node.op = ops::find_op(op_name);
  if (node.op == nullptr) fail(ErrorCode::internal, "operator ", op_name, " is not there");
  node.attrs = graph::parse_attrs(node.op->attrs, attrs);
  for (const auto& [name, text] : node.raw_attrs) {
    if (name.starts_with("__")) attrs.emplace(name, text);
  }
  node.raw_attrs = std::move(attrs);
}

std::string tuple_text(const std::vector<std::int64_t>& values) {
  std::string text = "(";
  for (const std::int64_t value : values) text += std::to_string(value) + ",";
  return text + ")";
}

/// Those of two inputs give images and boxes or masks of a fixed size, so that something must be done.
void make_fixed(Node& node) {
  const auto& attrs = node.attrs;
  const std::string& name = node.op->name;
  if (name == "_mxinfer_random_flip_boxes") return become(node, "_mxinfer_flip_boxes", {});
  if (name == "_mxinfer_random_crop_mask") {
    return become(node, "_mxinfer_center_crop_mask",
                  {{"crop_size", std::to_string(attrs.integer("crop_size"))}});
  }
  constexpr std::int64_t kBySizes = 9;
  become(node, "_mxinfer_resize_boxes",
         {{"size", tuple_text(attrs.tuple("size"))},
          {"interp", std::to_string(std::min(attrs.integer("interp"), kBySizes))}});
}

void make_identity(Node& node) {
  if (node.op->name.starts_with("_mxinfer_")) return make_fixed(node);
  if (!is_random_crop(node)) return become(node, "_copy", {});
  const auto& attrs = node.attrs;
  become(node, "_mxinfer_center_crop",
         {{"size", concat("(", attrs.integer("width"), ", ", attrs.integer("height"), ")")},
          {"interp", std::to_string(attrs.integer("interp"))}});
}

}  // namespace

void refuse_random_transforms(const Graph& graph) {
  std::string list;
  std::size_t count = 0;
  for (const Node& node : graph.nodes) {
    if (is_random(node)) list += (count++ > 0 ? ", " : "") + graph::describe(node);
  }
  if (count == 0) return;
  fail(ErrorCode::unsupported, count, count == 1 ? " operator draws" : " operators draw",
       " random numbers: ", list,
       "; set LoadOptions::random_transforms (--random of the command) to identity (images stay as they "
       "are, crops take the centre) or to execute, or pass the numbers that a node would draw as an input "
       "with the name of the node");
}

void skip_random_transforms(Graph& graph) {
  for (Node& node : graph.nodes) {
    if (!is_random(node)) continue;
    if (!is_random_transform(*node.op)) {
      fail(ErrorCode::unsupported, graph::describe(node),
           " draws numbers from a distribution, so no image can stay as it is; set "
           "LoadOptions::random_transforms (--random of the command) to execute, or pass the numbers as an "
           "input with the name of the node");
    }
    make_identity(node);
  }
}

void free_random_nodes(Graph& graph, const std::vector<std::string>& names) {
  for (Node& node : graph.nodes) {
    if (!is_random(node) || std::find(names.begin(), names.end(), node.name) == names.end()) continue;
    if (ops::output_count(*node.op, node.attrs) != 1) continue;
    Node input;
    input.name = node.name;
    input.notes.push_back(concat("replaces ", node.op_name, ": the caller gives its numbers"));
    node = std::move(input);
  }
}

void seed_random_transforms(Graph& graph, std::uint64_t seed) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    Node& node = graph.nodes[id];
    if (is_random(node)) {
      node.attrs.set(ops::kRandomKey, static_cast<std::int64_t>(ops::combine_keys(seed, id)));
    }
  }
}

}  // namespace mxinfer::passes
