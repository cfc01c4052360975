// mxinfer pack and unpack: write a model's files as one bundle, and back.
#include <mxinfer/tools/bundle.h>
#include <mxinfer/version.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/inputs/folders.h"
#include "cli/options/options.h"
#include "cli/options/value_checks.h"
#include "cli/output/output.h"

namespace mxinfer::cli {
namespace {

constexpr const char* kNative = "native";

struct PackCommand {
  std::string model, output, name;
  std::optional<int> epoch;
  std::vector<std::string> graphs;
  std::vector<std::string> targets, shapes;  ///< to pack weights for
  std::string precision;
  bool json = false;
};

void print_files(const std::vector<std::string>& files, bool json) {
  if (json) {
    print_json({{"files", files}});
    return;
  }
  for (const std::string& file : files) std::cout << clean(file) << '\n';
}

std::vector<PackedFor> packed_for(const PackCommand& command) {
  if (command.targets.empty() && !(command.shapes.empty() && command.precision.empty()))
    throw UsageError("--shape and --precision are those of packed weights: pass --packed-for too");
  std::vector<PackedFor> all;
  for (const std::string& target : command.targets) {
    PackedFor one;
    if (target != kNative) one.options.target = parse_target(target);
    if (!command.precision.empty()) one.options.precision = parse_precision(command.precision);
    one.shapes = parse_named_shapes(command.shapes);
    all.push_back(std::move(one));
  }
  return all;
}

int run_pack(const PackCommand& command) {
  PackOptions options;
  options.epoch = command.epoch;
  if (!command.name.empty()) options.name = command.name;
  for (const std::string& text : command.graphs) {
    const auto [name, path] = split_named_file("--add-graph", text, "NAME=FILE");
    if (!options.graphs.emplace(name, path).second)
      throw UsageError("--add-graph is given twice for '" + name + "': give each graph a name of its own");
  }
  options.packed_for = packed_for(command);
  make_folder_of("--output", command.output);
  pack_bundle(command.model, command.output, options);
  print_files({command.output}, command.json);
  return 0;
}

int run_unpack(const PackCommand& command) {
  make_folder_of("--output", command.output);
  print_files(unpack_model(command.model, command.output, command.name), command.json);
  return 0;
}

void add_packing_options(CLI::App& command, PackCommand& options) {
  std::vector<std::string> targets = build_info().targets;
  targets.insert(targets.begin(), kNative);
  CLI::Option* packed_for = command.add_option(
      "--packed-for", options.targets,
      "Also store the weights as kernels of this target read them, so that programs start faster: native "
      "(this CPU's best target), or a target; may be repeated");
  one_of(packed_for->allow_extra_args(false)->type_name("TARGET"), targets);
  CLI::Option* precision =
      command.add_option("--precision", options.precision,
                         "Precision that weights are packed for: float32 (default) or bfloat16");
  one_of(precision->type_name("NAME"), {"float32", "bfloat16"});
  add_shape_option(command, options.shapes);
}

}  // namespace

void add_pack(CLI::App& app, Run& run) {
  auto options = std::make_shared<PackCommand>();
  CLI::App* command = app.add_subcommand("pack", "Pack a model's files into one bundle (.mxz)");
  command->add_option("MODEL", options->model, "Prefix, symbol file, folder or archive")->required();
  command
      ->add_option("-o,--output", options->output,
                   "Bundle to write; its folder is created if it does not exist")
      ->required()
      ->type_name("FILE");
  add_epoch_option(*command, options->epoch);
  command->add_option("--name", options->name, "Name of the graph (default: prediction)")->type_name("NAME");
  command
      ->add_option("--add-graph", options->graphs,
                   "Add another graph that uses the model's parameters, from a symbol file; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE");
  add_packing_options(*command, *options);
  add_general_options(*command, options->json);
  command->footer(
      "Examples:\n"
      "  mxinfer pack models/digits --output digits.mxz\n"
      "  mxinfer pack resnet18 --output resnet18.mxz --add-graph train=resnet18-train-symbol.json\n"
      "  mxinfer pack resnet18 --output resnet18.mxz --packed-for native --shape data=1,3,224,224");
  command->callback([&run, options] { run = [options] { return run_pack(*options); }; });
}

void add_unpack(CLI::App& app, Run& run) {
  auto options = std::make_shared<PackCommand>();
  CLI::App* command = app.add_subcommand(
      "unpack", "Unpack a bundle or another archive into a symbol file and a .params file");
  command->add_option("ARCHIVE", options->model, "Bundle (.mxz), model.tar.gz, .mar, zip or tar file")
      ->required();
  command
      ->add_option(
          "-o,--output", options->output,
          "Write PREFIX-symbol.json and PREFIX-0000.params, with synset.txt beside them; the folder is "
          "created if it does not exist")
      ->required()
      ->type_name("PREFIX");
  command
      ->add_option("--graph", options->name,
                   "Unpack this graph of a bundle (default: the bundle's default graph)")
      ->type_name("NAME");
  add_general_options(*command, options->json);
  command->footer("Example:\n  mxinfer unpack digits.mxz --output models/digits");
  command->callback([&run, options] { run = [options] { return run_unpack(*options); }; });
}

}  // namespace mxinfer::cli
