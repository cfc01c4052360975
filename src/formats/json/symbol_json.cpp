#include "formats/json/symbol_json.h"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "base/fail.h"
#include "base/text/strict_json.h"
#include "formats/foreign_file.h"
#include "formats/json/resolve_symbol.h"
#include "ops/registry.h"

namespace mxinfer::formats {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using nlohmann::json;

constexpr int kNewestVersion = 20000;

std::string excerpt(const json& value) {
  return concat(value.type_name(), " ", printable(value.dump(-1, ' ', true, json::error_handler_t::replace)));
}

const json* find(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

const json& require(const json& object, const char* key) {
  const json* found = find(object, key);
  if (found == nullptr) fail(ErrorCode::malformed, "key \"", key, "\" is missing");
  return *found;
}

const json& array_of(const json& object, const char* key) {
  const json& value = require(object, key);
  if (!value.is_array()) fail(ErrorCode::malformed, "\"", key, "\" is ", excerpt(value), "; expected a list");
  return value;
}

const std::string& text_of(const json& object, const char* key) {
  const json& value = require(object, key);
  if (!value.is_string()) fail(ErrorCode::malformed, "\"", key, "\" is ", excerpt(value), "; expected text");
  return value.get_ref<const std::string&>();
}

std::int32_t read_index(const json& value, const char* what) {
  constexpr auto kMax = std::numeric_limits<std::int32_t>::max();
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(kMax)
                        : value.is_number_integer() && value.get<std::int64_t>() >= 0;
  if (!fits) {
    fail(ErrorCode::malformed, what, " is ", excerpt(value), "; expected a whole number from 0 to ", kMax);
  }
  return static_cast<std::int32_t>(value.get<std::int64_t>());
}

// [node, output] before version 0.9, [node, output, version] since; the version matters only to training.
Value read_value(const json& entry, const std::string& what, const SymbolLimits& limits) {
  if (!entry.is_array() || entry.size() < 2 || entry.size() > 3) {
    fail(ErrorCode::malformed, what, " is ", excerpt(entry),
         "; expected [node id, output index] or [node id, output index, version]");
  }
  const Value value{read_index(entry[0], "a node id"), read_index(entry[1], "an output index")};
  if (value.index >= limits.node_outputs) {
    fail(ErrorCode::malformed, what, " refers to output ", value.index, "; a node has at most ",
         limits.node_outputs);
  }
  return value;
}

void add_attributes(const json& node, const char* key, std::map<std::string, std::string>& attributes) {
  const json* table = find(node, key);
  if (table == nullptr) return;
  if (!table->is_object()) {
    fail(ErrorCode::malformed, "\"", key, "\" is ", excerpt(*table), "; expected an object of texts");
  }
  for (const auto& [name, value] : table->items()) {
    if (!value.is_string()) {
      fail(ErrorCode::malformed, "attribute ", printable(name), " is ", excerpt(value), "; expected text");
    }
    attributes.emplace(name, value.get<std::string>());
  }
}

void reject_conflict(const json& node) {
  std::map<std::string, std::string> one, two;
  add_attributes(node, "attrs", one);
  add_attributes(node, "attr", two);
  for (const auto& [name, value] : two) {
    const auto found = one.find(name);
    if (found != one.end() && found->second != value) {
      fail(ErrorCode::malformed, "attribute ", printable(name), " is \"", printable(found->second),
           "\" under \"attrs\" and \"", printable(value), "\" under \"attr\"");
    }
  }
}

bool is_known(const std::string& key, std::initializer_list<std::string_view> known) {
  return std::find(known.begin(), known.end(), key) != known.end();
}

class Reader {
 public:
  Reader(const SymbolLimits& limits, std::vector<std::string>& warnings)
      : limits_(limits), warnings_(warnings) {}

  RawSymbol read_graph(const json& root, int depth) {
    if (!root.is_object())
      fail(ErrorCode::malformed, "the graph is ", excerpt(root), "; expected a JSON object");
    if (depth > limits_.subgraph_depth) {
      fail(ErrorCode::malformed, "subgraphs are nested more than ", limits_.subgraph_depth, " deep");
    }
    RawSymbol raw;
    const json& nodes = array_of(root, "nodes");
    nodes_ += nodes.size();
    if (nodes_ > limits_.nodes)
      fail(ErrorCode::malformed, "the graph has more than ", limits_.nodes, " nodes");
    read_graph_attributes(root, raw.graph);
    for (const json& node : nodes) {
      const std::size_t id = raw.graph.nodes.size();
      in_context([&] { return where(node, id); }, [&] { read_node(node, raw, depth); });
    }
    read_heads(root, raw.graph);
    check_arg_nodes(root, raw.graph);
    check_row_ptr(root);
    for (const auto& [key, value] : root.items()) {
      if (is_known(key, {"nodes", "arg_nodes", "heads", "node_row_ptr", "attrs"})) continue;
      raw.graph.unknown_keys.emplace(key, value.dump());
      // A signature in the form of MXNet's design document: see signature_json.h.
      if (depth == 0 && is_known(key, {"inputs", "outputs"})) continue;
      unknown_.insert(key);
    }
    return raw;
  }

  void warn_of_unknown_keys() {
    if (unknown_.empty()) return;
    std::string list;
    std::size_t shown = 0;
    for (const std::string& key : unknown_) {
      if (shown++ == 5) break;
      list += (list.empty() ? "\"" : ", \"") + printable(key) + "\"";
    }
    if (unknown_.size() > 5) list += concat(" and ", unknown_.size() - 5, " more");
    warnings_.push_back("the symbol file has keys that MXNet's format does not know; they have no effect: " +
                        list);
  }

 private:
  static std::string where(const json& node, std::size_t id) {
    const json* name = node.is_object() ? find(node, "name") : nullptr;
    if (name == nullptr || !name->is_string()) return concat("node ", id);
    return concat("node ", id, " '", printable(name->get_ref<const std::string&>()), "'");
  }

  void read_node(const json& source, RawSymbol& raw, int depth) {
    if (!source.is_object())
      fail(ErrorCode::malformed, "it is ", excerpt(source), "; expected a JSON object");
    const auto id = static_cast<std::int32_t>(raw.graph.nodes.size());
    Node node;
    node.name = text_of(source, "name");
    const std::string& op = text_of(source, "op");
    if (op.empty())
      fail(ErrorCode::malformed, "\"op\" is empty; expected the name of an operator, or \"null\"");
    if (op != "null") node.op_name = op;
    read_attributes(source, node, raw);
    for (const json& entry : array_of(source, "inputs")) {
      const Value value = read_value(entry, concat("input ", node.inputs.size()), limits_);
      reject_later(value.node, id, "an input");
      node.inputs.push_back(value);
    }
    if (find(source, "control_deps") != nullptr) {
      for (const json& entry : array_of(source, "control_deps")) {
        node.control_deps.push_back(read_index(entry, "an id in \"control_deps\""));
        reject_later(node.control_deps.back(), id, "a control dependency");
      }
    }
    if (find(source, "subgraphs") != nullptr) {
      std::size_t index = 0;
      for (const json& entry : array_of(source, "subgraphs")) {
        in_context(
            [&] { return concat("subgraph ", index); },
            [&] { raw.subgraphs[id].push_back(std::make_unique<RawSymbol>(read_graph(entry, depth + 1))); });
        ++index;
      }
    }
    for (const auto& [key, value] : source.items()) {
      if (is_known(key, {"op", "name", "inputs", "attrs", "attr", "param", "control_deps", "subgraphs",
                         "backward_source_id"})) {
        continue;
      }
      node.unknown_keys.emplace(key, value.dump());
      unknown_.insert(key);
    }
    raw.graph.nodes.push_back(std::move(node));
  }

  // Nodes are in an order in which they can be computed; that also rules out cycles.
  static void reject_later(std::int32_t referred, std::int32_t id, const char* what) {
    if (referred < id) return;
    fail(ErrorCode::malformed, what, " refers to node ", referred, ", which is not earlier than this node (",
         id, "); a node may refer to earlier nodes only");
  }

  // "attrs" or "attr" hold everything since 0.9. If "param" is there too, the file is older: "param" then
  // holds the operator's own attributes and "attr" those that the user attached.
  static void read_attributes(const json& source, Node& node, RawSymbol& raw) {
    if (find(source, "attrs") != nullptr && find(source, "attr") != nullptr) reject_conflict(source);
    add_attributes(source, "attrs", node.raw_attrs);
    add_attributes(source, "attr", node.raw_attrs);
    const json* param = find(source, "param");
    if (param == nullptr) return;
    std::set<std::string> attached;
    for (const auto& [name, value] : node.raw_attrs) {
      if (!param->is_object() || find(*param, name.c_str()) == nullptr) attached.insert(name);
    }
    add_attributes(source, "param", node.raw_attrs);
    if (!attached.empty())
      raw.attached[static_cast<std::int32_t>(raw.graph.nodes.size())] = std::move(attached);
  }

  void read_heads(const json& root, Graph& graph) {
    for (const json& entry : array_of(root, "heads")) {
      const Value value = read_value(entry, concat("heads[", graph.heads.size(), "]"), limits_);
      if (static_cast<std::size_t>(value.node) >= graph.nodes.size()) {
        fail(ErrorCode::malformed, "heads[", graph.heads.size(), "] refers to node ", value.node,
             "; there are ", graph.nodes.size(), " nodes");
      }
      graph.heads.push_back(value);
    }
    if (graph.heads.empty()) fail(ErrorCode::malformed, "\"heads\" is empty: the graph has no outputs");
  }

  static void check_arg_nodes(const json& root, const Graph& graph) {
    for (const json& entry : array_of(root, "arg_nodes")) {
      const std::int32_t id = read_index(entry, "an id in \"arg_nodes\"");
      if (static_cast<std::size_t>(id) >= graph.nodes.size()) {
        fail(ErrorCode::malformed, "\"arg_nodes\" refers to node ", id, "; there are ", graph.nodes.size(),
             " nodes");
      }
      const Node& node = graph.nodes[static_cast<std::size_t>(id)];
      if (!node.is_variable()) {
        fail(ErrorCode::malformed, "\"arg_nodes\" lists node ", id, ", but ", graph::describe(node),
             " is not a variable");
      }
    }
  }

  // Redundant, so only its form is checked.
  static void check_row_ptr(const json& root) {
    if (find(root, "node_row_ptr") == nullptr) return;
    for (const json& entry : array_of(root, "node_row_ptr"))
      read_index(entry, "an entry of \"node_row_ptr\"");
  }

  void read_graph_attributes(const json& root, Graph& graph) {
    const json* attrs = find(root, "attrs");
    if (attrs == nullptr) return;
    if (!attrs->is_object())
      fail(ErrorCode::malformed, "\"attrs\" is ", excerpt(*attrs), "; expected an object");
    for (const auto& [name, pair] : attrs->items()) {
      if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string()) {
        fail(ErrorCode::malformed, "graph attribute ", printable(name), " is ", excerpt(pair),
             "; expected a pair such as [\"int\", 10901]");
      }
      graph.attrs[name] = {pair[0].get<std::string>(), pair[1].dump()};
      if (name == "mxnet_version") graph.mxnet_version = read_index(pair[1], "mxnet_version");
    }
    if (graph.mxnet_version > kNewestVersion) {
      warnings_.push_back(concat("the symbol file was written by MXNet version ", graph.mxnet_version,
                                 ", newer than any this library knows (", kNewestVersion, ")"));
    }
  }

  const SymbolLimits& limits_;
  std::vector<std::string>& warnings_;
  std::size_t nodes_ = 0;
  std::set<std::string> unknown_;
};

// By operator and reason.
using Missing = std::map<std::pair<std::string, std::string>, std::vector<std::string>>;

void collect_missing(const graph::Graph& graph, const std::string& prefix, Missing& missing) {
  for (const graph::Node& node : graph.nodes) {
    if (node.is_variable()) continue;
    const std::string why =
        node.op == nullptr ? ops::why_refused(node.op_name) : ops::why_refused(*node.op, node.attrs);
    if (!why.empty()) missing[{node.op_name, why}].push_back(prefix + node.name);
    for (const auto& subgraph : node.subgraphs) collect_missing(*subgraph, prefix + node.name + "/", missing);
  }
}

}  // namespace

