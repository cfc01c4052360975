#include "cli/options.h"

#include <mxinfer/error.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <system_error>

namespace mxinfer::cli {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Without the brackets of "(1, 2)" or "[1, 2]", where there are any.
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
                                             std::size_t equals) {
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError(option + " wants NAME=VALUE, got '" + text + "'");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

template <typename Value>
std::optional<Value> parse_number(std::string_view text) {
  Value value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// 86400 as "86400", 0.001 as "0.001".
std::string short_text(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

[[noreturn]] void refuse_number(const CLI::Option& option, const std::string& wanted,
                                const std::string& text) {
  throw UsageError(option.get_name() + " wants " + wanted + ", got '" + text + "'");
}

}  // namespace

CLI::Option* whole_number(CLI::Option* option, std::uint64_t minimum, std::uint64_t maximum) {
  // Written back, so that the parser does not read 010 as 8.
  const auto check = [option, minimum, maximum](std::string& text) {
    const std::optional<std::uint64_t> value = parse_number<std::uint64_t>(text);
    if (value && *value >= minimum && *value <= maximum) {
      text = std::to_string(*value);
      return std::string();
    }
    const bool upper = maximum < kLargestInt || (value && *value > maximum);
    refuse_number(
        *option,
        "a whole number " + (upper ? "from " + std::to_string(minimum) + " to " + std::to_string(maximum)
                                   : "of " + std::to_string(minimum) + " or more"),
        text);
  };
  return option->transform(CLI::Validator(check, ""));
}

CLI::Option* number(CLI::Option* option, double minimum, double maximum) {
  const auto check = [option, minimum, maximum](std::string& text) {
    const std::optional<double> value = parse_number<double>(text);
    if (value && *value >= minimum && *value <= maximum && std::isfinite(*value)) return std::string();
    const bool upper = std::isfinite(maximum);
    refuse_number(*option,
                  "a number " + (upper ? "from " + short_text(minimum) + " to " + short_text(maximum)
                                       : "of " + short_text(minimum) + " or more"),
                  text);
  };
  return option->transform(CLI::Validator(check, ""));
}

const char* const kDescriptorForm = "NAME=SHAPE[:DTYPE[:LAYOUT[:MEANING]]]";

void add_model_options(CLI::App& command, ModelOptions& options) {
  command.set_help_flag("-h,--help", "Print this help");
  command
      .add_option(
          "MODEL", options.model,
          "A prefix, a symbol file, a folder that holds one model, or an archive (.mxz, model.tar.gz, .mar, "
          "zip, tar)")
      ->required();
  whole_number(command.add_option("--epoch", options.epoch,
                                  "The number in the name of the .params file, where there are several"),
               0)
      ->type_name("N");
  command.add_option("--graph", options.graph, "Which graph of a bundle (default: the bundle's default)")
      ->type_name("NAME");
  command.add_option("--params", options.params, "The .params file; MODEL is then the symbol file")
      ->type_name("FILE");
  whole_number(
      command.add_option("--threads", options.threads, "Threads for one call (default 0: all cores)"), 0)
      ->type_name("N");
  command.add_flag("--no-transforms", options.no_transforms,
                   "The bare network, without the transforms that the file puts around it");
  command
      .add_option("--random", options.random,
                  "What operators that draw random numbers do: reject (the default: an error that lists "
                  "them), identity (nothing; crops take the centre) or execute")
      ->check(CLI::IsMember({"reject", "identity", "execute"}))
      ->type_name("NAME");
  whole_number(command.add_option("--seed", options.seed, "The seed of --random execute (default 0)"), 0,
               std::numeric_limits<std::uint64_t>::max())
      ->type_name("N");
  command
      .add_option("--target", options.target,
                  "Instruction set: ref, baseline, avx2 or avx512 (default: the best of this CPU)")
      ->type_name("NAME");
  command
      .add_option("--precision", options.precision,
                  "What products are computed in: float32 (default) or bfloat16")
      ->type_name("NAME");
  command
      .add_option("--tuning", options.tuning,
                  "Choices of kernels that `mxinfer tune` measured on this machine and saved")
      ->type_name("FILE");
  number(
      command.add_option("--max-winograd-mb", options.max_winograd_mb,
                         "Memory for weights of Winograd's algorithm, in MB (default: as much as they take)"),
      0.0, 1e6)
      ->type_name("MB");
  command
      .add_option(
          "--output", options.outputs,
          "An inner value to give instead of the model's outputs, such as fc1_output; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME");
  command
      .add_option("--describe", options.descriptors,
                  "What an input is, where the file does not say, such as data=-1,3,224,224:uint8:NCHW; may "
                  "be repeated. The name is what is before the last '='")
      ->allow_extra_args(false)
      ->type_name(kDescriptorForm);
  command.add_flag("--json", options.json, "Print JSON");
}

void add_shape_option(CLI::App& command, std::vector<std::string>& shapes) {
  command
      .add_option("--shape", shapes,
                  "The shape of an input, such as data=1,3,224,224; may be repeated (default: the\n"
                  "model's own, with a batch of 1, and pictures that it resizes of 640 x 480)")
      ->allow_extra_args(false)
      ->type_name("NAME=SHAPE");
}

LoadOptions load_options(const ModelOptions& options) {
  LoadOptions load;
  load.epoch = options.epoch;
  load.graph = options.graph;
  load.outputs = options.outputs;
  load.load_transforms = !options.no_transforms;
  if (options.random == "identity") load.random_transforms = RandomTransforms::identity;
  if (options.random == "execute") load.random_transforms = RandomTransforms::execute;
  load.seed = options.seed;
  for (const std::string& text : options.descriptors)
    load.inputs.push_back(parse_descriptor("--describe", text));
  return load;
}

Options run_options(const ModelOptions& options) {
  Options run;
  run.threads = options.threads;
  run.target = options.target;
  run.precision = options.precision;
  run.tuning_file = options.tuning;
  if (options.max_winograd_mb)
    run.max_winograd_bytes = static_cast<std::size_t>(*options.max_winograd_mb * 1e6);
  return run;
}

std::shared_ptr<const Model> load_model(const ModelOptions& options, const LoadOptions& load) {
  if (options.params.empty()) return Model::load(options.model, load);
  if (options.epoch) throw UsageError("--epoch and --params say the same thing twice: give one of them");
  return Model::load_files(options.model, options.params, load);
}

std::pair<std::string, std::string> split_named(const std::string& option, const std::string& text) {
  return split_at(option, text, text.rfind('='));
}

std::pair<std::string, std::string> split_named_file(const std::string& option, const std::string& text) {
  const auto is_file = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
  };
  for (std::size_t at = text.rfind('='); at != std::string::npos && at > 0; at = text.rfind('=', at - 1)) {
    if (is_file(text.substr(at + 1))) return split_at(option, text, at);
  }
  return split_at(option, text, text.find('='));
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
      throw UsageError(option + " wants sizes of at least " + std::to_string(minimum) +
                       " with commas between, such as data=1,3,224,224; got '" + std::string(text) + "'");
    }
    if (shape.rank() == Shape::kMaxRank) {
      throw UsageError(option + " takes at most " + std::to_string(Shape::kMaxRank) + " sizes");
    }
    shape.push_back(size);
  }
  return shape;
}

