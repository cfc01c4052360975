// The options of `mxinfer generate`: its network, and how it chooses tokens.
#pragma once

#include <mxinfer/sequence/generator.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "cli/options/tokenizer_options.h"

namespace mxinfer::cli {

inline constexpr const char* kTokenGroup = "Search and sampling";

struct GeneratorCommandOptions : ModelOptions, TokenizerOptions {
  std::vector<std::string> prompts;
  std::vector<std::string> ids;
  std::optional<std::int32_t> begin_id;
  std::optional<std::int32_t> end_id;
  // Search and sampling.
  std::optional<int> beam;
  bool sample = false;
  std::optional<double> alpha, length_k, temperature, top_p;
  std::optional<int> top_k;
  double repetition_penalty = 1;
  int max_length = 100;
  int num = 1;
  std::vector<int> stop_ids;
  // Network inputs and outputs.
  std::vector<std::string> inputs;
  std::string token_input, token_layout, score_output, scores, position_input, length_input, buckets;
  std::vector<std::string> states;
};

void add_generator_options(CLI::App& command, GeneratorCommandOptions& options);

/// UsageError for options that exclude each other and for invalid values, and as tokenizer_of().
GeneratorOptions generator_options_of(const GeneratorCommandOptions& options, const LoadOptions& load);
GenerateOptions generate_options_of(const GeneratorCommandOptions& options);
/// "3,17,4"
std::vector<std::int32_t> parse_ids(const std::string& option, const std::string& text);
/// Every --input NAME=FILE.npy, by name.
std::map<std::string, Tensor> load_inputs(const GeneratorCommandOptions& options, const LoadOptions& load);

}  // namespace mxinfer::cli
