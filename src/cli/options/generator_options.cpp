#include "cli/options/generator_options.h"

#include <CLI/CLI.hpp>

#include "cli/options/number_list.h"
#include "cli/options/value_checks.h"
#include "cli/output/output.h"
#include "sources/opener.h"
#include "tensor/npy.h"

namespace mxinfer::cli {
namespace {

constexpr const char* kNetworkGroup = "Network inputs and outputs";

ScoreKind score_kind_of(const std::string& name) {
  if (name == "logits") return ScoreKind::logits;
  if (name == "log_probabilities") return ScoreKind::log_probabilities;
  return name == "probabilities" ? ScoreKind::probabilities : ScoreKind::automatic;
}

void add_choosing_options(CLI::App& command, GeneratorCommandOptions& options) {
  const auto add = [&](const char* name, auto& value, const char* type, const std::string& text) {
    return command.add_option(name, value, text)->group(kTokenGroup)->type_name(type);
  };
  CLI::Option* beam =
      whole_number(add("--beam", options.beam, "N",
                       "Use beam search, keeping the N best sequences (default: greedy search)"),
                   1);
  number(add("--alpha", options.alpha, "X", "Exponent of GNMT's length penalty; 0 disables it (default 1)"),
         -1e6, 1e6);
  number(add("--length-k", options.length_k, "X", "Constant K of the length penalty (default 5)"), 0, 1e6);
  CLI::Option* sample =
      command
          .add_flag("--sample", options.sample, "Draw each token at random, with the network's probabilities")
          ->group(kTokenGroup)
          ->excludes(beam);
  number(add("--temperature", options.temperature, "X",
             "With --sample, divide the scores by X: above 1 for more variety, below 1 for less (default 1)")
             ->needs(sample),
         1e-6, 1e6);
  whole_number(
      add("--top-k", options.top_k, "N", "With --sample, draw from the N best tokens only")->needs(sample),
      1);
  number(add("--top-p", options.top_p, "X",
             "With --sample, draw only from the smallest set of best tokens whose probabilities add up to X")
             ->needs(sample),
         1e-6, 1);
  number(
      add("--repetition-penalty", options.repetition_penalty, "X",
          "Penalty for tokens that occur already: their scores are divided by X, or multiplied if negative "
          "(default 1)"),
      1e-6, 1e6);
  whole_number(
      add("--max-length", options.max_length, "N", "Generate at most N tokens per sequence (default 100)"),
      1);
  whole_number(add("-n,--num", options.num, "N",
                   "Number of sequences per prompt: samples with --sample, the best with --beam (default 1)"),
               1);
  whole_number(add("--stop-id", options.stop_ids, "ID",
                   "Another token that ends a sequence, besides the end token; may be repeated")
                   ->allow_extra_args(false),
               0);
}

void add_network_options(CLI::App& command, GeneratorCommandOptions& options) {
  const auto add = [&](const char* name, auto& value, const char* type, const std::string& text) {
    return command.add_option(name, value, text)->group(kNetworkGroup)->type_name(type);
  };
  add("-i,--input", options.inputs, "NAME=FILE.npy",
      "Array for an input other than the tokens, such as an encoder's output or an initial state, with one "
      "row per prompt; may be repeated")
      ->allow_extra_args(false);
  add("--state", options.states, "INPUT=OUTPUT",
      "Feed this output of each step to this input of the next step; may be repeated (default: the states of "
      "MXNet's cells, found by their names)")
      ->allow_extra_args(false);
  add("--token-input", options.token_input, "NAME", "Input that takes the tokens");
  one_of(
      add("--token-layout", options.token_layout, "NAME",
          "Dimensions of the token input, N for sequences and T for tokens (default: the first of N, NT and "
          "TN that fits the network)"),
      {"N", "NT", "TN"}, {"n", "nt", "tn"});
  add("--score-output", options.score_output, "NAME", "Output that has a score for each token");
  one_of(add("--scores", options.scores, "NAME",
             "Kind of these scores: logits, log_probabilities or probabilities (default: inferred from the "
             "operator that computes them)"),
         {"logits", "log_probabilities", "probabilities"});
  add("--position-input", options.position_input, "NAME", "Input that takes the step number");
  add("--length-input", options.length_input, "NAME",
      "Input that takes the number of tokens, for networks that take all tokens at each step");
  add("--buckets", options.buckets, "N,N...",
      "Ascending lengths to which the tokens of such a network are padded (default: no padding)");
}

}  // namespace

void add_generator_options(CLI::App& command, GeneratorCommandOptions& options) {
  CLI::Option* prompt =
      command
          .add_option("-p,--prompt", options.prompts,
                      "Text to continue; may be repeated (default: start from the begin token)")
          ->type_name("TEXT")
          ->allow_extra_args(false);
  command.add_option("--ids", options.ids, "Prompt as token ids, such as 3,17,4; may be repeated")
      ->type_name("ID,ID...")
      ->allow_extra_args(false)
      ->excludes(prompt);
  whole_number(command.add_option("--begin-id", options.begin_id,
                                  "Id placed before each prompt (default: the vocabulary's begin token)"),
               0)
      ->type_name("ID");
  whole_number(command.add_option("--end-id", options.end_id,
                                  "Id that ends a sequence (default: the vocabulary's end token)"),
               0)
      ->type_name("ID");
  add_tokenizer_options(command, options);
  add_choosing_options(command, options);
  add_network_options(command, options);
}

std::vector<std::int32_t> parse_ids(const std::string& option, const std::string& text) {
  return parse_numbers(option, text, "ids separated by commas, such as 3,17,4");
}

GeneratorOptions generator_options_of(const GeneratorCommandOptions& options, const LoadOptions& load) {
  GeneratorOptions generator;
  generator.options = run_options(options);
  generator.begin_id = options.begin_id;
  generator.end_id = options.end_id;
  generator.token_input = options.token_input;
  generator.token_layout = options.token_layout;
  generator.score_output = options.score_output;
  generator.scores = score_kind_of(options.scores);
  generator.position_input = options.position_input;
  generator.length_input = options.length_input;
  generator.buckets = parse_buckets(options.buckets);
  for (const std::string& text : options.states) {
    const auto [input, output] = split_named("--state", text, "INPUT=OUTPUT");
    generator.states.push_back({input, output});
  }
  generator.tokenizer = tokenizer_of(options, load);
  return generator;
}

GenerateOptions generate_options_of(const GeneratorCommandOptions& options) {
  GenerateOptions generate;
  if (options.beam) generate.search = Search::beam;
  if (options.sample) generate.search = Search::sample;
  if (options.num > 1 && !options.sample && options.num > options.beam.value_or(1)) {
    throw UsageError("--num " + std::to_string(options.num) + " requires --sample, or --beam " +
                     std::to_string(options.num) + " or more");
  }
  generate.beam = options.beam.value_or(generate.beam);
  generate.alpha = static_cast<float>(options.alpha.value_or(double{generate.alpha}));
  generate.length_k = static_cast<float>(options.length_k.value_or(double{generate.length_k}));
  generate.temperature = static_cast<float>(options.temperature.value_or(1));
  generate.top_p = static_cast<float>(options.top_p.value_or(1));
  generate.top_k = options.top_k.value_or(0);
  generate.repetition_penalty = static_cast<float>(options.repetition_penalty);
  generate.max_length = options.max_length;
  generate.num_sequences = options.num;
  generate.stop_ids.assign(options.stop_ids.begin(), options.stop_ids.end());
  generate.seed = options.seed;
  return generate;
}

std::map<std::string, Tensor> load_inputs(const GeneratorCommandOptions& options, const LoadOptions& load) {
  const sources::Opener opener(load);
  std::map<std::string, Tensor> inputs;
  for (const std::string& text : options.inputs) {
    const auto [name, file] = split_named_file("--input", text, "NAME=FILE.npy");
    const auto source = opener.open_existing(file);
    if (!inputs
             .emplace(name,
                      read_npy(sources::read_bytes(*source, source->size()), clean(sources::shown(file))))
             .second)
      throw UsageError("--input is given twice for '" + clean(name) + "': give each input one array");
  }
  return inputs;
}

}  // namespace mxinfer::cli
