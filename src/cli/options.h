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
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Declared, not included: the parser's header takes longer to compile than all of a command.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace mxinfer::cli {

/// A command line that makes no sense: exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ModelOptions {
  std::string model;
  std::string params;
  std::optional<int> epoch;
  std::string graph;
  std::vector<std::string> outputs;
  std::vector<std::string> descriptors;
  bool no_transforms = false;
  int threads = 0;
  std::string random = "reject";
  std::uint64_t seed = 0;
  std::string target;
  std::string precision;
  std::string tuning;
  std::optional<double> max_winograd_mb;
  bool json = false;
};

constexpr std::uint64_t kLargestInt = 2147483647;

/// Holds the option to whole numbers between these, both included, written in decimal: anything else is a
/// UsageError,
/// "--top-k wants a whole number of 1 or more, got 'abc'". Gives the option back.
CLI::Option* whole_number(CLI::Option* option, std::uint64_t minimum, std::uint64_t maximum = kLargestInt);
/// The same for finite numbers of any kind.
CLI::Option* number(CLI::Option* option, double minimum,
                    double maximum = std::numeric_limits<double>::infinity());

/// MODEL, --epoch, --graph, --threads, --random, --seed, --json, --output, --describe, --no-transforms,
/// --precision, --target, --params, --tuning, --max-winograd-mb.
void add_model_options(CLI::App& command, ModelOptions& options);
/// --shape, repeatable.
void add_shape_option(CLI::App& command, std::vector<std::string>& shapes);

LoadOptions load_options(const ModelOptions& options);
Options run_options(const ModelOptions& options);
/// Loads MODEL, or the pair of MODEL and --params.
std::shared_ptr<const Model> load_model(const ModelOptions& options, const LoadOptions& load);

/// The two sides of "NAME=VALUE"; a UsageError that names the option where there is no '=' or one side is
/// empty. Names of variables may hold '=': where values hold none, such as shapes, the last one parts them.
std::pair<std::string, std::string> split_named(const std::string& option, const std::string& text);
/// "NAME=FILE" where both may hold '=': parted at the last one behind which there is a file of that name; at
/// the first one where there is none.
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
/// The dtype of NumPy's name; nothing where there is none of that name.
std::optional<DType> parse_dtype(std::string_view name);

}  // namespace mxinfer::cli
