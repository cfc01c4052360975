// The parser of the command line takes "[MASK]" for a list of one value, MASK, where an option may have
// several. Words of texts are to come through as they are.
//
//   take_guards_away(app);                        // when all commands are there
//   ...
//   parse(app, with_guarded_brackets(words));     // an option is "[MASK]"
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mxinfer::cli {

/// A line of a command that takes texts or words with a byte in front of what begins with "[" and ends with
/// "]"; others as they are.
std::vector<std::string> with_guarded_brackets(std::vector<std::string> line);

/// Values of those commands' options lose that byte before anything else is done with them.
void take_guards_away(CLI::App& app);

}  // namespace mxinfer::cli
