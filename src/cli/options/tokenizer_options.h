// The options for the vocabulary and the tokenizer, which convert texts to ids and back.
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

inline constexpr const char* kTextGroup = "Text preprocessing";

struct TokenizerOptions {
  std::string vocabulary;
  std::string tokenizer;
  std::string unknown;
  bool lower = false;
};

/// --vocabulary, --tokenizer, --lower and --unknown.
void add_tokenizer_options(CLI::App& command, TokenizerOptions& options);

/// No tokenizer without --vocabulary. `load` configures how a vocabulary at an address is fetched. UsageError
/// for options that require --vocabulary, or that the tokenizer does not support.
std::optional<Tokenizer> tokenizer_of(const TokenizerOptions& options, const LoadOptions& load);

}  // namespace mxinfer::cli