ParsedSymbol parse_symbol(std::string_view text, const SymbolLimits& limits,
                          std::vector<NodeProblem>* problems) {
  if (text.size() > limits.bytes) {
    fail(ErrorCode::malformed, "the symbol file has ", text.size(), " bytes, more than the limit of ",
         limits.bytes);
  }
  reject_foreign_symbol(text);
  JsonLimits json_limits;
  json_limits.depth = limits.json_depth;
  ParsedSymbol parsed;
  Reader reader(limits, parsed.warnings);
  RawSymbol raw = reader.read_graph(parse_strict_json(text, json_limits), 0);
  reader.warn_of_unknown_keys();
  parsed.graph = resolve_symbol(std::move(raw), limits, problems);
  graph::verify(parsed.graph);
  return parsed;
}

std::vector<UnsupportedOp> unsupported_ops(const graph::Graph& graph) {
  Missing missing;
  collect_missing(graph, "", missing);
  std::vector<UnsupportedOp> ops;
  for (auto& [op, nodes] : missing) ops.push_back({op.first, std::move(nodes), op.second});
  return ops;
}

void require_supported(const std::vector<UnsupportedOp>& ops) {
  if (ops.empty()) return;
  constexpr std::size_t kShown = 5;
  std::string list;
  for (const UnsupportedOp& missing : ops) {
    list += concat(list.empty() ? "" : "; ", printable(missing.op), " (");
    for (std::size_t i = 0; i < missing.nodes.size() && i < kShown; ++i) {
      list += concat(i > 0 ? ", '" : "'", printable(missing.nodes[i]), "'");
    }
    if (missing.nodes.size() > kShown) list += concat(" and ", missing.nodes.size() - kShown, " more");
    list += concat(") ", missing.reason);
  }
  fail(ErrorCode::unsupported, "the network needs ", ops.size(), ops.size() == 1 ? " operator" : " operators",
       " that this library does not run, here with the nodes that need ",
       ops.size() == 1 ? "it: " : "them: ", list);
}

}  // namespace mxinfer::formats
