// mxinfer classify-text: texts in, labels and scores out, one after another.
#include <mxinfer/sequence/text_classifier.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/class_options.h"
#include "cli/command_words.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/text_list.h"
#include "cli/text_options.h"
#include "cli/transfer_bar.h"
#include "cli/value_checks.h"
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

/// What is run and printed at a time, so that a long file shows its first results soon.
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

/// Prints what became of texts one after another or, as one JSON document, at the end.
class TextReport {
 public:
  explicit TextReport(const ClassifyTextOptions& options) : options_(options) {}

  void add(const ListedText& text, const Classes& classes) {
    if (!options_.json && !options_.ndjson)
      return print_classes(text.first + (options_.pairs ? " | " + text.second : ""), classes);
    add_json(text, classes_json(classes));
  }
  void add_error(const ListedText& text, const Error& error) {
    all_good_ = false;
    const std::string message = in_command_words(error.what());
    std::cerr << "mxinfer: " << text.place << ": " << message << '\n';
    if (options_.json || options_.ndjson)
      add_json(text, {{"error", {{"code", to_string(error.code())}, {"message", message}}}});
  }
  /// The exit code.
  int finish() const {
    if (options_.json) print_json({{"texts", texts_}});
    return all_good_ ? 0 : 1;
  }

 private:
  void add_json(const ListedText& text, const Json& facts) {
    Json object = {{"text", text.first}};
    if (options_.pairs && !text.problem) object["second"] = text.second;
    object.update(facts);
    if (options_.ndjson) {
      print_json_line(object);
    } else {
      texts_.push_back(std::move(object));
    }
  }

  const ClassifyTextOptions& options_;
  Json texts_ = Json::array();
  bool all_good_ = true;
};

std::vector<Classes> classify_listed(const ClassifyTextOptions& options, const TextClassifier& classifier,
                                     const std::vector<ListedText>& batch, std::vector<ItemError>& errors) {
  const std::optional<int> top_k = top_k_of(options.classes);
  if (options.pairs) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const ListedText& text : batch) pairs.emplace_back(text.first, text.second);
    return classifier.classify_pairs(pairs, top_k, &errors);
  }
  std::vector<std::string> texts;
  for (const ListedText& text : batch) texts.push_back(text.first);
  return classifier.classify_texts(texts, top_k, &errors);
}

/// Those of the batch that are no pairs are passed over by the classifier.
void run_texts(const ClassifyTextOptions& options, const TextClassifier& classifier,
               const std::vector<ListedText>& batch, TextReport& report, Progress& progress) {
  std::vector<ListedText> good;
  for (const ListedText& text : batch) {
    if (!text.problem) good.push_back(text);
  }
  std::vector<ItemError> errors;
  const std::vector<Classes> classes = classify_listed(options, classifier, good, errors);
  progress.hide();
  std::size_t next_good = 0, next_error = 0;
  for (const ListedText& text : batch) {
    if (text.problem) {
      report.add_error(text, *text.problem);
      continue;
    }
    const std::size_t at = next_good++;
    if (next_error < errors.size() && errors[next_error].item == at) {
      report.add_error(text, errors[next_error++].error);
    } else {
      report.add(text, classes[at]);
    }
  }
  std::cout.flush();
  progress.advance(batch.size());
}

int run_classify_text(const ClassifyTextOptions& options) {
  if (options.texts.empty() && options.file.empty())
    throw UsageError("classify-text wants a TEXT, or --file FILE with one a line");
  const LoadOptions load = load_options_with_labels(options, options.labels);
  const sources::Opener opener(load);
  TextList list(options.texts, options.file, options.pairs, opener);
  const TextClassifier classifier = make_text_classifier(options, load);
  print_warnings(classifier.warnings());
  TextReport report(options);
  Progress progress(list.size());
  // If the results cannot be written, as to a full disk, the rest is not worth its time.
  for (auto batch = list.next(kTextsAtATime); !batch.empty() && std::cout; batch = list.next(kTextsAtATime))
    run_texts(options, classifier, batch, report, progress);
  progress.hide();
  return report.finish();
}

}  // namespace

void add_classify_text(CLI::App& app, Run& run) {
  auto options = std::make_shared<ClassifyTextOptions>();
  CLI::App* command = app.add_subcommand("classify-text", "Say what texts are, such as their languages");
  add_model_options(*command, *options);
  command->add_option("TEXT", options->texts, "Texts, or - for those on standard input, one a line");
  command->add_option("--file", options->file, "Texts in a file or at an address, one a line")
      ->type_name("FILE");
  command->add_flag("--pair", options->pairs,
                    "Pairs of texts: words of the command line two by two, lines with a tab between the two");
  add_class_options(*command, options->classes);
  add_labels_option(*command, options->labels);
  whole_number(command->add_option("-b,--batch-size", options->batch_size,
                                   "Texts of one bucket that are run at once (default 32)"),
               1, 65536)
      ->type_name("N");
  CLI::Option* ndjson = command->add_flag("--ndjson", options->ndjson,
                                          "Print a line of JSON for each text, as soon as it is known");
  add_text_options(*command, options->text);
  add_general_options(*command, options->json);
  ndjson->excludes("--json");
  command->footer(
      "A model that takes texts needs no option; one that takes ids needs --vocabulary. Results are printed "
      "while it runs; --json alone prints one document at the end. A text that is wrong is reported, the "
      "others are classified, and the exit code is 1.\n\n"
      "Examples:\n"
      "  mxinfer classify-text language_id 'Wo ist der Bahnhof?'        # a model that takes texts\n"
      "  mxinfer classify-text sentiment --vocabulary vocab.json 'a pleasant day' --activation softmax\n"
      "  mxinfer classify-text sentiment --vocabulary vocab.json --file texts.txt --ndjson\n"
      "  mxinfer classify-text paraphrase --vocabulary vocab.txt --tokenizer wordpiece --lower \\\n"
      "      --begin '[CLS]' --end '[SEP]' --pair 'Who sang?' 'Did she sing?'");
  command->callback([&run, options] { run = [options] { return run_classify_text(*options); }; });
}

}  // namespace mxinfer::cli
