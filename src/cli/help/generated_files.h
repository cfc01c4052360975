// mxinfer --generate: the manual and the shell completions, made from the options. The build installs them.
#pragma once

#include <string>
#include <vector>

#include "cli/options/option_table.h"

namespace CLI {
class App;
}

namespace mxinfer::cli {

inline constexpr const char* kGenerateFlag = "--generate";

/// Prints the file of "--generate man", "--generate bash" or "--generate zsh", and returns the exit code.
/// UsageError for other words.
int print_generated_file(const CLI::App& app, const std::vector<std::string>& words);

/// mxinfer.1, with the macros of man(7).
std::string manual_page(const CommandTable& table);
std::string bash_completion(const CommandTable& table);
std::string zsh_completion(const CommandTable& table);

}  // namespace mxinfer::cli
