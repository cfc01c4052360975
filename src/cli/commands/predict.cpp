// mxinfer predict: runs a model on arrays from .npy and .npz files, and writes such files.
#include <mxinfer/error.h>
#include <mxinfer/predictor.h>

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/inputs/folders.h"
#include "cli/inputs/numbered_files.h"
#include "cli/options/options.h"
#include "cli/output/output.h"
#include "cli/output/transfer_bar.h"
#include "formats/arrays/npz.h"
#include "sources/address.h"
#include "sources/opener.h"
#include "tensor/npy.h"

namespace mxinfer::cli {
namespace {

namespace fs = std::filesystem;

struct PredictOptions : ModelOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> more_inputs;
  std::string output;
  bool force = false;
};

bool is_npz(const std::string& place) {
  const std::string path = sources::has_scheme(place) ? sources::parse_address(place).path : place;
  return fs::path(path).extension() == ".npz";
}

/// Whether the text is the path of a zip file of any name: an archive of arrays.
bool holds_zip(const std::string& text) {
  std::error_code ignored;
  if (sources::has_scheme(text) || !fs::is_regular_file(text, ignored)) return false;
  std::array<std::byte, 4> first{};
  std::ifstream file(text, std::ios::binary);
  file.read(reinterpret_cast<char*>(first.data()), first.size());
  return formats::begins_like_npz({first.data(), static_cast<std::size_t>(file.gcount())});
}

/// Whether the text is a file, without the name of an input in front of it.
bool is_file(const std::string& text) {
  std::error_code ignored;
  return sources::has_scheme(text) || text.find('=') == std::string::npos || fs::exists(text, ignored);
}

std::vector<std::byte> read_whole(const std::string& place, const sources::Opener& opener) {
  const auto source = opener.open_existing(place);
  return sources::read_bytes(*source, source->size());
}

/// The arrays of --input: from files by input, and from archives.
class GivenInputs {
 public:
  GivenInputs(const PredictOptions& options, const sources::Opener& opener) : opener_(opener) {
    for (const std::string& text : options.inputs) add("--input", text);
    for (const std::string& text : options.more_inputs) add("INPUTS", text);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, file] : files_) names.push_back(name);
    for (const auto& [name, tensor] : arrays_) names.push_back(name);
    return names;
  }
  /// Reads the files that were not read yet.
  std::map<std::string, Tensor> load() && {
    for (const auto& [name, file] : files_) arrays_.emplace(name, read_one(name, file));
    return std::move(arrays_);
  }

 private:
  /// The array of a .npy file; of an archive, its only array, or the one called `name`.
  Tensor read_one(const std::string& name, const std::string& file) const {
    const std::vector<std::byte> bytes = read_whole(file, opener_);
    const std::string shown = clean(sources::shown(file));
    if (!formats::begins_like_npz(bytes)) return read_npy(bytes, shown);
    std::vector<formats::NamedArray> arrays = formats::read_npz(bytes, shown);
    if (arrays.size() == 1) return std::move(arrays[0].tensor);
    std::string names;
    for (formats::NamedArray& array : arrays) {
      if (array.name == name) return std::move(array.tensor);
      names += (names.empty() ? "'" : ", '") + clean(array.name) + "'";
    }
    throw Error(ErrorCode::invalid_argument, shown + ": the archive holds " + std::to_string(arrays.size()) +
                                                 " arrays (" + names + "), none of them '" + clean(name) +
                                                 "'; pass it without '" + clean(name) +
                                                 "=' to feed each of them to the input of its name");
  }
  void add(const std::string& option, const std::string& text) {
    if ((is_npz(text) && is_file(text)) || holds_zip(text)) {
      for (formats::NamedArray& array :
           formats::read_npz(read_whole(text, opener_), clean(sources::shown(text)))) {
        check_new(array.name);
        arrays_.emplace(array.name, std::move(array.tensor));
      }
      return;
    }
    const auto [name, file] =
        split_named_file(option, text, "NAME=FILE.npy, such as data=batch.npy, or an archive FILE.npz");
    check_new(name);
    files_.emplace(name, file);
  }
  void check_new(const std::string& name) const {
    if (files_.count(name) + arrays_.count(name) > 0)
      throw UsageError("--input is given twice for '" + name + "': give each input one array");
  }

  const sources::Opener& opener_;
  std::map<std::string, std::string> files_;
  std::map<std::string, Tensor> arrays_;
};

