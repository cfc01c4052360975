// The options for text preprocessing.
#pragma once

#include <mxinfer/sequence/text_classifier.h>

#include <optional>
#include <string>

#include "cli/options/tokenizer_options.h"

namespace CLI {
class App;
}

namespace mxinfer::cli {

struct TextInputOptions : TokenizerOptions {
  std::string begin;
  std::string end;
  std::string buckets;
  std::string pad_side;
  std::string truncate_side;
  std::optional<double> pad_value;
  std::string sequence_input;
  std::string length_input;
  std::string segment_input;
};

void add_text_options(CLI::App& command, TextInputOptions& options);

/// UsageError for invalid values, and as tokenizer_of().
TextOptions text_options_of(const TextInputOptions& options, const LoadOptions& load);

}  // namespace mxinfer::cli
