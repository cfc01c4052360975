// mxinfer diff: compares a model's inner values with those that MXNet computed.
#include <mxinfer/error.h>
#include <mxinfer/predictor.h>
#include <mxinfer/tools/inspect.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/options/options.h"
#include "cli/options/value_checks.h"
#include "cli/output/diff_values.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "tensor/npy.h"

namespace mxinfer::cli {
namespace {

namespace fs = std::filesystem;

struct DiffOptions : ModelOptions {
  std::string reference;
  double tolerance = 1e-4;
  bool all = false;
  bool one_by_one = false;
};

/// A value of the network for which the reference has a file.
struct Compared {
  std::string name;
  std::string op;  ///< empty for an output of the deployed model
  ValueDifference difference{};
  std::string note{};  ///< if the shapes differ
};

struct DiffReport {
  std::vector<Compared> outputs;  ///< of the model as deployed
  std::vector<Compared> values;   ///< the inner values, in the order in which they are computed
  std::size_t without_file = 0;
};

bool differs(const Compared& value, const DiffOptions& options) {
  return !(value.difference.relative <= options.tolerance);
}

fs::path file_of(const DiffOptions& options, const std::string& name) {
  return fs::path(options.reference) / reference_file(name);
}

bool has_file(const DiffOptions& options, const std::string& name) {
  std::error_code error;
  return fs::is_regular_file(file_of(options, name), error);
}

void compare(const DiffOptions& options, const Tensor& actual, Compared& value) {
  const Tensor reference = load_npy(file_of(options, value.name).string());
  if (reference.shape() == actual.shape()) {
    value.difference = difference(reference, actual);
    return;
  }
  value.difference.largest = value.difference.relative = std::numeric_limits<double>::infinity();
  value.note =
      "has the shape " + to_string(actual.shape()) + ", the reference " + to_string(reference.shape());
}

/// The model's inputs, read from the reference folder once for all runs.
class Inputs {
 public:
  explicit Inputs(const DiffOptions& options) : options_(options) {}

  std::vector<TensorView> of(const Model& model) {
    std::vector<TensorView> views;
    for (const DataDesc& input : model.signature().inputs) views.push_back(read(input.name));
    return views;
  }

 private:
  const Tensor& read(const std::string& name) {
    const auto found = tensors_.find(name);
    if (found != tensors_.end()) return found->second;
    if (!has_file(options_, name)) {
      throw Error(ErrorCode::not_found, "input '" + clean(name) + "' has no file: expected " +
                                            file_of(options_, name).string() +
                                            ", the array that was fed to MXNet");
    }
    return tensors_.emplace(name, load_npy(file_of(options_, name).string())).first->second;
  }

  const DiffOptions& options_;
  std::map<std::string, Tensor> tensors_;
};

/// Runs the model with these values as its outputs; if there are none, with its own outputs.
std::vector<Tensor> run(const DiffOptions& options, const std::vector<std::string>& outputs, Inputs& inputs) {
  LoadOptions load = load_options(options);
  load.outputs = outputs;
  const Predictor predictor(load_model(options, load), run_options(options));
  return predictor.predict(Span<const TensorView>(inputs.of(predictor.model())));
}

/// Compares the outputs, with all fusions.
std::vector<Compared> compare_outputs(const DiffOptions& options, Inputs& inputs) {
  const Predictor predictor(load_model(options, load_options(options)), run_options(options));
  const std::vector<DataDesc>& outputs = predictor.model().signature().outputs;
  std::vector<Compared> compared;
  const std::vector<Tensor> results = predictor.predict(Span<const TensorView>(inputs.of(predictor.model())));
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!has_file(options, outputs[i].name)) continue;
    compared.push_back({outputs[i].name, ""});
    compare(options, results[i], compared.back());
  }
  return compared;
}

/// Compares all values in one run. Values that are outputs are not fused away.
void compare_together(const DiffOptions& options, Inputs& inputs, std::vector<Compared>& values) {
  std::vector<std::string> names;
  for (const Compared& value : values) names.push_back(value.name);
  const std::vector<Tensor> results = run(options, names, inputs);
  for (std::size_t i = 0; i < values.size(); ++i) compare(options, results.at(i), values[i]);
}

/// Compares each value in a run of its own, in which all nodes before it are fused as deployed.
void compare_one_by_one(const DiffOptions& options, Inputs& inputs, std::vector<Compared>& values) {
  Progress progress(values.size());
  for (Compared& value : values) {
    compare(options, run(options, {value.name}, inputs).at(0), value);
    progress.advance(1);
  }
}

DiffReport compare_all(const DiffOptions& options) {
  DiffReport report;
  for (const NodeInfo& node : inspect_model(options.model, load_options(options)).nodes) {
    for (const std::string& name : node.outputs) {
      if (has_file(options, name)) {
        report.values.push_back({name, node.op});
      } else {
        ++report.without_file;
      }
    }
  }
  if (report.values.empty()) {
    throw Error(
        ErrorCode::not_found,
        "'" + options.reference +
            "' has no file named after a value of the model, such as conv0_output.npy; `mxinfer inspect "
            "--nodes` lists the names, and docs/how-to/diff.md explains how to write the files with MXNet");
  }
  Inputs inputs(options);
  report.outputs = compare_outputs(options, inputs);
  options.one_by_one ? compare_one_by_one(options, inputs, report.values)
                     : compare_together(options, inputs, report.values);
  return report;
}

