// What makes ids of a text, and texts of ids, as options on the command line: a vocabulary and a tokenizer.
//
//   TokenizerOptions options;
//   add_tokenizer_options(command, options);
//   ...
//   text.tokenizer = tokenizer_of(options, load);
#pragma once

#include <mxinfer/load_options.h>
#include <mxinfer/sequence/tokenizer.h>

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace mxinfer::cli {

inline constexpr const char* kTextGroup = "How a text becomes the input";

struct TokenizerOptions {
  std::string vocabulary;
  std::string tokenizer;
  std::string unknown;
  bool lower = false;
};

/// --vocabulary, --tokenizer, --lower and --unknown.
void add_tokenizer_options(CLI::App& command, TokenizerOptions& options);

/// Nothing without --vocabulary; one at an address is fetched as `load` says. UsageError for options that
/// want
/// --vocabulary, or that the tokenizer does not take.
std::optional<Tokenizer> tokenizer_of(const TokenizerOptions& options, const LoadOptions& load);

}  // namespace mxinfer::cli
