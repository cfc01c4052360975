// mxinfer classify: images in, labels and scores out, one after another.
#include <mxinfer/vision/image_classifier.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.h"
#include "cli/image_list.h"
#include "cli/image_run.h"
#include "cli/output.h"
#include "cli/value_checks.h"
#include "sources/opener.h"

namespace mxinfer::cli {
namespace {

struct ClassifyOptions : ImageRunOptions {
  int top_k = 5;
  std::string activation = "none";
  std::optional<double> min_score;
  bool all_classes = false;
};

using Classes = std::vector<Classification>;

void print_classes(const std::string& image, const Classes& classes) {
  Table table;
  for (const auto& [label, score, index] : classes) table.add({fixed(score, 6), clean(label)});
  std::cout << clean(image) << '\n';
  table.print(std::cout, "  ");
}

Json classes_json(const Classes& classes) {
  Json list = Json::array();
  for (const auto& [label, score, index] : classes)
    list.push_back({{"label", label}, {"score", score}, {"index", index}});
  return {{"classes", list}};
}

ImageClassifier make_classifier(const ClassifyOptions& options, const LoadOptions& load) {
  ImageOptions image_options = image_options_of(options.preprocess);
  image_options.options = run_options(options);
  image_options.activation = parse_activation(options.activation);
  if (options.min_score) image_options.min_score = static_cast<float>(*options.min_score);
  return ImageClassifier(load_model(options, load), image_options);
}

int run_classify(const ClassifyOptions& options) {
  require_images("classify", options);
  const LoadOptions load = image_load_options(options);
  const ImageClassifier classifier = make_classifier(options, load);
  print_warnings(classifier.warnings());
  const std::optional<int> top_k = options.all_classes ? std::nullopt : std::optional<int>(options.top_k);
  const sources::Opener opener(load);
  ImageList list(options.images, options.from, opener);
  ImageTask<Classes> task;
  task.run = [&](const std::vector<std::string>& places, std::vector<ItemError>& errors) {
    return classifier.classify_files(places, top_k, &errors);
  };
  task.print = print_classes;
  task.describe = classes_json;
  return run_on_images(options, list, task);
}

}  // namespace

void add_classify(CLI::App& app, Run& run) {
  auto options = std::make_shared<ClassifyOptions>();
  CLI::App* command = app.add_subcommand("classify", "Say what is in images (JPEG or PNG)");
  add_image_arguments(*command, *options);
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
  add_image_run_options(*command, *options);
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
