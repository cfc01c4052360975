// What the subcommands share on the command line: the model and how it is to be run, and the texts that name
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

// Declared, not included: the parser's header takes longer to compile than all of a command.
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
  int threads = 0;
  std::string random = "reject";
  std::uint64_t seed = 0;
  std::string target;
  std::string precision;
  std::string device;
  bool no_cpu_fallback = false;
  std::string tuning;
  std::optional<double> max_winograd_mb;
  bool json = false;
};

// The titles under which --help has the options that commands share, behind their own.
inline constexpr const char* kLoadingGroup = "Loading the model";
inline constexpr const char* kRunningGroup = "Running the model";
inline constexpr const char* kImageGroup = "How an image becomes the input";

void add_model_argument(CLI::App& command, ModelOptions& options);
/// MODEL, and what add_loading_options() and add_running_options() add.
void add_model_options(CLI::App& command, ModelOptions& options);
/// MODEL, --epoch, --graph, --params, --layer, --describe, --no-transforms, --random, --seed, and what
/// add_address_options() adds.
void add_loading_options(CLI::App& command, ModelOptions& options);
/// --threads, --target, --precision, --device, --no-cpu-fallback, --tuning, --max-winograd-mb.
void add_running_options(CLI::App& command, ModelOptions& options);
/// --json, --quiet and --help: to be called last, so that they stand behind the command's own.
void add_general_options(CLI::App& command, bool& json);
/// --epoch of a command that has no other options for loading.
void add_epoch_option(CLI::App& command, std::optional<int>& epoch, const std::string& group = "Options");
/// --shape, repeatable.
void add_shape_option(CLI::App& command, std::vector<std::string>& shapes);
/// --labels, of commands that give classes.
void add_labels_option(CLI::App& command, std::string& labels);

LoadOptions load_options(const ModelOptions& options);
/// The same, with the labels of --labels. Error(malformed) if their file holds none.
LoadOptions load_options_with_labels(const ModelOptions& options, const std::string& labels);
Options run_options(const ModelOptions& options);
/// Loads MODEL, or the pair of MODEL and --params.
Model load_model(const ModelOptions& options, const LoadOptions& load);

/// The two sides of "NAME=VALUE"; a UsageError that names the option if there is no '=' or one side is
/// empty. Names of variables may hold '=': if values hold none, such as shapes, the last one parts them.
std::pair<std::string, std::string> split_named(const std::string& option, const std::string& text);
/// "NAME=FILE" if both may hold '=': parted at the last one behind which there is a file of that name; at
/// the first one if there is none. What begins with a scheme is an address, whatever '=' it holds.
std::pair<std::string, std::string> split_named_file(const std::string& option, const std::string& text);
/// "1,3,224,224" or "(1, 3, 224, 224)". Sizes below `minimum` are a UsageError, as is everything else.
Shape parse_shape(const std::string& option, std::string_view text, std::int64_t minimum);
/// Every "NAME=SHAPE" of --shape; a name may be given once.
std::vector<NamedShape> parse_named_shapes(const std::vector<std::string>& texts);
/// "NAME=SHAPE[:DTYPE[:LAYOUT[:MEANING]]]", as --describe takes it, with -1 for a free size.
extern const char* const kDescriptorForm;
DataDesc parse_descriptor(const std::string& option, const std::string& text);
/// "image", "scores", ...; nothing is unspecified.
Meaning parse_meaning(const std::string& option, std::string_view name);

}  // namespace mxinfer::cli
