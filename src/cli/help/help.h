// What --help prints: commands and options by group, in lines of at most 100 columns.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace CLI {
class App;
class FormatterBase;
}  // namespace CLI

namespace mxinfer::cli {

inline constexpr std::size_t kHelpColumns = 100;

/// For CLI::App::formatter().
std::shared_ptr<CLI::FormatterBase> help_formatter();

/// `text` in lines of at most kHelpColumns. All lines but the first are indented by `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent);

}  // namespace mxinfer::cli
