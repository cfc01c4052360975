// What the subcommands share on the command line: the model, how to load and run it, and the syntax of
// shapes.
//
//   ModelOptions options;
//   add_model_options(command, options);
//   ...
//   auto model = load_model(options);
//   Predictor predictor(model, run_options(options));
#pragma once

#include <mxinfer/model.h>
#include <mxinfer/predictor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options/address_options.h"
#include "cli/output/usage_error.h"

// Declared, not included: the parser's header takes longer to compile than a whole command.
namespace CLI {
class App;
}

namespace mxinfer::cli {

struct ModelOptions : AddressOptions {
  std::string model;
  std::string params;
  std::optional<int> epoch;
  std::string graph;
  std::vector<std::string> layers;
  std::vector<std::string> descriptors;
  bool no_transforms = false;
  std::optional<int> threads;
  std::string random = "reject";
  std::uint64_t seed = 0;
  std::string target;
  std::string precision;
  std::string device;
  bool no_cpu_fallback = false;
  std::vector<std::string> set;  ///< NAME=VALUE, of Settings
  std::string tuning;
  std::optional<double> max_winograd_mb;
  bool json = false;
};

// The titles under which --help lists shared options, after the command's own.
inline constexpr const char* kLoadingGroup = "Model loading";
inline constexpr const char* kRunningGroup = "Execution";
inline constexpr const char* kImageGroup = "Image preprocessing";

void add_model_argument(CLI::App& command, ModelOptions& options);
/// Adds the options of add_loading_options() and add_running_options().
void add_model_options(CLI::App& command, ModelOptions& options);
/// MODEL, --epoch, --graph, --params, --layer, --describe, --no-transforms, --random, --seed, and the options
/// of add_address_options().
void add_loading_options(CLI::App& command, ModelOptions& options);
/// --threads, --target, --precision, --device, --no-cpu-fallback, --tuning, --max-winograd-mb, --set.
void add_running_options(CLI::App& command, ModelOptions& options);
/// --json, --quiet and --help. Call it last, so that they follow the command's own options.
void add_general_options(CLI::App& command, bool& json);
/// --epoch, for a command without the other loading options.
void add_epoch_option(CLI::App& command, std::optional<int>& epoch, const std::string& group = "Options");
/// --shape, repeatable.
void add_shape_option(CLI::App& command, std::vector<std::string>& shapes);
/// --labels, for commands that print classes.
void add_labels_option(CLI::App& command, std::string& labels);

LoadOptions load_options(const ModelOptions& options);
/// The same, with the labels of --labels. Error(malformed) if the file contains no labels.
LoadOptions load_options_with_labels(const ModelOptions& options, const std::string& labels);
Options run_options(const ModelOptions& options);
/// Loads MODEL, or MODEL and --params as a pair of files.
Model load_model(const ModelOptions& options, const LoadOptions& load);

/// The two sides of "NAME=VALUE", split at the last '='. UsageError if there is no '=' or a side is empty; it
/// says that `form` was expected, such as "NAME=SHAPE". Use it for values without '=', such as shapes: names
/// of variables may contain '='.
std::pair<std::string, std::string> split_named(const std::string& option, const std::string& text,
                                                const char* form);
/// The two sides of "NAME=FILE", both of which may contain '='. It splits in front of an address, else at the
/// last '=' that is followed by an existing file, else at the first '='. Throws as split_named.
std::pair<std::string, std::string> split_named_file(const std::string& option, const std::string& text,
                                                     const char* form);
/// "1,3,224,224" or "(1, 3, 224, 224)". UsageError for other texts, and for sizes below `minimum`.
Shape parse_shape(const std::string& option, std::string_view text, std::int64_t minimum);
/// Every "NAME=SHAPE" of --shape. UsageError if a name occurs twice.
std::vector<NamedShape> parse_named_shapes(const std::vector<std::string>& texts);
/// "NAME=SHAPE[:DTYPE[:LAYOUT[:MEANING]]]", the syntax of --describe; a size of -1 is free.
extern const char* const kDescriptorForm;
DataDesc parse_descriptor(const std::string& option, const std::string& text);
/// "image", "scores", ...; an empty name is Meaning::unspecified.
Meaning parse_meaning(const std::string& option, std::string_view name);

}  // namespace mxinfer::cli
