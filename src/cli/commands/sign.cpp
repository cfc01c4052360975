// mxinfer sign: writes a model's signature and labels into its symbol file.
#include <mxinfer/model.h>
#include <mxinfer/tools/sign.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/inputs/folders.h"
#include "cli/options/options.h"
#include "cli/output/output.h"

namespace mxinfer::cli {
namespace {

struct SignArguments {
  std::string model;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::string labels;
  SignOptions sign;
  bool json = false;
};

/// "NAME" or "NAME=MEANING".
DataDesc parse_output(const std::string& text) {
  DataDesc desc;
  desc.name = text;
  if (text.find('=') == std::string::npos) return desc;
  const auto [name, meaning] = split_named("--describe-output", text, "NAME or NAME=MEANING");
  desc.name = name;
  desc.meaning = parse_meaning("--describe-output", meaning);
  return desc;
}

SignOptions sign_options(const SignArguments& arguments) {
  SignOptions options = arguments.sign;
  for (const std::string& text : arguments.inputs)
    options.inputs.push_back(parse_descriptor("--describe", text));
  for (const std::string& text : arguments.outputs) options.outputs.push_back(parse_output(text));
  if (!arguments.labels.empty()) options.labels = load_labels(arguments.labels);
  return options;
}

void print_text(const SignedModel& model) {
  Table table;
  for (const DataDesc& input : model.signature.inputs) table.add({"input", clean(to_string(input))});
  for (const DataDesc& output : model.signature.outputs) table.add({"output", clean(to_string(output))});
  table.add({"labels", model.labels.empty() ? "none" : std::to_string(model.labels.size())});
  table.add({"symbol", clean(model.symbol_path)});
  table.add({"parameters", model.params_path.empty() ? "none" : clean(model.params_path)});
  table.print(std::cout);
}

int run_sign(const SignArguments& arguments) {
  if (arguments.sign.in_place != arguments.sign.output_prefix.empty()) {
    throw UsageError(
        "sign requires either --output PREFIX or --in-place; to set the meaning of an output, use "
        "--describe-output");
  }
  if (!arguments.sign.output_prefix.empty()) make_folder_of("--output", arguments.sign.output_prefix);
  const SignedModel model = sign_model(arguments.model, sign_options(arguments));
  print_warnings(model.warnings);
  if (arguments.json) {
    print_json({{"inputs", to_json(model.signature.inputs)},
                {"outputs", to_json(model.signature.outputs)},
                {"labels", model.labels},
                {"symbol", model.symbol_path},
                {"params", model.params_path},
                {"warnings", model.warnings}});
  } else {
    print_text(model);
  }
  return 0;
}

void add_options(CLI::App& command, SignArguments& arguments) {
  command.add_option("MODEL", arguments.model, "Prefix, symbol file, or folder that holds one model")
      ->required();
  add_epoch_option(command, arguments.sign.epoch);
  command
      .add_option(
          "--describe", arguments.inputs,
          "Describe an input, such as data=-1,3,224,224:float32:NCHW; may be repeated (default: as the file "
          "describes it, or inferred from the network)")
      ->allow_extra_args(false)
      ->type_name(kDescriptorForm);
  command
      .add_option(
          "--describe-output", arguments.outputs,
          "Set the meaning of an output, such as softmax_output=scores, or new names for all outputs, in "
          "order; may be repeated. Meanings: scores, ids, boxes, landmarks")
      ->allow_extra_args(false)
      ->type_name("NAME[=MEANING]");
  command
      .add_option("--labels", arguments.labels,
                  "Read class names, one per line, from this file (default: those in the symbol file, or "
                  "synset.txt beside the model)")
      ->type_name("FILE");
  command
      .add_option(
          "-o,--output", arguments.sign.output_prefix,
          "Write PREFIX-symbol.json and a copy of the parameters; the folder is created if it does not exist")
      ->type_name("PREFIX");
  command.add_flag("--in-place", arguments.sign.in_place, "Modify the symbol file itself");
  command.add_flag("--replace", arguments.sign.replace,
                   "Ignore the signature that the file already has, even if it is invalid");
  add_general_options(command, arguments.json);
}

}  // namespace

void add_sign(CLI::App& app, Run& run) {
  auto arguments = std::make_shared<SignArguments>();
  CLI::App* command = app.add_subcommand("sign", "Write a model's signature and labels into its symbol file");
  add_options(*command, *arguments);
  command->footer(
      "Examples:\n"
      "  mxinfer sign resnet18_v1 --output signed/resnet18_v1 --labels synset.txt\n"
      "  mxinfer sign resnet18_v1 --in-place --describe data=-1,3,224,224:float32:NCHW \\\n"
      "    --describe-output resnetv10_dense0_fwd_output=scores");
  command->callback([&run, arguments] { run = [arguments] { return run_sign(*arguments); }; });
}

}  // namespace mxinfer::cli
