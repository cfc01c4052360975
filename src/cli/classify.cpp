// mxinfer classify: images in, labels and scores out, one after another.
#include <mxinfer/error.h>
#include <mxinfer/vision/image_classifier.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <variant>

#include "cli/command_words.h"
#include "cli/commands.h"
#include "cli/image_list.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/preprocess_options.h"
#include "cli/progress.h"
#include "cli/value_checks.h"
#include "sources/address.h"
#include "sources/opener.h"

namespace mxinfer::cli {
namespace {

struct ClassifyOptions : ModelOptions {
  std::vector<std::string> images;
  std::string from;
  bool ndjson = false;
  int top_k = 5;
  std::string activation = "none";
  std::optional<double> min_score;
  bool all_classes = false;
  std::string labels;
  int batch_size = 8;
  PreprocessOptions preprocess;
};

using Classes = std::vector<Classification>;
/// What became of one image.
using Outcome = std::variant<Classes, Error>;

std::vector<std::string> labels_of(const std::string& path, const LoadOptions& load) {
  std::vector<std::string> labels = load_labels(path, load);
  if (labels.empty()) {
    throw Error(ErrorCode::malformed, sources::shown(path) + " holds no label; one a line is expected");
  }
  return labels;
}

/// The error of one image, with its name in front if the message does not begin with it.
Error named(const std::string& place, const Error& error) {
  const std::string image = sources::shown(place);
  const std::string message = in_command_words(error.what());
  return Error(error.code(), message.rfind(image, 0) == 0 ? message : image + ": " + message);
}

/// Classifies images as one batch; those that cannot be read or do not fit cost the others nothing.
std::vector<Outcome> classify_all(const ImageClassifier& classifier, const std::vector<ListedImage>& images,
                                  std::optional<int> top_k) {
  std::vector<Outcome> outcomes(images.size());
  std::vector<std::string> places;
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (images[i].problem) {
      outcomes[i] = named(images[i].place, *images[i].problem);
    } else {
      places.push_back(images[i].place);
      positions.push_back(i);
    }
  }
  std::vector<ItemError> errors;
  std::vector<Classes> classes = classifier.classify_files(places, top_k, &errors);
  for (std::size_t i = 0; i < places.size(); ++i) outcomes[positions[i]] = std::move(classes[i]);
  for (const ItemError& error : errors)
    outcomes[positions[error.item]] = named(places[error.item], error.error);
  return outcomes;
}

void print_text(const std::string& image, const Classes& classes) {
  Table table;
  for (const auto& [label, score, index] : classes) table.add({fixed(score, 6), clean(label)});
  std::cout << clean(image) << '\n';
  table.print(std::cout, "  ");
}

Json outcome_json(const std::string& image, const Outcome& outcome) {
  if (const Error* error = std::get_if<Error>(&outcome)) {
    return {{"image", image}, {"error", {{"code", to_string(error->code())}, {"message", error->what()}}}};
  }
  Json classes = Json::array();
  for (const auto& [label, score, index] : std::get<Classes>(outcome)) {
    classes.push_back({{"label", label}, {"score", score}, {"index", index}});
  }
  return {{"image", image}, {"classes", classes}};
}

/// Prints what became of the images, one after another or, as one JSON document, at the end.
class ImageReport {
 public:
  explicit ImageReport(const ClassifyOptions& options) : options_(options) {}

  void add(const std::string& place, const Outcome& outcome) {
    const std::string image = sources::shown(place);
    const Error* error = std::get_if<Error>(&outcome);
    all_good_ = all_good_ && error == nullptr;
    if (error != nullptr) std::cerr << "mxinfer: " << error->what() << '\n';
    if (options_.ndjson) {
      print_json_line(outcome_json(image, outcome));
    } else if (options_.json) {
      images_.push_back(outcome_json(image, outcome));
    } else if (error == nullptr) {
      print_text(image, std::get<Classes>(outcome));
    }
  }
  /// The exit code.
  int finish() const {
    if (options_.json) print_json({{"images", images_}});
    return all_good_ ? 0 : 1;
  }

