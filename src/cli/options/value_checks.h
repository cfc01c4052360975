// Checks of option values, made while the command line is parsed. An invalid value is a UsageError:
//
//   whole_number(command.add_option("--top-k", ...), 1);
//   // "invalid value 'abc' for --top-k: expected a whole number of at least 1"
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace CLI {
class Option;
}

namespace mxinfer::cli {

constexpr std::uint64_t kLargestInt = 2147483647;

// Each returns the option.

/// Whole numbers from `minimum` to `maximum`, in decimal.
CLI::Option* whole_number(CLI::Option* option, std::uint64_t minimum, std::uint64_t maximum = kLargestInt);
/// Finite numbers from `minimum` to `maximum`.
CLI::Option* number(CLI::Option* option, double minimum,
                    double maximum = std::numeric_limits<double>::infinity());
/// A whole number of bytes, or with the suffix K, M, G or T of 1024, 1024^2, ... bytes. The value is in
/// bytes.
CLI::Option* byte_count(CLI::Option* option);
/// One of `names`, or of `also`: aliases that are not shown.
CLI::Option* one_of(CLI::Option* option, const std::vector<std::string>& names,
                    const std::vector<std::string>& also = {});
/// Whatever `parse` accepts: one of `names`, or an alias that is not shown. `parse` throws Error for other
/// texts.
CLI::Option* named_by(CLI::Option* option, const std::vector<std::string>& names,
                      const std::function<void(const std::string&)>& parse);
/// Whatever `parse` accepts, which `wanted` describes. `parse` throws Error for other texts.
CLI::Option* parsed_by(CLI::Option* option, const std::string& wanted,
                       const std::function<void(const std::string&)>& parse);
/// Any text; shells offer `names`.
CLI::Option* offering(CLI::Option* option, const std::vector<std::string>& names);
/// An existing folder.
CLI::Option* existing_folder(CLI::Option* option);

/// The library's "setting 'mean' wants a number, got 'x'" as a message about an option.
std::string setting_message(const std::string& option, const std::string& value, const std::string& message);

/// The names of one_of(), named_by() or offering(); none for other options.
std::vector<std::string> choices_of(const CLI::Option& option);
/// The placeholder of the value in the help, such as "N"; empty for flags.
std::string value_name(const CLI::Option& option);

}  // namespace mxinfer::cli
