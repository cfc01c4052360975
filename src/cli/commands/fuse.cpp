// mxinfer fuse: writes a network with preprocessing and postprocessing attached as one model.
#include <mxinfer/error.h>
#include <mxinfer/tools/model_builder.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/inputs/folders.h"
#include "cli/options/options.h"
#include "cli/options/value_checks.h"
#include "cli/output/output.h"

namespace mxinfer::cli {
namespace {

struct FuseOptions {
  std::string network, params, transforms, post, signature, labels, output;
  std::optional<int> epoch;
  std::vector<std::string> descriptors, samples, graphs;
  bool json = false;
};

ModelBuilder open_network(const FuseOptions& options) {
  LoadOptions load;
  load.epoch = options.epoch;
  for (const std::string& text : options.descriptors)
    load.inputs.push_back(parse_descriptor("--describe", text));
  if (options.params.empty()) return ModelBuilder(options.network, load);
  if (options.epoch)
    throw UsageError("--epoch and --params both select the .params file: pass only one of them");
  return ModelBuilder::from_files(options.network, options.params, load);
}

void set_up(ModelBuilder& builder, const FuseOptions& options) {
  if (!options.transforms.empty()) builder.set_transforms(read_transforms(options.transforms));
  if (!options.post.empty()) builder.set_post(read_transforms(options.post));
  if (!options.signature.empty()) builder.signature_file(options.signature);
  if (!options.labels.empty()) builder.labels(load_labels(options.labels));
  for (const std::string& text : options.samples) {
    if (text.find('=') == std::string::npos || std::filesystem::exists(text)) {
      builder.sample(text);
    } else {
      const auto [name, file] = split_named_file("--sample", text, "FILE or NAME=FILE");
      builder.sample(name, file);
    }
  }
}

bool is_bundle(const std::string& output) {
  const std::string ending = ".mxz";
  return output.size() > ending.size() &&
         output.compare(output.size() - ending.size(), ending.size(), ending) == 0;
}

/// Writes the model, and returns the paths of its files.
std::vector<std::string> save(ModelBuilder& builder, const FuseOptions& options) {
  make_folder_of("--output", options.output);
  if (!is_bundle(options.output)) {
    if (!options.graphs.empty())
      throw UsageError("--add-graph requires a bundle: pass an --output that ends in .mxz");
    builder.save(options.output);
    return {options.output + "-symbol.json", options.output + "-0000.params"};
  }
  for (const std::string& text : options.graphs) {
    const auto [name, file] = split_named_file("--add-graph", text, "NAME=FILE");
    builder.add_graph(name, read_transforms(file));
  }
  builder.save_bundle(options.output);
  return {options.output};
}

Json descriptors(const std::vector<DataDesc>& list) {
  Json result = Json::array();
  for (const DataDesc& desc : list) {
    Json entry = to_json(desc);
    entry["meaning"] = to_string(desc.meaning);
    result.push_back(std::move(entry));
  }
  return result;
}

void print_text(const Signature& signature, const std::vector<std::string>& files,
                const std::vector<std::string>& steps) {
  Table table;
  const auto add = [&table](const char* title, const std::vector<std::string>& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) table.add({i == 0 ? title : "", clean(lines[i])});
  };
  const auto texts = [](const std::vector<DataDesc>& list) {
    std::vector<std::string> lines;
    for (const DataDesc& desc : list) lines.push_back(to_string(desc));
    return lines;
  };
  add("written", files);
  add("inputs", texts(signature.inputs));
  add("outputs", texts(signature.outputs));
  add("steps", steps);
  table.print(std::cout);
}

int run_fuse(const FuseOptions& options) {
  ModelBuilder builder = open_network(options);
  set_up(builder, options);
  const Signature signature = builder.fused_signature();
  print_warnings(builder.warnings());
  const std::vector<std::string> files = save(builder, options);
  const std::vector<std::string> steps = builder.describe();
  if (!options.json) {
    print_text(signature, files, steps);
    return 0;
  }
  print_json({{"files", files},
              {"inputs", descriptors(signature.inputs)},
              {"outputs", descriptors(signature.outputs)},
              {"steps", steps},
              {"warnings", builder.warnings()}});
  return 0;
}

}  // namespace

void add_fuse(CLI::App& app, Run& run) {
  auto options = std::make_shared<FuseOptions>();
  CLI::App* command =
      app.add_subcommand("fuse", "Attach preprocessing and postprocessing to a network, as one model");
  const auto add = [&](const char* name, std::string& value, const char* type, const char* text) {
    return command->add_option(name, value, text)->type_name(type);
  };
  add("--network", options->network, "MODEL", "Network: a prefix, a symbol file or a folder")->required();
  whole_number(
      command->add_option("--epoch", options->epoch,
                          "Load the .params file of epoch N, the number in its name, if there are several"),
      0)
      ->type_name("N");
  add("--params", options->params, "FILE",
      "Load the parameters from this file; --network is then the symbol file");
  command
      ->add_option("--describe", options->descriptors,
                   "Describe an input of the network if its file does not; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=SHAPE[:DTYPE[:LAYOUT]]");
  add("--transforms", options->transforms, "FILE",
      "Preprocessing, as JSON: a list of steps, one list per input name, columns of a table, or texts");
  add("--post", options->post, "FILE",
      "Postprocessing, as JSON: a list of steps, or one list per output name");
  add("--signature", options->signature, "FILE",
      "Inputs and outputs of the resulting model, as JSON (default: images of any size as input; outputs "
      "inferred)");
  add("--labels", options->labels, "FILE",
      "Read class names, one per line, from this file (default: synset.txt beside the network)");
  command
      ->add_option(
          "--sample", options->samples,
          "Image or .npy file to run once and store with its result, for mxinfer verify; for several inputs, "
          "repeat NAME=FILE")
      ->allow_extra_args(false)
      ->type_name("FILE");
  add("-o,--output", options->output, "PREFIX",
      "Write PREFIX-symbol.json and PREFIX-0000.params, or one bundle if PREFIX ends in .mxz; the folder is "
      "created if it does not exist")
      ->required();
  command
      ->add_option(
          "--add-graph", options->graphs,
          "Add a graph to the bundle: the same network, preceded by the steps in FILE; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE");
  add_general_options(*command, options->json);
  command->footer(
      "A list of steps: [{\"op\": \"resize\", \"size\": [224, 224]}, {\"op\": \"to_tensor\"}, {\"op\": "
      "\"normalize\", \"mean\": [0.485, 0.456, 0.406], \"std\": [0.229, 0.224, 0.225]}]. "
      "docs/reference/transforms.md lists the steps. Columns of a table, for a network that takes features: "
      "{\"data\": {\"columns\": [{\"name\": \"age\", \"dtype\": \"float32\", \"steps\": [...]}]}}. Texts: "
      "{\"texts\": {\"steps\": [{\"op\": \"wordpiece\", \"vocabulary\": \"vocab.json\"}], \"ids\": "
      "\"data0\", ...}}.\n\n"
      "Examples:\n"
      "  mxinfer fuse --network resnet18_v1 --transforms imagenet.json --output end_to_end\n"
      "  mxinfer fuse --network resnet18_v1 --transforms imagenet.json --post top5.json \\\n"
      "    --labels synset.txt --sample kitten.jpg --output end_to_end\n"
      "  mxinfer fuse --network resnet18_v1 --transforms imagenet.json --output end_to_end.mxz");
  command->callback([&run, options] { run = [options] { return run_fuse(*options); }; });
}

}  // namespace mxinfer::cli
