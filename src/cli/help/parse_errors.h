// What is wrong with a line that the parser rejected, in words for people, and what was meant.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace mxinfer::cli {

/// "classify"; nothing if the line names no command.
std::string command_of(const CLI::App& program);
std::vector<std::string> command_names(const CLI::App& program);
/// "no command 'clasify'; did you mean 'classify'?", or else the list of all.
std::string no_such_command(const CLI::App& program, const std::string& word);

/// One sentence without a full stop.
std::string explain_parse_error(const CLI::App& program, const CLI::ParseError& error);

}  // namespace mxinfer::cli
