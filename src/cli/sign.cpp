// mxinfer sign: writes into the symbol file what a model takes and gives.
#include <mxinfer/model.h>
#include <mxinfer/sign.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/command_words.h"
#include "cli/commands.h"
#include "cli/folders.h"
#include "cli/options.h"
#include "cli/output.h"

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
  const auto [name, meaning] = split_named("--output", text);
  desc.name = name;
  desc.meaning = parse_meaning("--output", meaning);
  return desc;
}

SignOptions sign_options(const SignArguments& arguments) {
  SignOptions options = arguments.sign;
  for (const std::string& text : arguments.inputs)
    options.inputs.push_back(parse_descriptor("--input", text));
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
    throw UsageError("sign wants either --output-prefix PREFIX or --in-place");
  }
  if (!arguments.sign.output_prefix.empty()) make_folder_of("--output-prefix", arguments.sign.output_prefix);
  const SignedModel model = sign(arguments.model, sign_options(arguments));
  for (const std::string& warning : model.warnings)
    std::cerr << "mxinfer: warning: " << clean(in_command_words(warning, "sign")) << '\n';
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
  command.set_help_flag("-h,--help", "Print this help");
  command.add_option("MODEL", arguments.model, "A prefix, a symbol file or a folder that holds one model")
      ->required();
  whole_number(command.add_option("--epoch", arguments.sign.epoch,
                                  "The number in the name of the .params file, where there are several"),
               0)
      ->type_name("N");
  command
      .add_option("--input", arguments.inputs,
                  "What an input is, such as data=-1,3,224,224:float32:NCHW; may be repeated (default: what\n"
                  "the file says, or what can be told from the network)")
      ->allow_extra_args(false)
      ->type_name(kDescriptorForm);
  command
      .add_option("--output", arguments.outputs,
                  "What an output means, such as softmax_output=scores; or new names for all outputs in\n"
                  "order; may be repeated. Meanings: scores, ids, boxes")
      ->allow_extra_args(false)
      ->type_name("NAME[=MEANING]");
  command
      .add_option("--labels", arguments.labels,
                  "Class names, one a line (default: those of the file, or synset.txt beside the model)")
      ->type_name("FILE");
  command
      .add_option("--output-prefix", arguments.sign.output_prefix,
                  "Write PREFIX-symbol.json and a copy of the parameters; their folder is made if need be")
      ->type_name("PREFIX");
  command.add_flag("--in-place", arguments.sign.in_place, "Change the symbol file itself");
  command.add_flag("--replace", arguments.sign.replace,
                   "Pass over the signature that the file has, which may be broken");
  command.add_flag("--json", arguments.json, "Print JSON");
}

}  // namespace

void add_sign(CLI::App& app, Run& run) {
  auto arguments = std::make_shared<SignArguments>();
  CLI::App* command =
      app.add_subcommand("sign", "Write into a model's symbol file what it takes and gives, and its labels");
  add_options(*command, *arguments);
  command->footer(
      "\nExamples:\n"
      "  mxinfer sign resnet18_v1 --output-prefix signed/resnet18_v1 --labels synset.txt\n"
      "  mxinfer sign resnet18_v1 --in-place --input data=-1,3,224,224:float32:NCHW \\\n"
      "    --output resnetv10_dense0_fwd_output=scores");
  command->callback([&run, arguments] { run = [arguments] { return run_sign(*arguments); }; });
}

}  // namespace mxinfer::cli