std::vector<NamedShape> parse_named_shapes(const std::vector<std::string>& texts) {
  std::vector<NamedShape> shapes;
  std::set<std::string> seen;
  for (const std::string& text : texts) {
    const auto [name, sizes] = split_named("--shape", text);
    if (!seen.insert(name).second) throw UsageError("--shape is given twice for '" + name + "'");
    shapes.emplace_back(name, parse_shape("--shape", sizes, 0));
  }
  return shapes;
}

DataDesc parse_descriptor(const std::string& option, const std::string& text) {
  const auto [name, rest] = split_named(option, text);
  const std::vector<std::string> parts = split(rest, ':');
  if (parts.size() > 4) {
    throw UsageError(option + " wants NAME=SHAPE[:DTYPE[:LAYOUT[:MEANING]]], got '" + text + "'");
  }
  DataDesc desc;
  desc.name = name;
  desc.shape = parse_shape(option, parts[0], -1);
  if (parts.size() > 1) {
    const std::optional<DType> dtype = parse_dtype(parts[1]);
    if (!dtype) throw UsageError(option + ": '" + parts[1] + "' is no dtype; try float32, uint8 or int32");
    desc.dtype = *dtype;
  }
  if (parts.size() > 2) desc.layout = parts[2];
  if (parts.size() > 3) desc.meaning = parse_meaning(option, parts[3]);
  return desc;
}

Meaning parse_meaning(const std::string& option, std::string_view name) {
  std::string known;
  for (Meaning meaning : {Meaning::image, Meaning::encoded_image, Meaning::image_path, Meaning::scores,
                          Meaning::ids, Meaning::boxes}) {
    if (name == to_string(meaning)) return meaning;
    known += std::string(known.empty() ? "" : ", ") + to_string(meaning);
  }
  if (name.empty()) return Meaning::unspecified;
  throw UsageError(option + ": '" + std::string(name) + "' is no meaning; it can be " + known);
}

std::optional<DType> parse_dtype(std::string_view name) {
  for (std::int32_t number = 0; number <= static_cast<std::int32_t>(DType::bfloat16); ++number) {
    const DType dtype = static_cast<DType>(number);
    if (name == to_string(dtype)) return dtype;
  }
  return std::nullopt;
}

}  // namespace mxinfer::cli
