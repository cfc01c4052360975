#include "cli/options/options.h"

#include <mxinfer/settings.h>
#include <mxinfer/version.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <set>
#include <system_error>
#include <thread>

#include "base/text/suggest.h"
#include "cli/options/named_settings.h"
#include "cli/options/value_checks.h"
#include "cli/output/output.h"
#include "cli/output/transfer_bar.h"
#include "sources/address.h"

namespace mxinfer::cli {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Without the brackets of "(1, 2)" or "[1, 2]", if there are any.
std::string_view without_brackets(std::string_view text) {
  text = trim(text);
  const bool round = text.size() >= 2 && text.front() == '(' && text.back() == ')';
  const bool square = text.size() >= 2 && text.front() == '[' && text.back() == ']';
  return round || square ? trim(text.substr(1, text.size() - 2)) : text;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::pair<std::string, std::string> split_at(const std::string& option, const std::string& text,
                                             std::size_t equals, const char* form) {
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError(invalid_value(option, text, form));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// What the library accepts on a process that may use all cores.
std::uint64_t most_threads() {
  return std::max(1024U, 8 * std::thread::hardware_concurrency());
}

/// The options of loading that are not about addresses, and those of running and of the queue.
std::vector<std::string> settings_of_set() {
  std::vector<std::string> names;
  for (const SettingInfo& info : settings_known()) {
    const bool is_of_loading = info.group == SettingGroup::load && !info.is_for_addresses;
    if (is_of_loading || info.group == SettingGroup::run || info.group == SettingGroup::queue)
      names.emplace_back(info.name);
  }
  return names;
}

Settings settings_given(const ModelOptions& options) {
  Settings settings;
  for (const std::string& text : options.set) set_by_name(settings, "--set", text, settings_of_set());
  return settings;
}

}  // namespace

const char* const kDescriptorForm = "NAME=SHAPE[:DTYPE[:LAYOUT[:MEANING]]]";

void add_epoch_option(CLI::App& command, std::optional<int>& epoch, const std::string& group) {
  whole_number(
      command.add_option("--epoch", epoch,
                         "Load the .params file of epoch N, the number in its name, if there are several"),
      0)
      ->type_name("N")
      ->group(group);
}

void add_model_argument(CLI::App& command, ModelOptions& options) {
  command
      .add_option("MODEL", options.model,
                  "Prefix, symbol file, folder that holds one model, archive (.mxz, model.tar.gz, .mar, zip, "
                  "tar), or the address of one of these, such as https://HOST/resnet18_v1")
      ->required();
}

void add_loading_options(CLI::App& command, ModelOptions& options) {
  add_model_argument(command, options);
  const auto add = [&](const char* name, auto& value, const char* type, const std::string& text) {
    return command.add_option(name, value, text)->group(kLoadingGroup)->type_name(type);
  };
  add_epoch_option(command, options.epoch, kLoadingGroup);
  add("--params", options.params, "FILE",
      "Load the parameters from this file or address; MODEL is then the symbol file");
  add("--graph", options.graph, "NAME", "Load this graph of a bundle (default: the bundle's default graph)");
  add("--layer", options.layers, "NAME",
      "Return this inner value instead of the model's outputs, such as fc1_output; may be repeated. If "
      "several values have the same name, add an index: conv0_output#1")
      ->allow_extra_args(false);
  add("--describe", options.descriptors, kDescriptorForm,
      "Describe an input if the file does not, such as data=-1,3,224,224:uint8:NCHW; may be repeated. The "
      "name ends at the last '='")
      ->allow_extra_args(false);
  command
      .add_flag("--no-transforms", options.no_transforms,
                "Load the network alone, without the transforms stored with it")
      ->group(kLoadingGroup);
  one_of(
      add("--random", options.random, "NAME",
          "How to treat operators that draw random numbers: reject (default: fail and list them), identity "
          "(keep images as they are; crops take the centre) or execute"),
      {"reject", "identity", "execute"});
  whole_number(add("--seed", options.seed, "N", "Seed of --random execute (default 0)"), 0,
               std::numeric_limits<std::uint64_t>::max());
  add_address_options(command, options);
}

void add_running_options(CLI::App& command, ModelOptions& options) {
  const auto add = [&](const char* name, auto& value, const char* type, const std::string& text) {
    return command.add_option(name, value, text)->group(kRunningGroup)->type_name(type);
  };
  whole_number(add("-t,--threads", options.threads, "N", "Number of threads per call (default 0: all cores)"),
               0, most_threads());
  const std::vector<std::string> targets = build_info().targets;
  one_of(add("--target", options.target, "NAME",
             "Instruction set: " + listed(targets) + " (default: the best that this CPU supports)"),
         targets);
  named_by(add("--precision", options.precision, "NAME",
               "Precision of large products: float32 (default) or bfloat16; on CUDA devices also tf32 and "
               "float16. Aliases: fp32, bf16, fp16, half"),
           {"float32", "bfloat16", "tf32", "float16"},
           [](const std::string& name) { (void)parse_precision(name); });
  parsed_by(
      add("--device", options.device, "NAME",
          "Device that runs the network: cpu (default), an NVIDIA GPU (cuda:0, cuda:1, ...), or several that "
          "share the calls (cuda:0,cuda:1 or cuda:all). gpu is an alias of cuda"),
      "cpu, or a GPU: cuda:0, cuda:1, ..., or several: cuda:0,cuda:1 or cuda:all",
      [](const std::string& names) { (void)parse_devices(names); });
  command
      .add_flag("--no-cpu-fallback", options.no_cpu_fallback,
                "Fail if the device has no kernel for a node, instead of running the node on the CPU")
      ->group(kRunningGroup);
  add("--tuning", options.tuning, "FILE",
      "Use the kernel choices that `mxinfer tune` measured on this machine and saved in FILE");
  number(add("--max-winograd-mb", options.max_winograd_mb, "MB",
             "Limit the memory for Winograd weights of a plan, in MB (default: no limit)"),
         0.0, 1e6);
  add("--set", options.set, "NAME=VALUE",
      "Set another option of loading or running by name, such as max_plans=4; may be repeated. "
      "docs/reference/options.md lists them")
      ->allow_extra_args(false);
}

void add_model_options(CLI::App& command, ModelOptions& options) {
  add_loading_options(command, options);
  add_running_options(command, options);
}

void add_general_options(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Write JSON to standard output instead of text");
  command.add_flag_callback("-q,--quiet", be_quiet, "Print errors only, without warnings and progress");
  command.set_help_flag("-h,--help", "Print this help");
}

void add_shape_option(CLI::App& command, std::vector<std::string>& shapes) {
  command
      .add_option("-s,--shape", shapes,
                  "Shape of an input, such as data=1,3,224,224; may be repeated (default: the model's own "
                  "shape with a batch of 1. Images that the model resizes are 640 x 480; other images of "
                  "open size are 224 x 224, or the nearest size that the model accepts)")
      ->allow_extra_args(false)
      ->type_name("NAME=SHAPE");
}

void add_labels_option(CLI::App& command, std::string& labels) {
  command
      .add_option(
          "--labels", labels,
          "Read class names, one per line, from a file or address (default: synset.txt beside the model)")
      ->type_name("FILE");
}

LoadOptions load_options(const ModelOptions& options) {
  LoadOptions load = settings_given(options).load_options();
  if (options.epoch) load.epoch = options.epoch;
  if (!options.graph.empty()) load.graph = options.graph;
  if (!options.layers.empty()) load.outputs = options.layers;
  if (options.no_transforms) load.load_transforms = false;
  if (options.random == "identity") load.random_transforms = RandomTransforms::identity;
  if (options.random == "execute") load.random_transforms = RandomTransforms::execute;
  if (options.seed != 0) load.seed = options.seed;
  if (!options.sha256.empty()) load.sha256 = options.sha256;
  load.remote = remote_options(options);
  for (const std::string& text : options.descriptors)
    load.inputs.push_back(parse_descriptor("--describe", text));
  return load;
}

LoadOptions load_options_with_labels(const ModelOptions& options, const std::string& labels) {
  LoadOptions load = load_options(options);
  if (labels.empty()) return load;
  load.labels = load_labels(labels, load);
  if (load.labels.empty()) {
    throw Error(ErrorCode::malformed, sources::shown(labels) + " contains no labels: expected one per line");
  }
  return load;
}

Options run_options(const ModelOptions& options) {
  Options run = settings_given(options).options();
  if (options.threads) run.threads = *options.threads;
  if (!options.target.empty()) run.target = parse_target(options.target);
  if (!options.precision.empty()) run.precision = parse_precision(options.precision);
  if (!options.device.empty()) run.device = options.device;
  if (options.no_cpu_fallback) run.cpu_fallback = false;
  if (!options.tuning.empty()) run.tuning_file = options.tuning;
  if (options.max_winograd_mb)
    run.max_winograd_bytes = static_cast<std::size_t>(*options.max_winograd_mb * 1e6);
  return run;
}

Model load_model(const ModelOptions& options, const LoadOptions& load) {
  if (!options.params.empty() && options.epoch)
    throw UsageError("--epoch and --params both select the .params file: pass only one of them");
  Model model = options.params.empty() ? Model::load(options.model, load)
                                       : Model::load_files(options.model, options.params, load);
  hide_transfers();
  return model;
}

std::pair<std::string, std::string> split_named(const std::string& option, const std::string& text,
                                                const char* form) {
  return split_at(option, text, text.rfind('='), form);
}

std::pair<std::string, std::string> split_named_file(const std::string& option, const std::string& text,
                                                     const char* form) {
  const auto is_file = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
  };
  for (std::size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
    if (sources::has_scheme(std::string_view(text).substr(at + 1))) return split_at(option, text, at, form);
  }
  for (std::size_t at = text.rfind('='); at != std::string::npos && at > 0; at = text.rfind('=', at - 1)) {
    if (is_file(text.substr(at + 1))) return split_at(option, text, at, form);
  }
  return split_at(option, text, text.find('='), form);
}

Shape parse_shape(const std::string& option, std::string_view text, std::int64_t minimum) {
  Shape shape;
  std::string_view inside = without_brackets(text);
  if (inside.size() < text.size() && !inside.empty() && inside.back() == ',')
    inside.remove_suffix(1);  // "(3,)"
  if (inside.empty()) return shape;
  for (const std::string& part : split(inside, ',')) {
    const std::string_view digits = trim(part);
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (error != std::errc() || end != digits.data() + digits.size() || size < minimum) {
      throw UsageError(invalid_value(option, std::string(text),
                                     "sizes of at least " + std::to_string(minimum) +
                                         ", separated by commas, such as data=1,3,224,224"));
    }
    if (shape.rank() == Shape::kMaxRank) {
      throw UsageError(
          invalid_value(option, std::string(text), "at most " + std::to_string(Shape::kMaxRank) + " sizes"));
    }
    shape.push_back(size);
  }
  return shape;
}

std::vector<NamedShape> parse_named_shapes(const std::vector<std::string>& texts) {
  std::vector<NamedShape> shapes;
  std::set<std::string> seen;
  for (const std::string& text : texts) {
    const auto [name, sizes] = split_named("--shape", text, "NAME=SHAPE, such as data=1,3,224,224");
    if (!seen.insert(name).second)
      throw UsageError("--shape is given twice for '" + name + "': give each input one shape");
    shapes.emplace_back(name, parse_shape("--shape", sizes, 0));
  }
  return shapes;
}

DataDesc parse_descriptor(const std::string& option, const std::string& text) try {
  return parse_data_desc(text);
} catch (const Error& e) {
  throw UsageError(option + ": " + e.what());
}

Meaning parse_meaning(const std::string& option, std::string_view name) {
  std::vector<std::string> known;
  for (Meaning meaning : {Meaning::image, Meaning::encoded_image, Meaning::image_path, Meaning::scores,
                          Meaning::ids, Meaning::boxes, Meaning::landmarks, Meaning::text}) {
    if (name == to_string(meaning)) return meaning;
    known.emplace_back(to_string(meaning));
  }
  if (name.empty()) return Meaning::unspecified;
  throw UsageError(option + ": unknown meaning '" + std::string(name) + "': expected " + listed(known) +
                   did_you_mean(std::string(name), known));
}

}  // namespace mxinfer::cli
