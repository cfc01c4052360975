// mxinfer classify: pictures in, labels and scores out.
#include <mxinfer/error.h>
#include <mxinfer/image_classifier.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <variant>

#include "cli/command_words.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/preprocess_options.h"
#include "cli/progress.h"

namespace mxinfer::cli {
namespace {

struct ClassifyOptions : ModelOptions {
  std::vector<std::string> images;
  int top_k = 5;
  bool all_classes = false;
  std::string labels;
  int batch_size = 8;
  PreprocessOptions preprocess;
};

using Classes = std::vector<Classification>;
/// What became of one picture.
using Outcome = std::variant<Classes, Error>;

std::vector<std::string> labels_of(const std::string& path) {
  std::vector<std::string> labels = load_labels(path);
  if (labels.empty()) {
    throw Error(ErrorCode::malformed, path + " holds no label; one a line is expected");
  }
  return labels;
}

/// The error of one picture, with its name in front where the message does not begin with it.
Error named(const std::string& image, const Error& error) {
  const std::string message = in_command_words(error.what());
  return Error(error.code(), message.rfind(image, 0) == 0 ? message : image + ": " + message);
}

/// Classifies pictures as one batch; those that cannot be read or do not fit cost the others nothing.
std::vector<Outcome> classify_all(const ImageClassifier& classifier, const std::vector<std::string>& images,
                                  std::optional<int> top_k) {
  std::vector<ItemError> errors;
  std::vector<Outcome> outcomes;
  for (Classes& classes : classifier.classify_files(images, top_k, &errors))
    outcomes.emplace_back(std::move(classes));
  for (const ItemError& error : errors) outcomes[error.item] = named(images[error.item], error.error);
  return outcomes;
}

void print_text(const std::string& image, const Classes& classes) {
  Table table;
  for (const auto& [label, score, index] : classes) table.add({fixed(score, 6), clean(label)});
  std::cout << clean(image) << '\n';
  table.print(std::cout, "  ");
}

Json to_json(const std::string& image, const Outcome& outcome) {
  if (const Error* error = std::get_if<Error>(&outcome)) {
    return {{"image", image}, {"error", {{"code", to_string(error->code())}, {"message", error->what()}}}};
  }
  Json classes = Json::array();
  for (const auto& [label, score, index] : std::get<Classes>(outcome)) {
    classes.push_back({{"label", label}, {"score", score}, {"index", index}});
  }
  return {{"image", image}, {"classes", classes}};
}

int run_classify(const ClassifyOptions& options) {
  LoadOptions load = load_options(options);
  if (!options.labels.empty()) load.labels = labels_of(options.labels);
  ImageOptions image_options = image_options_of(options.preprocess);
  image_options.options = run_options(options);
  const ImageClassifier classifier(load_model(options, load), image_options);
  print_warnings(classifier.warnings());
  const std::optional<int> top_k = options.all_classes ? std::nullopt : std::optional<int>(options.top_k);

  bool all_good = true;
  Json report = Json::array();
  Progress progress(options.images.size());
  const auto batch_size = static_cast<std::size_t>(options.batch_size);
  for (std::size_t begin = 0; begin < options.images.size(); begin += batch_size) {
    const std::size_t end = std::min(begin + batch_size, options.images.size());
    const std::vector<std::string> batch(options.images.begin() + static_cast<std::ptrdiff_t>(begin),
                                         options.images.begin() + static_cast<std::ptrdiff_t>(end));
    const std::vector<Outcome> outcomes = classify_all(classifier, batch, top_k);
    progress.hide();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (const Error* error = std::get_if<Error>(&outcomes[i])) {
        all_good = false;
        std::cerr << "mxinfer: " << error->what() << '\n';
      } else if (!options.json) {
        print_text(batch[i], std::get<Classes>(outcomes[i]));
      }
      if (options.json) report.push_back(to_json(batch[i], outcomes[i]));
    }
    std::cout.flush();
    progress.advance(batch.size());
  }
  progress.hide();
  if (options.json) print_json({{"images", report}});
  return all_good ? 0 : 1;
}

}  // namespace

void add_classify(CLI::App& app, Run& run) {
  auto options = std::make_shared<ClassifyOptions>();
  CLI::App* command = app.add_subcommand("classify", "Say what is in pictures (JPEG or PNG)");
  add_model_options(*command, *options);
  command->add_option("IMAGE", options->images, "The pictures")->required();
  CLI::Option* top_k =
      whole_number(
          command->add_option("--top-k", options->top_k, "The best N classes, best first (default 5)"), 1)
          ->type_name("N");
  command->add_flag("--all", options->all_classes, "Every class, in the order of the labels")
      ->excludes(top_k);
  command
      ->add_option("--labels", options->labels,
                   "Class names, one a line (default: synset.txt beside the model)")
      ->type_name("FILE");
  whole_number(
      command->add_option("--batch-size", options->batch_size, "Pictures that are run at once (default 8)"),
      1, 65536)
      ->type_name("N");
  add_preprocess_options(*command, options->preprocess);
  command->footer(
      "\nA picture that cannot be read is reported, the others are classified, and the exit code is 1.\n\n"
      "Examples:\n"
      "  mxinfer classify models/digits examples/images/seven.jpg --top-k 3\n"
      "  mxinfer classify end_to_end photos/*.jpg          # a model with its transforms\n"
      "  mxinfer classify resnet18_v1 photos/*.jpg --preset imagenet --json\n"
      "  mxinfer classify old_net cat.jpg --color bgr --mean 104,117,123 --height 227 --width 227");
  command->callback([&run, options] { run = [options] { return run_classify(*options); }; });
}

}  // namespace mxinfer::cli