std::vector<Compared> differing(const std::vector<Compared>& values, const DiffOptions& options) {
  std::vector<Compared> found;
  for (const Compared& value : values) {
    if (differs(value, options)) found.push_back(value);
  }
  return found;
}

/// null for infinity and NaN, which JSON lacks.
Json json_number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json value_json(const Compared& value, const DiffOptions& options) {
  Json json = {{"name", value.name},
               {"op", value.op},
               {"difference", json_number(value.difference.relative)},
               {"largest_difference", json_number(value.difference.largest)},
               {"largest_magnitude", value.difference.scale},
               {"differs", differs(value, options)}};
  if (value.op.empty()) json.erase("op");
  if (!value.note.empty()) json["note"] = value.note;
  return json;
}

Json list_json(const std::vector<Compared>& values, const DiffOptions& options) {
  Json list = Json::array();
  for (const Compared& value : values) list.push_back(value_json(value, options));
  return list;
}

std::string difference_text(const Compared& value) {
  if (!value.note.empty()) return value.note;
  return "differs by " + rounded(value.difference.relative, 2) + " of its largest magnitude, " +
         rounded(value.difference.scale, 2);
}

void print_table(const std::vector<Compared>& values, const DiffOptions& options) {
  Table table;
  for (const Compared& value : values) {
    table.add({clean(value.name), clean(value.op),
               value.note.empty() ? rounded(value.difference.relative, 2) : value.note,
               differs(value, options) ? "DIFFERS" : "ok"});
  }
  table.print(std::cout, "  ");
}

void print_text(const DiffReport& report, const DiffOptions& options) {
  const std::vector<Compared> wrong = differing(report.values, options);
  const bool outputs_wrong = !differing(report.outputs, options).empty();
  if (!wrong.empty()) {
    const Compared& first = wrong.front();
    std::cout << "first: " << clean(first.name) << " (" << clean(first.op) << ") " << difference_text(first)
              << '\n';
  } else if (outputs_wrong) {
    std::cout << "every inner value agrees by itself, but the outputs differ when nodes are fused"
              << (options.one_by_one ? "\n" : "; --one-by-one finds where\n");
  }
  std::cout << report.values.size() << " values compared, " << wrong.size() << " differ by more than "
            << rounded(options.tolerance, 2) << " of their largest magnitude";
  if (report.without_file > 0) std::cout << "; " << report.without_file << " have no file";
  std::cout << '\n';
  if (!report.outputs.empty()) {
    std::cout << "outputs as deployed\n";
    print_table(report.outputs, options);
  }
  if (options.all || !wrong.empty()) {
    std::cout << (options.all ? "values\n" : "values that differ\n");
    print_table(options.all ? report.values : wrong, options);
  }
}

int run_diff(const DiffOptions& options) {
  if (!options.params.empty())
    throw UsageError("diff does not accept --params: pass a prefix, a symbol file or a folder");
  if (!options.layers.empty())
    throw UsageError("diff does not accept --layer: it compares every value that has a file");
  const DiffReport report = compare_all(options);
  const std::vector<Compared> wrong = differing(report.values, options);
  if (options.json) {
    print_json({{"tolerance", options.tolerance},
                {"first", wrong.empty() ? Json() : value_json(wrong.front(), options)},
                {"differ", wrong.size()},
                {"without_file", report.without_file},
                {"outputs", list_json(report.outputs, options)},
                {"values", list_json(report.values, options)}});
  } else {
    print_text(report, options);
  }
  return wrong.empty() && differing(report.outputs, options).empty() ? 0 : 1;
}

}  // namespace

void add_diff(CLI::App& app, Run& run) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command =
      app.add_subcommand("diff", "Compare inner values with MXNet's and find the first that differs");
  add_model_options(*command, *options);
  for (const char* name : {"--params", "--layer"})
    command->get_option(name)->group("");  // rejected by run_diff
  existing_folder(
      command->add_option("--reference", options->reference,
                          "Folder with the inputs and the inner values that MXNet computed, as NAME.npy"))
      ->required()
      ->type_name("DIR");
  number(
      command->add_option("--tolerance", options->tolerance,
                          "Largest accepted difference, relative to the value's largest magnitude (default "
                          "1e-4)"),
      0)
      ->type_name("X");
  command->add_flag("--all", options->all,
                    "List every value, not only those that differ (--json always does)");
  command->add_flag("--one-by-one", options->one_by_one,
                    "Load and run the model once per value, with all nodes before it fused; slow");
  add_general_options(*command, options->json);
  command->footer(
      "The exit code is 1 if a value differs. docs/how-to/diff.md explains how to write the files with "
      "MXNet, and what is compared.\n\n"
      "Examples:\n"
      "  mxinfer diff resnet18_v1 --reference dumped\n"
      "  mxinfer diff resnet18_v1 --reference dumped --all --target ref");
  command->callback([&run, options] { run = [options] { return run_diff(*options); }; });
}

}  // namespace mxinfer::cli
