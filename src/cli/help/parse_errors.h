// Explains why the parser rejected a command line, and suggests what was meant.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace mxinfer::cli {

/// "classify"; empty if the line names no command.
std::string command_of(const CLI::App& program);
std::vector<std::string> command_names(const CLI::App& program);
/// "unknown command 'clasify'; did you mean 'classify'?", or the list of all commands if none is similar.
std::string no_such_command(const CLI::App& program, const std::string& word);

/// A message without a full stop.
std::string explain_parse_error(const CLI::App& program, const CLI::ParseError& error);

}  // namespace mxinfer::cli
