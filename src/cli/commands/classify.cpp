// mxinfer classify: prints labels and scores for images, one after another.
#include <mxinfer/vision/image_classifier.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <thread>

#include "cli/commands/commands.h"
#include "cli/inputs/image_list.h"
#include "cli/inputs/image_run.h"
#include "cli/options/class_options.h"
#include "sources/opener.h"

namespace mxinfer::cli {
namespace {

struct ClassifyOptions : ImageRunOptions {
  ClassOptions classes;
  bool scaled_decoding = false;
};

/// Batches that are read at once for each thread: the more, the less threads wait for each other at the end.
constexpr std::size_t kBatchesPerThread = 2;

std::size_t batches_at_once(const ClassifyOptions& options) {
  const int given = options.threads.value_or(0);
  const unsigned threads = given > 0 ? static_cast<unsigned>(given) : std::thread::hardware_concurrency();
  return kBatchesPerThread * std::max(threads, 1U);
}

ImageClassifier make_classifier(const ClassifyOptions& options, const LoadOptions& load) {
  ImageOptions image_options = image_options_of(options.preprocess);
  image_options.options = run_options(options);
  image_options.batch_size = options.batch_size;
  image_options.scaled_decoding = options.scaled_decoding;
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
  return run_on_images(options, list, task, batches_at_once(options));
}

}  // namespace

void add_classify(CLI::App& app, Run& run) {
  auto options = std::make_shared<ClassifyOptions>();
  CLI::App* command = app.add_subcommand("classify", "Classify images");
  add_image_arguments(*command, *options);
  add_class_options(*command, options->classes);
  command->add_flag(
      "--scaled-decoding", options->scaled_decoding,
      "Decode JPEGs at 1/2, 1/4 or 1/8 of their sides where the resize leaves fewer pixels: faster, "
      "with slightly different scores");
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
