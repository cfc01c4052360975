#include "ops/registry.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/fail.h"

namespace mxinfer::ops {

// Declarations of the families; explicit calls below, rather than static initialisers, which a static link
// would drop.
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

}  // namespace mxinfer::ops
