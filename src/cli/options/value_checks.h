// What options take, checked while the line is read. A value that does not fit is a UsageError which says
// what is wanted and what was given:
//
//   whole_number(command.add_option("--top-k", ...), 1);   // "--top-k wants a whole number of 1 or more, got
//   'abc'"
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

// Each gives the option back.

/// Whole numbers between these, both included, written in decimal.
CLI::Option* whole_number(CLI::Option* option, std::uint64_t minimum, std::uint64_t maximum = kLargestInt);
/// Finite numbers of any kind.
CLI::Option* number(CLI::Option* option, double minimum,
                    double maximum = std::numeric_limits<double>::infinity());
/// A whole number of bytes, or of 1024, 1024^2, ... with K, M, G or T behind it; the value is in bytes.
CLI::Option* byte_count(CLI::Option* option);
/// One of the names; or of `also`, other words for them that are not shown.
CLI::Option* one_of(CLI::Option* option, const std::vector<std::string>& names,
                    const std::vector<std::string>& also = {});
/// What `parse` takes: one of the names, or another spelling that is not shown. It throws Error for what is
/// neither.
CLI::Option* named_by(CLI::Option* option, const std::vector<std::string>& names,
                      const std::function<void(const std::string&)>& parse);
/// Anything; the names are what shells offer.
CLI::Option* offering(CLI::Option* option, const std::vector<std::string>& names);
/// A folder that exists.
CLI::Option* existing_folder(CLI::Option* option);

/// The names of one_of() or offering(); none for any other option.
std::vector<std::string> choices_of(const CLI::Option& option);
/// What stands for the value in the help, such as "N"; empty for flags.
std::string value_name(const CLI::Option& option);

}  // namespace mxinfer::cli
