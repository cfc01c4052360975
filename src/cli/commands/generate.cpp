// mxinfer generate: continues prompts with sequences of tokens, as text if there is a vocabulary.
#include <mxinfer/sequence/generator.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/options/generator_options.h"
#include "cli/output/output.h"
#include "text/unicode/settled_text.h"

namespace mxinfer::cli {
namespace {

using Ids = std::vector<std::int32_t>;

struct Prompt {
  std::string text;
  Ids ids;
};

std::vector<Prompt> prompts_of(const GeneratorCommandOptions& options, const SequenceGenerator& generator) {
  std::vector<Prompt> prompts;
  for (const std::string& text : options.prompts) prompts.push_back({text, generator.ids(text)});
  for (const std::string& text : options.ids) prompts.push_back({"", parse_ids("--ids", text)});
  if (prompts.empty()) prompts.emplace_back();
  return prompts;
}

/// A prompt and its continuation, as text or, without a vocabulary, as ids.
std::string whole_text(const SequenceGenerator& generator, const Prompt& prompt, const Ids& ids) {
  Ids all = prompt.ids;
  all.insert(all.end(), ids.begin(), ids.end());
  if (!generator.vocabulary().empty()) return clean(generator.text(Span<const std::int32_t>(all)));
  std::string text;
  for (const std::int32_t id : all) text += (text.empty() ? "" : ",") + std::to_string(id);
  return text;
}

/// Prints the text as it is generated, but no incomplete characters. If later tokens change text that was
/// printed, the whole text is printed again at the end.
void stream(const SequenceGenerator& generator, const Prompt& prompt, const GenerateOptions& options) {
  Generation generation = generator.start(Span<const std::int32_t>(prompt.ids), options);
  std::string shown, text;
  do {
    text = whole_text(generator, prompt, generation.result().ids);
    const std::string_view settled = text::settled_text(text);
    if (!settled.starts_with(shown)) continue;
    std::cout << settled.substr(shown.size()) << std::flush;
    shown = settled;
  } while (generation.next());
  std::cout << (text.starts_with(shown) ? text.substr(shown.size()) : "\n" + text) << '\n';
}

const char* name_of(Finish finish) {
  if (finish == Finish::end) return "end";
  return finish == Finish::length ? "length" : "stopped";
}

Json sequence_json(const SequenceGenerator& generator, const Generated& sequence) {
  Json report = {{"ids", sequence.ids}};
  if (!generator.vocabulary().empty()) report["text"] = sequence.text;
  report["score"] = sequence.score;
  report["log_probability"] = sequence.log_probability;
  report["finish"] = name_of(sequence.finish);
  if (sequence.end_id) report["end_id"] = *sequence.end_id;
  return report;
}

Json report_of(const SequenceGenerator& generator, const std::vector<Prompt>& prompts,
               const std::vector<std::vector<Generated>>& results) {
  Json list = Json::array();
  for (std::size_t p = 0; p < prompts.size(); ++p) {
    Json sequences = Json::array();
    for (const Generated& sequence : results[p]) sequences.push_back(sequence_json(generator, sequence));
    Json of_prompt = Json::object();
    if (!generator.vocabulary().empty()) of_prompt["prompt"] = prompts[p].text;
    of_prompt["ids"] = prompts[p].ids;
    of_prompt["sequences"] = sequences;
    list.push_back(of_prompt);
  }
  return {{"prompts", list}};
}

/// One line per sequence, preceded by its score if a prompt has several.
void print_sequences(const SequenceGenerator& generator, const Prompt& prompt,
                     const std::vector<Generated>& sequences, bool with_scores) {
  Table table;
  for (const Generated& sequence : sequences) {
    const std::string text = whole_text(generator, prompt, sequence.ids);
    table.add(with_scores ? std::vector<std::string>{fixed(sequence.score, 4), text}
                          : std::vector<std::string>{text});
  }
  table.print(std::cout);
}

int run_generate(const GeneratorCommandOptions& options) {
  GenerateOptions generate = generate_options_of(options);
  const LoadOptions load = load_options(options);
  const GeneratorOptions of_network = generator_options_of(options, load);
  const SequenceGenerator generator(load_model(options, load), of_network);
  print_warnings(generator.warnings());
  const std::vector<Prompt> prompts = prompts_of(options, generator);
  const std::map<std::string, Tensor> inputs = load_inputs(options, load);
  for (const auto& [name, tensor] : inputs) generate.inputs.emplace(name, tensor.view());
  const bool is_one = prompts.size() == 1 && options.num == 1 && !options.beam;
  if (is_one && !options.json && isatty(STDOUT_FILENO) == 1) {
    stream(generator, prompts[0], generate);
    return 0;
  }
  std::vector<Ids> ids;
  for (const Prompt& prompt : prompts) ids.push_back(prompt.ids);
  const auto results = generator.generate_batch(Span<const Ids>(ids), generate);
  if (options.json) {
    print_json(report_of(generator, prompts, results));
    return 0;
  }
  for (std::size_t p = 0; p < prompts.size(); ++p)
    print_sequences(generator, prompts[p], results[p], options.num > 1);
  return 0;
}

}  // namespace

void add_generate(CLI::App& app, Run& run) {
  auto options = std::make_shared<GeneratorCommandOptions>();
  CLI::App* command =
      app.add_subcommand("generate", "Generate sequences token by token, such as texts and translations");
  add_model_options(*command, *options);
  command->get_option("--seed")
      ->description("Seed of --sample and of --random execute (default 0)")
      ->group(kTokenGroup);
  add_generator_options(*command, *options);
  add_general_options(*command, options->json);
  command->footer(
      "Prints each prompt and its continuation; a terminal shows tokens as they are generated. If --num is "
      "above 1, prints one line per sequence, preceded by its score. Without --vocabulary, prints ids.\n\n"
      "Examples:\n"
      "  mxinfer generate models/sentences --vocabulary models/sentences/vocab.json --prompt \"the cat\"\n"
      "  mxinfer generate models/sentences --vocabulary models/sentences/vocab.json --beam 4 --num 4\n"
      "  mxinfer generate models/sentences --vocabulary models/sentences/vocab.json --sample --seed 7\n"
      "  mxinfer generate models/sentences --ids 2,4,10 --end-id 3 --max-length 20");
  command->callback([&run, options] { run = [options] { return run_generate(*options); }; });
}

}  // namespace mxinfer::cli
