#include "ops/registry.h"

#include <algorithm>
#include <map>

namespace mxinfer::ops {
namespace {

std::vector<RefusedOps> make_kinds() {
  return {
      {{"_backward_*", "_NoGradient"},
       "the gradient of an operator, which only training needs",
       "export the symbol of the network itself, not of its gradients"},
      {{"*_update", "*_update_phase1", "*_update_phase2", "multi_lars"},
       "an optimizer's update of a weight, which only training needs",
       "export the symbol of the network itself"},
      {{"reset_arrays", "_set_value"},
       "a function that overwrites its arrays, which has no place in a network",
       "export the symbol of the network itself"},
      {{"Custom", "_npi_Custom", "_CustomFunction", "_NDArray", "_Native", "_Function"},
       "an operator written in Python, and its code is not in the model",
       "build it from MXNet's operators and export again, or cut the network there (outputs=) and compute it "
       "in your program"},
      {{"_sg_mkldnn_*", "_sg_onednn_*"},
       "an operator that MXNet fused for oneDNN before the symbol was saved",
       "save the symbol with MXNET_SUBGRAPH_BACKEND=NONE in the environment, or load the model in MXNet "
       "without optimize_for and export it again"},
      {{"_TensorRT", "_FusedOp*", "_CachedOp*", "_sg_*", "_contrib_tvm_*"},
       "an operator that MXNet merged for one device or session",
       "export the symbol before MXNet optimizes it for a device (optimize_for, hybridize with a backend)"},
      {{"_contrib_calibrate_entropy", "_contrib_quantized_*", "quantized_*"},
       "int8 arithmetic that this library does not run",
       "exclude the operator when you quantize the network (excluded_op_names)"},
      {{"_random_*", "_sample_*", "random_*", "sample_*", "_npi_laplace", "_npi_poisson"},
       "an operator that draws random numbers of a distribution that is not known here",
       "make the random values an input of the network, and draw them in your program"},
      {{"_contrib_dgl_*", "_contrib_edge_id"},
       "graph sampling for DGL, on sparse adjacency matrices",
       "sample in your program, and make the result an input"},
      {{"_imdecode"},
       "a function of MXNet's image reader, which has no place in a network",
       "decode with mxinfer's own transforms (docs/how-to/end-to-end.md)"},
      {{"WarpCTC", "TorchModule", "TorchCriterion", "_foreign_torch_*", "CaffeOp", "CaffeLoss"},
       "an operator of an MXNet plugin",
       "replace it in the symbol: WarpCTC with CTCLoss, the others with MXNet's own operators"},
      {{"_np_*", "_npi_*", "_npx_*"},
       "a function of MXNet's NumPy interface (mx.np) that this library does not run",
       "write the network with other functions (docs/reference/operators.md), or cut it there (outputs=)"},
  };
}

bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  const std::string_view front = pattern.substr(0, star), back = pattern.substr(star + 1);
  return name.size() >= front.size() + back.size() && name.starts_with(front) && name.ends_with(back);
}

}  // namespace

// Declarations of the families. Explicit calls below, because a static link would drop static initialisers.
#define MXINFER_OP_FAMILY(family) std::vector<OpDef> family();
#include "ops/op_list.inc"
#undef MXINFER_OP_FAMILY

namespace {

struct Registry {
  std::vector<OpDef> ops;
  std::vector<const OpDef*> sorted;
  std::map<std::string, const OpDef*, std::less<>> by_name;

  Registry() {
    const auto add = [this](std::vector<OpDef> family) {
      for (OpDef& op : family) ops.push_back(std::move(op));
    };
    (void)add;
#define MXINFER_OP_FAMILY(family) add(family());
#include "ops/op_list.inc"
#undef MXINFER_OP_FAMILY
    for (const OpDef& op : ops) {
      sorted.push_back(&op);
      name(op.name, op);
      for (const auto& alias : op.aliases) name(alias, op);
    }
    std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->name < b->name; });
  }

  void name(const std::string& key, const OpDef& op) {
    if (!by_name.emplace(key, &op).second) fail(ErrorCode::internal, "two operators are named ", key);
  }
};

// Never destroyed: destructors of the program's static objects may still predict.
const Registry& registry() {
  static const Registry& instance = *new Registry;
  return instance;
}

}  // namespace

const OpDef* find_op(std::string_view name) {
  const auto found = registry().by_name.find(name);
  return found == registry().by_name.end() ? nullptr : found->second;
}

graph::Node make_node(std::string name, std::string op, std::map<std::string, std::string> attrs,
                      std::vector<graph::Value> inputs) {
  graph::Node node;
  node.op = find_op(op);
  if (node.op == nullptr) fail(ErrorCode::internal, "operator ", op, " is not there");
  node.name = std::move(name);
  node.op_name = std::move(op);
  node.attrs = graph::parse_attrs(node.op->attrs, attrs);
  node.raw_attrs = std::move(attrs);
  node.inputs = std::move(inputs);
  return node;
}

const std::vector<const OpDef*>& all_ops() {
  return registry().sorted;
}

const std::vector<RefusedOps>& refused_ops() {
  static const auto& kinds = *new std::vector<RefusedOps>(make_kinds());
  return kinds;
}

const RefusedOps* find_refused(std::string_view name) {
  for (const RefusedOps& kind : refused_ops()) {
    const auto has = [name](const std::string& pattern) { return matches(pattern, name); };
    if (std::any_of(kind.names.begin(), kind.names.end(), has)) return &kind;
  }
  return nullptr;
}

std::string why_refused(std::string_view name) {
  const RefusedOps* kind = find_refused(name);
  if (kind == nullptr) return "is an operator that is not known here";
  return concat("is ", kind->what, ": ", kind->remedy);
}

std::string why_refused(const OpDef& op, const graph::Attrs& attrs) {
  if (op.name == "Dropout" && attrs.choice("mode") == "always" && attrs.number("p") > 0) {
    return "drops values at random at inference too (mode=\"always\"), and here the same input gives the "
           "same output: set mode=\"training\" in the symbol, or drop values in the program that runs the "
           "network";
  }
  return "";
}

}  // namespace mxinfer::ops
