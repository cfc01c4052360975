// mxinfer classify-text: prints labels and scores for texts, one after another.
#include <mxinfer/sequence/text_classifier.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/inputs/item_run.h"
#include "cli/inputs/text_list.h"
#include "cli/options/class_options.h"
#include "cli/options/options.h"
#include "cli/options/text_options.h"
#include "cli/options/value_checks.h"
#include "cli/output/command_words.h"
#include "cli/output/transfer_bar.h"
#include "sources/opener.h"

namespace mxinfer::cli {
namespace {

struct ClassifyTextOptions : ModelOptions {
  std::vector<std::string> texts;
  std::string file;
  bool pairs = false;
  ClassOptions classes;
  std::string labels;
  int batch_size = 32;
  bool ndjson = false;
  TextInputOptions text;
};

/// How many texts run before results are printed: few enough for a long file to show its first results soon.
constexpr std::size_t kTextsAtATime = 256;

TextClassifier make_text_classifier(const ClassifyTextOptions& options, const LoadOptions& load) {
  TextOptions text = text_options_of(options.text, load);
  set_scores(options.classes, text);
  text.sequence.max_batch = options.batch_size;
  text.sequence.options = run_options(options);
  if (!options.params.empty()) return TextClassifier(load_model(options, load), text);
  TextClassifier classifier(options.model, text, load);  // a bucketed model too
  hide_transfers();
  return classifier;
}

std::vector<Classes> classify_listed(const ClassifyTextOptions& options, const TextClassifier& classifier,
                                     const std::vector<const ListedText*>& good,
                                     std::vector<ItemError>& errors) {
  const std::optional<int> top_k = top_k_of(options.classes);
  if (options.pairs) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const ListedText* text : good) pairs.emplace_back(text->first, text->second.value());
    return classifier.classify_pairs(pairs, top_k, &errors);
  }
  std::vector<std::string> texts;
  for (const ListedText* text : good) texts.push_back(text->first);
  return classifier.classify_texts(texts, top_k, &errors);
}

void report_text(const ListedText& text, const Classes& classes, ItemReport& report) {
  if (!text.problem && report.is_text())
    return print_classes(text.second ? text.first + " | " + *text.second : text.first, classes);
  Json object = {{"text", text.first}};
  if (text.second) object["second"] = *text.second;
  if (text.problem) {
    const Error& error = *text.problem;
    report.add_error(std::move(object), Error(error.code(), in_command_words(error.what())), text.place);
  } else {
    report.add_json(std::move(object), classes_json(classes));
  }
}

int run_classify_text(const ClassifyTextOptions& options) {
  if (options.texts.empty() && options.file.empty())
    throw UsageError("classify-text requires a TEXT, or --file FILE with one per line");
  const LoadOptions load = load_options_with_labels(options, options.labels);
  const sources::Opener opener(load);
  TextList list(options.texts, options.file, options.pairs, opener);
  const TextClassifier classifier = make_text_classifier(options, load);
  print_warnings(classifier.warnings());
  ItemReport report("texts", options.json, options.ndjson);
  for_each_batch(list, kTextsAtATime, [&](std::vector<ListedText>& batch, Progress& progress) {
    const auto run = [&](const std::vector<const ListedText*>& good, std::vector<ItemError>& errors) {
      return classify_listed(options, classifier, good, errors);
    };
    const std::vector<Classes> classes = run_good(batch, run);
    progress.hide();
    for (std::size_t i = 0; i < batch.size(); ++i) report_text(batch[i], classes[i], report);
  });
  return report.finish();
}

}  // namespace

void add_classify_text(CLI::App& app, Run& run) {
  auto options = std::make_shared<ClassifyTextOptions>();
  CLI::App* command = app.add_subcommand("classify-text", "Classify texts, such as by language");
  add_model_options(*command, *options);
  command->add_option("TEXT", options->texts,
                      "Texts to classify, or - to read them from standard input, one per line");
  command->add_option("--file", options->file, "Read texts from a file or address, one per line")
      ->type_name("FILE");
  command->add_flag("--pair", options->pairs,
                    "Classify pairs of texts: two arguments, or two texts separated by a tab on a line");
  add_class_options(*command, options->classes);
  add_labels_option(*command, options->labels);
  whole_number(command->add_option("-b,--batch-size", options->batch_size,
                                   "Number of texts of one bucket per batch (default 32)"),
               1, 65536)
      ->type_name("N");
  CLI::Option* ndjson = command->add_flag("--ndjson", options->ndjson,
                                          "Write one line of JSON per text, as soon as it is classified");
  add_text_options(*command, options->text);
  add_general_options(*command, options->json);
  ndjson->excludes("--json");
  command->footer(
      "A model that takes texts needs no option; a model that takes ids needs --vocabulary. Results are "
      "printed as they come; with --json, one document is printed at the end. If a text is invalid, the "
      "command reports it, classifies the others, and exits with 1.\n\n"
      "Examples:\n"
      "  mxinfer classify-text models/language_id 'Wo ist der Bahnhof?' # a model that takes texts\n"
      "  mxinfer classify-text sentiment --vocabulary vocab.json 'a pleasant day' --activation softmax\n"
      "  mxinfer classify-text sentiment --vocabulary vocab.json --file texts.txt --ndjson\n"
      "  mxinfer classify-text paraphrase --vocabulary vocab.txt --tokenizer wordpiece --lower \\\n"
      "      --begin '[CLS]' --end '[SEP]' --pair 'Who sang?' 'Did she sing?'");
  command->callback([&run, options] { run = [options] { return run_classify_text(*options); }; });
}

}  // namespace mxinfer::cli
