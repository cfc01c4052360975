// mxinfer inspect: shows what a model file contains, even if this library cannot run it.
#include <mxinfer/tools/inspect.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/options/options.h"
#include "cli/output/output.h"
#include "cli/output/transfer_bar.h"

namespace mxinfer::cli {
namespace {

struct InspectOptions : ModelOptions {
  bool list_parameters = false;
  bool list_nodes = false;
};

std::string mxnet_version_text(int version) {
  if (version <= 800) return "MXNet 0.8 or older (the file does not say)";
  return "MXNet " + std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) + '.' +
         std::to_string(version % 100);
}

double parameter_bytes(const Inspection& report) {
  double bytes = 0;
  for (const DataDesc& parameter : report.parameters) {
    bytes += static_cast<double>(parameter.shape.elements()) * static_cast<double>(size_of(parameter.dtype));
  }
  return bytes;
}

/// The first few names of a list, and how many there are in all.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i) text += (i == 0 ? "" : ", ") + clean(names[i]);
  if (names.size() > kShown) text += ", ... (" + std::to_string(names.size()) + " in all)";
  return text;
}

void add_list(Table& table, const std::string& title, const std::vector<DataDesc>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) table.add({i == 0 ? title : "", clean(to_string(list[i]))});
}

/// ", in batches of 4" for a network that accepts only one batch size.
std::string batch_text(const Signature& signature) {
  for (const DataDesc& input : signature.inputs) {
    const auto axis = batch_axis(input);
    if (input.shape.rank() > 1 && axis && input.shape[*axis] > 1)
      return ", in batches of " + std::to_string(input.shape[*axis]);
  }
  return "";
}

std::string packed_text(const PackedWeightsInfo& packed) {
  return clean(packed.target) + ", " + clean(packed.precision) + ": " + std::to_string(packed.weights) +
         " weights, " + bytes_text(static_cast<double>(packed.bytes)) + ", for mxinfer " +
         clean(packed.library);
}

/// "41 layers to int8 by mxinfer 0.1.0, minmax of 500 samples".
std::string quantization_text(const std::string& text) {
  const Json made = Json::parse(text, nullptr, false);
  if (!made.is_object()) return clean(text);
  return clean(made.value("int8_layers", Json()).dump() + " layers to int8 by " +
               made.value("producer", "an unknown program") + ", " + made.value("method", "?") + " of " +
               made.value("samples", Json()).dump() + " samples");
}

void print_text(const Inspection& report, const InspectOptions& options) {
  Table table;
  table.add({"model", clean(report.name)});
  table.add({"kind", clean(report.kind)});
  for (std::size_t i = 0; i < report.graphs.size(); ++i) {
    const std::string& name = report.graphs[i];
    table.add({i == 0 ? "graphs" : "", clean(name) + (name == report.graph ? " (shown here)" : "")});
  }
  table.add({"written by", mxnet_version_text(report.mxnet_version)});
  table.add({"signature", report.signature_from_file ? "from the file" : "guessed, the file has none"});
  add_list(table, "inputs", report.signature.inputs);
  add_list(table, "outputs", report.signature.outputs);
  if (!report.transforms.empty()) table.add({"transforms", clean(report.transforms)});
  if (!report.post.empty()) table.add({"post", clean(report.post)});
  if (!report.sequence.empty()) table.add({"sequence", clean(report.sequence)});
  if (!report.quantization.empty()) table.add({"quantized", quantization_text(report.quantization)});
  table.add({"parameters", with_commas(report.parameter_elements) + " numbers in " +
                               std::to_string(report.parameters.size()) + " arrays, " +
                               bytes_text(parameter_bytes(report))});
  for (std::size_t i = 0; i < report.packed.size(); ++i)
    table.add({i == 0 ? "packed for" : "", packed_text(report.packed[i])});
  bool first = true;
  for (const auto& [op, count] : report.operators) {
    table.add({first ? "operators" : "", clean(op) + " x " + std::to_string(count)});
    first = false;
  }
  if (report.labels.empty()) {
    table.add({"labels", "none"});
  } else {
    table.add({"labels", some_of(report.labels)});
  }
  if (!report.missing_parameters.empty()) table.add({"missing", some_of(report.missing_parameters)});
  if (report.unsupported.empty()) {
    table.add({"unsupported",
               (report.missing_parameters.empty() ? "nothing: this model runs"
                                                  : "nothing: with its parameters, this model runs") +
                   batch_text(report.signature)});
  }
  for (std::size_t i = 0; i < report.unsupported.size(); ++i) {
    const UnsupportedOperator& missing = report.unsupported[i];
    table.add({i == 0 ? "unsupported" : "", clean(missing.op) + ", needed by " + some_of(missing.nodes)});
    table.add({"", "  " + missing.reason});
  }
  for (std::size_t i = 0; i < report.warnings.size(); ++i) {
    table.add({i == 0 ? "warnings" : "", clean(report.warnings[i])});
  }
  if (options.list_parameters) add_list(table, "parameters", report.parameters);
  for (std::size_t i = 0; options.list_nodes && i < report.nodes.size(); ++i) {
    table.add(
        {i == 0 ? "nodes" : "", clean(report.nodes[i].op) + " gives " + some_of(report.nodes[i].outputs)});
  }
  table.print(std::cout);
}

