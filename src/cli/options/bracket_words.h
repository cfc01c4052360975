// Where an option may have several values, the command line parser reads "[MASK]" as a list of one value,
// MASK. These functions protect such words in texts.
//
//   take_guards_away(app);                        // after all commands were added
//   ...
//   parse(app, with_guarded_brackets(words));     // an option is "[MASK]"
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mxinfer::cli {

/// In lines of commands that take texts, adds a guard byte in front of each word that begins with "[" and
/// ends with "]". Other lines are unchanged.
std::vector<std::string> with_guarded_brackets(std::vector<std::string> line);

/// Removes that byte from the values of these commands' options before any other check.
void take_guards_away(CLI::App& app);

}  // namespace mxinfer::cli
