// mxinfer predict: arrays from .npy files in, arrays in .npy files out.
#include <mxinfer/error.h>
#include <mxinfer/predictor.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include "cli/commands.h"
#include "cli/folders.h"
#include "cli/options.h"
#include "cli/output.h"
#include "tensor/npy.h"

namespace mxinfer::cli {
namespace {

struct PredictOptions : ModelOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> more_inputs;
  std::string output_dir;
};

/// NAME -> FILE of every --input.
std::map<std::string, std::string> input_files(const PredictOptions& options) {
  std::map<std::string, std::string> files;
  for (const auto* list : {&options.inputs, &options.more_inputs}) {
    for (const std::string& text : *list) {
      const auto [name, file] = split_named_file("--input", text);
      if (!files.emplace(name, file).second) throw UsageError("--input is given twice for '" + name + "'");
    }
  }
  return files;
}

/// Where no input is given at all, and the model wants some, the line makes no sense.
std::vector<Tensor> run(const Predictor& predictor, const std::map<std::string, Tensor>& inputs) {
  try {
    const auto ordered = predictor.order_inputs({inputs.begin(), inputs.end()});
    return predictor.predict(Span<const TensorView>(ordered));
  } catch (const Error& e) {
    if (!inputs.empty() || e.code() != ErrorCode::invalid_argument) throw;
    throw UsageError(std::string("predict wants an --input NAME=FILE.npy for every input of the model: ") +
                     e.what());
  }
}

int run_predict(const PredictOptions& options) {
  const std::map<std::string, std::string> files = input_files(options);
  LoadOptions load = load_options(options);
  for (const auto& [name, file] : files) load.input_names.push_back(name);
  const Predictor predictor(load_model(options, load), run_options(options));
  print_warnings(predictor.warnings());
  std::map<std::string, Tensor> inputs;
  for (const auto& [name, file] : files) inputs.emplace(name, load_npy(file));

  const std::vector<Tensor> outputs = run(predictor, inputs);
  make_folder("--output-dir", options.output_dir);
  const std::vector<DataDesc>& descriptors = predictor.model().signature().outputs;
  Json report = Json::array();
  Table table;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string file =
        (std::filesystem::path(options.output_dir) / (std::to_string(i) + ".npy")).string();
    save_npy(file, outputs[i]);
    const std::string& name = descriptors.at(i).name;
    report.push_back({{"name", name},
                      {"shape", to_json(outputs[i].shape())},
                      {"dtype", to_string(outputs[i].dtype())},
                      {"file", file}});
    table.add({file, clean(name), to_string(outputs[i].shape()), to_string(outputs[i].dtype())});
  }
  if (options.json) {
    print_json({{"outputs", report}});
  } else {
    table.print(std::cout);
  }
  return 0;
}

}  // namespace

void add_predict(CLI::App& app, Run& run) {
  auto options = std::make_shared<PredictOptions>();
  CLI::App* command = app.add_subcommand("predict", "Run a model on arrays from .npy files");
  add_model_options(*command, *options);
  command
      ->add_option(
          "--input", options->inputs,
          "The array for an input of the model; one for every input, but for labels of the training and "
          "states that a recurrent network begins with, which are zeros then. Where the name or the file "
          "holds '=', the last one parts them behind which there is such a file")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE.npy");
  command->add_option("INPUTS", options->more_inputs, "More inputs, as after --input")
      ->type_name("NAME=FILE.npy");
  command
      ->add_option("--output-dir", options->output_dir,
                   "Where 0.npy, 1.npy, ... are written; made if need be")
      ->required()
      ->type_name("DIR");
  command->footer(
      "\nPrints a line for each output: file, name, shape, dtype.\n\n"
      "Examples:\n"
      "  mxinfer predict resnet18_v1 --input data=batch.npy --output-dir out\n"
      "  mxinfer predict arcface --input data=face.npy --output fc1_output --output-dir out --json");
  command->callback([&run, options] { run = [options] { return run_predict(*options); }; });
}

}  // namespace mxinfer::cli
