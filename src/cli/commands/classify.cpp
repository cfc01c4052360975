// mxinfer classify: prints labels and scores for images, one after another.
#include <mxinfer/vision/image_classifier.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/inputs/image_list.h"
#include "cli/inputs/image_run.h"
#include "cli/options/class_options.h"
#include "sources/opener.h"

namespace mxinfer::cli {
namespace {

struct ClassifyOptions : ImageRunOptions {
  ClassOptions classes;
};

ImageClassifier make_classifier(const ClassifyOptions& options, const LoadOptions& load) {
  ImageOptions image_options = image_options_of(options.preprocess);
  image_options.options = run_options(options);
  set_scores(options.classes, image_options);
  return ImageClassifier(load_model(options, load), image_options);
}

int run_classify(const ClassifyOptions& options) {
  require_images("classify", options);
  const LoadOptions load = load_options_with_labels(options, options.labels);
  const ImageClassifier classifier = make_classifier(options, load);
  print_warnings(classifier.warnings());
  const std::optional<int> top_k = top_k_of(options.classes);
  const sources::Opener opener(load);
  ImageList list(options.images, options.from, opener);
  ImageTask<Classes> task;
  task.run = [&](const ImageBatch& images, std::vector<ItemError>& errors) {
    return images.files.empty() ? classifier.classify_files(images.places, top_k, &errors)
                                : classifier.classify_bytes_list(images.files, top_k, &errors);
  };
  task.print = print_classes;
  task.describe = classes_json;
  return run_on_images(options, list, task);
}

}  // namespace

void add_classify(CLI::App& app, Run& run) {
  auto options = std::make_shared<ClassifyOptions>();
  CLI::App* command = app.add_subcommand("classify", "Classify images");
  add_image_arguments(*command, *options);
  add_class_options(*command, options->classes);
  add_image_run_options(*command, *options);
  command->footer(
      "Results are printed as they come; with --json, one document is printed at the end. If an image cannot "
      "be read, the command reports it, classifies the others, and exits with 1.\n\n"
      "Examples:\n"
      "  mxinfer classify models/digits examples/images/seven.jpg --top-k 3\n"
      "  mxinfer classify end_to_end photos                # a model with its transforms, a folder\n"
      "  mxinfer classify resnet18_v1 photos/*.jpg --preset imagenet --json\n"
      "  mxinfer classify models/digits https://models.example/seven.jpg\n"
      "  curl -s https://models.example/seven.jpg | mxinfer classify models/digits -\n"
      "  find photos -name '*.jpg' | mxinfer classify end_to_end - --ndjson\n"
      "  mxinfer classify old_net cat.jpg --color bgr --mean 104,117,123 --height 227 --width 227");
  command->callback([&run, options] { run = [options] { return run_classify(*options); }; });
}

}  // namespace mxinfer::cli