Json json_or_null(const std::string& text) {
  return text.empty() ? Json() : Json::parse(text);
}

Json report_json(const Inspection& report) {
  Json nodes = Json::array();
  for (const NodeInfo& node : report.nodes) {
    nodes.push_back({{"name", node.name}, {"op", node.op}, {"outputs", node.outputs}});
  }
  Json unsupported = Json::array();
  for (const auto& missing : report.unsupported) {
    unsupported.push_back({{"op", missing.op}, {"nodes", missing.nodes}, {"reason", missing.reason}});
  }
  Json packed = Json::array();
  for (const PackedWeightsInfo& set : report.packed) {
    packed.push_back({{"target", set.target},
                      {"precision", set.precision},
                      {"library", set.library},
                      {"weights", set.weights},
                      {"bytes", set.bytes}});
  }
  return {{"name", report.name},
          {"kind", report.kind},
          {"graphs", report.graphs},
          {"graph", report.graph},
          {"mxnet_version", report.mxnet_version},
          {"signature_from_file", report.signature_from_file},
          {"inputs", to_json(report.signature.inputs)},
          {"outputs", to_json(report.signature.outputs)},
          {"parameters", to_json(report.parameters)},
          {"parameter_elements", report.parameter_elements},
          {"packed", packed},
          {"missing_parameters", report.missing_parameters},
          {"operators", report.operators},
          {"nodes", nodes},
          {"unsupported", unsupported},
          {"labels", report.labels},
          {"transforms", json_or_null(report.transforms)},
          {"post", json_or_null(report.post)},
          {"sequence", json_or_null(report.sequence)},
          {"quantization", json_or_null(report.quantization)},
          {"warnings", report.warnings}};
}

int run_inspect(const InspectOptions& options) {
  if (!options.params.empty())
    throw UsageError("inspect does not accept --params: pass a prefix, a symbol file or a folder");
  const Inspection report = inspect_model(options.model, load_options(options));
  hide_transfers();
  if (options.json) {
    print_json(report_json(report));
  } else {
    print_text(report, options);
  }
  return 0;
}

}  // namespace

void add_inspect(CLI::App& app, Run& run) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand("inspect", "Show a model's inputs, outputs and operators");
  add_loading_options(*command, *options);
  command->get_option("--params")->group("");  // rejected by run_inspect
  command->add_flag("--parameters", options->list_parameters, "List every parameter (--json always does)");
  command->add_flag("--nodes", options->list_nodes,
                    "List every node and its outputs, by the names for --layer (--json always does)");
  add_general_options(*command, options->json);
  command->footer(
      "Examples:\n"
      "  mxinfer inspect models/digits\n"
      "  mxinfer inspect checkpoints/net --epoch 3 --json");
  command->callback([&run, options] { run = [options] { return run_inspect(*options); }; });
}

}  // namespace mxinfer::cli