/// UsageError if the model needs inputs and none is given.
std::vector<Tensor> run(const Predictor& predictor, const std::map<std::string, Tensor>& inputs) {
  try {
    return predictor.predict(predictor.order_inputs(inputs));
  } catch (const Error& e) {
    if (!inputs.empty() || e.code() != ErrorCode::invalid_argument) throw;
    throw UsageError(std::string("predict requires --input NAME=FILE.npy for each input of the model: ") +
                     e.what());
  }
}

/// Writes the outputs, and returns the file of each.
std::vector<std::string> save(const PredictOptions& options, const std::vector<DataDesc>& descriptors,
                              const std::vector<Tensor>& outputs) {
  if (is_npz(options.output)) {
    make_folder_of("--output", options.output);
    std::vector<std::pair<std::string, TensorView>> arrays;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      arrays.emplace_back(descriptors.at(i).name, outputs[i].view());
    formats::save_npz(options.output, arrays);
    return std::vector<std::string>(outputs.size(), options.output);
  }
  make_folder("--output", options.output);
  remove_files_beyond(options.output, outputs.size());
  std::vector<std::string> files;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    files.push_back(numbered_file(options.output, i));
    save_npy(files.back(), outputs[i]);
  }
  return files;
}

void print(const PredictOptions& options, const std::vector<DataDesc>& descriptors,
           const std::vector<Tensor>& outputs, const std::vector<std::string>& files) {
  Json report = Json::array();
  Table table;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string& name = descriptors.at(i).name;
    report.push_back({{"name", name},
                      {"shape", to_json(outputs[i].shape())},
                      {"dtype", to_string(outputs[i].dtype())},
                      {"file", files[i]}});
    table.add({clean(files[i]), clean(name), to_string(outputs[i].shape()), to_string(outputs[i].dtype())});
  }
  if (options.json) {
    print_json({{"outputs", report}});
  } else {
    table.print(std::cout);
  }
}

int run_predict(const PredictOptions& options) {
  LoadOptions load = load_options(options);
  const sources::Opener opener(load);
  GivenInputs given(options, opener);
  load.input_names = given.names();
  const Predictor predictor(load_model(options, load), run_options(options));
  print_warnings(predictor.warnings());
  const std::vector<DataDesc>& descriptors = predictor.model().signature().outputs;
  if (!options.force && !is_npz(options.output)) reject_files_beyond(options.output, descriptors.size());
  const std::map<std::string, Tensor> inputs = std::move(given).load();
  hide_transfers();
  const std::vector<Tensor> outputs = run(predictor, inputs);
  print(options, descriptors, outputs, save(options, descriptors, outputs));
  return 0;
}

}  // namespace

void add_predict(CLI::App& app, Run& run) {
  auto options = std::make_shared<PredictOptions>();
  CLI::App* command = app.add_subcommand("predict", "Run a model on arrays from .npy and .npz files");
  add_model_options(*command, *options);
  command->add_option("INPUTS", options->more_inputs, "Inputs, as for --input");
  command
      ->add_option("-i,--input", options->inputs,
                   "Array for an input of the model, or FILE.npz (any zip file) with an array for each input "
                   "under its name; may be repeated. Training labels and initial states of recurrent "
                   "networks may be omitted and are then zeros. FILE may be an address. If the name or the "
                   "path contains '=', the name ends at the last '=' that is followed by an existing file")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE.npy");
  command
      ->add_option("-o,--output", options->output,
                   "Folder for 0.npy, 1.npy, ..., or an archive FILE.npz with each output under its name; "
                   "folders are created if they do not exist")
      ->required()
      ->type_name("PATH");
  command->add_flag("--force", options->force,
                    "Remove from the folder the surplus files of an earlier run with more outputs");
  add_general_options(*command, options->json);
  command->footer(
      "Prints one line per output: file, name, shape and dtype. Existing files of these names are replaced. "
      "If the folder holds more of them, from an earlier run with more outputs, the command fails before it "
      "runs the model; pass --force to remove them.\n\n"
      "Examples:\n"
      "  mxinfer predict resnet18_v1 --input data=batch.npy --output out\n"
      "  mxinfer predict resnet18_v1 batch.npz --output scores.npz\n"
      "  mxinfer predict arcface --input data=face.npy --layer fc1_output --output out --json");
  command->callback([&run, options] { run = [options] { return run_predict(*options); }; });
}

}  // namespace mxinfer::cli
