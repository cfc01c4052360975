#include "cli/help/generated_files.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "base/text/suggest.h"
#include "cli/output/usage_error.h"

namespace mxinfer::cli {

int print_generated_file(const CLI::App& app, const std::vector<std::string>& words) {
  const std::vector<std::string> kinds = {"man", "bash", "zsh"};
  const CommandTable table = command_table(app);
  if (words.size() == 2 && words[1] == "man") {
    std::cout << manual_page(table);
  } else if (words.size() == 2 && words[1] == "bash") {
    std::cout << bash_completion(table);
  } else if (words.size() == 2 && words[1] == "zsh") {
    std::cout << zsh_completion(table);
  } else {
    const std::string given = words.size() > 1 ? words[1] : "";
    throw UsageError(invalid_value(kGenerateFlag, given, listed(kinds)) + did_you_mean(given, kinds));
  }
  return 0;
}

}  // namespace mxinfer::cli
