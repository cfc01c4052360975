#include "load/missing_parameters.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "base/fail.h"
#include "load/fitting_arrays.h"
#include "ops/op_def.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;

// Ports that hold weights. A variable without a value that feeds one is a parameter that the file lacks, not
// an input.
bool is_parameter_port(std::string_view port) {
  static constexpr std::string_view kPorts[] = {"weight",      "bias",         "gamma",        "beta",
                                                "moving_mean", "moving_var",   "running_mean", "running_var",
                                                "parameters",  "offset_weight"};
  return std::find(std::begin(kPorts), std::end(kPorts), port) != std::end(kPorts);
}

// Variables that feed a node without an operator, or the joined weights of an RNN, have no port; MXNet's
// usual names identify them.
bool has_parameter_name(std::string_view name) {
  const std::size_t end = name.rfind('_');
  return end != std::string_view::npos && (is_parameter_port(name.substr(end + 1)) ||
                                           name.ends_with("_moving_mean") || name.ends_with("_moving_var"));
}

}  // namespace

std::vector<MissingParameter> missing_parameters(const Graph& graph, const std::vector<DataDesc>& described,
                                                 const std::vector<formats::NamedParameter>& unused,
                                                 const LoadOptions& options, Purpose purpose) {
  std::set<std::string_view> names(options.input_names.begin(), options.input_names.end());
  for (const DataDesc& desc : described) names.insert(desc.name);
  std::vector<MissingParameter> missing;
  for (const Node& node : graph.nodes) {
    if (node.is_variable() || (node.op == nullptr && purpose != Purpose::report)) continue;
    const bool by_name =
        purpose == Purpose::report && (node.op == nullptr || node.op->name == "_rnn_param_concat");
    const std::vector<std::string> ports =
        by_name ? std::vector<std::string>() : ops::input_ports(*node.op, node.attrs).names;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const Node& variable = graph.nodes[static_cast<std::size_t>(node.inputs[i].node)];
      if (!variable.is_variable() || variable.constant || names.count(variable.name) > 0) continue;
      const bool is_parameter =
          by_name ? has_parameter_name(variable.name) : i < ports.size() && is_parameter_port(ports[i]);
      if (!is_parameter) continue;
      const std::string where = graph::describe(node);
      missing.push_back({variable.name, by_name ? where : concat(ports[i], " of ", where)});
      if (!by_name) missing.back().fitting = fitting_arrays(graph, node, ports[i], variable.name, unused);
    }
  }
  return missing;
}

std::string fitting_text(const std::vector<MissingParameter>& missing) {
  constexpr std::size_t kParameters = 10, kArrays = 3;
  std::string text;
  const MissingParameter* first = nullptr;
  std::size_t count = 0;
  for (const MissingParameter& parameter : missing) {
    if (parameter.fitting.empty()) continue;
    if (first == nullptr) first = &parameter;
    if (++count > kParameters) continue;
    if (count > 1) text += "; ";
    for (std::size_t i = 0; i < parameter.fitting.size() && i < kArrays; ++i)
      text += (i > 0 ? " or " : "") + parameter.fitting[i];
    if (parameter.fitting.size() > kArrays)
      text += concat(" or one of ", parameter.fitting.size() - kArrays, " more");
    text += concat(" has the size of '", printable(parameter.name), "'");
  }
  if (first == nullptr) return {};
  if (count > kParameters) text += concat("; and so on for ", count - kParameters, " more");
  return concat("of the unused arrays in the .params file, ", text,
                "; if that is the right one, rewrite the file with the array named 'arg:",
                printable(first->name), "' (docs/reference/model-format.md, \"Arrays under other names\")");
}

void reject_missing_parameters(const std::vector<MissingParameter>& missing, bool has_params_file) {
  if (missing.empty()) return;
  std::string list;
  for (std::size_t i = 0; i < missing.size() && i < 10; ++i)
    list += concat(i > 0 ? ", '" : "'", printable(missing[i].name), "' (", missing[i].reader, ")");
  if (missing.size() > 10) list += concat(", and ", missing.size() - 10, " more");
  const std::string fitting = fitting_text(missing);
  fail(ErrorCode::malformed, has_params_file ? "" : "there is no .params file beside it, and ",
       missing.size(), missing.size() == 1 ? " parameter has" : " parameters have",
       has_params_file ? " no value in the .params file: " : " no value: ", list,
       fitting.empty() ? "" : "; " + fitting,
       fitting.empty() ? "; give the file that belongs to this symbol, or name them in "
                       : "; otherwise give the file that belongs to this symbol, or name them in ",
       "LoadOptions::input_names (--input of predict) if they are inputs");
}

}  // namespace mxinfer::api