 private:
  const ClassifyOptions& options_;
  Json images_ = Json::array();
  bool all_good_ = true;
};

ImageClassifier make_classifier(const ClassifyOptions& options, LoadOptions load) {
  if (!options.labels.empty()) load.labels = labels_of(options.labels, load);
  ImageOptions image_options = image_options_of(options.preprocess);
  image_options.options = run_options(options);
  image_options.activation = parse_activation(options.activation);
  if (options.min_score) image_options.min_score = static_cast<float>(*options.min_score);
  return ImageClassifier(load_model(options, load), image_options);
}

int run_classify(const ClassifyOptions& options) {
  if (options.images.empty() && options.from.empty())
    throw UsageError("classify wants an IMAGE, or --from FILE with a list of them");
  const LoadOptions load = load_options(options);
  const ImageClassifier classifier = make_classifier(options, load);
  print_warnings(classifier.warnings());
  const std::optional<int> top_k = options.all_classes ? std::nullopt : std::optional<int>(options.top_k);
  const auto batch_size = static_cast<std::size_t>(options.batch_size);

  const sources::Opener opener(load);
  ImageList list(options.images, options.from, opener);
  ImageReport report(options);
  Progress progress(list.size());
  // If the results cannot be written, as to a full disk, the rest is not worth its time.
  for (auto batch = list.next(batch_size); !batch.empty() && std::cout; batch = list.next(batch_size)) {
    const std::vector<Outcome> outcomes = classify_all(classifier, batch, top_k);
    progress.hide();
    for (std::size_t i = 0; i < batch.size(); ++i) report.add(batch[i].place, outcomes[i]);
    std::cout.flush();
    progress.advance(batch.size());
  }
  progress.hide();
  return report.finish();
}

}  // namespace

void add_classify(CLI::App& app, Run& run) {
  auto options = std::make_shared<ClassifyOptions>();
  CLI::App* command = app.add_subcommand("classify", "Say what is in images (JPEG or PNG)");
  add_model_options(*command, *options);
  command->add_option(
      "IMAGE", options->images,
      "Images, folders (every .jpg, .jpeg and .png in them, in the order of their names), addresses of "
      "both (a folder's ends in /), or - for a list of them on standard input, one a line");
  command
      ->add_option("--from", options->from,
                   "A list of images and folders in a file or at an address, one path or address a line")
      ->type_name("FILE");
  CLI::Option* top_k =
      whole_number(
          command->add_option("-k,--top-k", options->top_k, "The best N classes, best first (default 5)"), 1)
          ->type_name("N");
  command->add_flag("--all", options->all_classes, "Every class, in the order of the labels")
      ->excludes(top_k);
  one_of(command->add_option("--activation", options->activation,
                             "What turns the network's numbers into scores: none (default), softmax (Gluon's "
                             "networks end in logits) or sigmoid"),
         {"none", "softmax", "sigmoid"})
      ->type_name("NAME");
  number(command->add_option("--min-score", options->min_score, "Leave out classes that score less"), -1e30,
         1e30)
      ->type_name("X");
  command
      ->add_option(
          "--labels", options->labels,
          "Class names, one a line, in a file or at an address (default: synset.txt beside the model)")
      ->type_name("FILE");
  whole_number(
      command->add_option("-b,--batch-size", options->batch_size, "Images that are run at once (default 8)"),
      1, 65536)
      ->type_name("N");
  CLI::Option* ndjson = command->add_flag("--ndjson", options->ndjson,
                                          "Print a line of JSON for each image, as soon as it is known");
  add_preprocess_options(*command, options->preprocess);
  add_general_options(*command, options->json);
  ndjson->excludes("--json");
  command->footer(
      "Results are printed while it runs; --json alone prints one document at the end. An image that cannot "
      "be "
      "read is reported, the others are classified, and the exit code is 1.\n\n"
      "Examples:\n"
      "  mxinfer classify models/digits examples/images/seven.jpg --top-k 3\n"
      "  mxinfer classify end_to_end photos                # a model with its transforms, a folder\n"
      "  mxinfer classify resnet18_v1 photos/*.jpg --preset imagenet --json\n"
      "  mxinfer classify models/digits https://models.example/seven.jpg\n"
      "  find photos -name '*.jpg' | mxinfer classify end_to_end - --ndjson\n"
      "  mxinfer classify old_net cat.jpg --color bgr --mean 104,117,123 --height 227 --width 227");
  command->callback([&run, options] { run = [options] { return run_classify(*options); }; });
}

}  // namespace mxinfer::cli
