// What commands on images share: the list of images and how they become the network's input on the command
// line, batches with the error of each image, and results as text, JSON, or a line of JSON for each.
//
//   ImageTask<Classes> task;
//   task.run = [&](const auto& places, auto& errors) { return classifier.classify_files(places, {}, &errors); };
//   task.print = [](const std::string& image, const Classes& classes) { ... };
//   task.describe = [](const Classes& classes) { return Json{{"classes", ...}}; };
//   return run_on_images(options, list, task);
#pragma once

#include <mxinfer/error.h>
#include <mxinfer/item_error.h>

#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/image_list.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/preprocess_options.h"
#include "cli/progress.h"

namespace CLI {
class Option;
}

namespace mxinfer::cli {

struct ImageRunOptions : ModelOptions {
  std::vector<std::string> images;
  std::string from;
  bool ndjson = false;
  std::string labels;
  int batch_size = 8;
  PreprocessOptions preprocess;
};

/// MODEL and the options of loading and running it, IMAGE and --from; a command's own options come behind.
void add_image_arguments(CLI::App& command, ImageRunOptions& options);
/// --labels, --batch-size, --ndjson, how an image becomes the input, and the general options: the last.
void add_image_run_options(CLI::App& command, ImageRunOptions& options);

/// UsageError, which names the command, if there is neither an image nor a list.
void require_images(const std::string& command, const ImageRunOptions& options);

/// The error of one image, with its name in front if the message does not begin with it.
Error named_error(const std::string& place, const Error& error);

/// What a command does with images. A Result is what is known of one.
template <typename Result>
struct ImageTask {
  /// Images as one batch; those that are wrong are reported in `errors`, and cost the others nothing.
  std::function<std::vector<Result>(const std::vector<std::string>& places, std::vector<ItemError>& errors)>
      run;
  /// As text, on standard output.
  std::function<void(const std::string& image, const Result& result)> print;
  /// As an object of JSON, to which the image's name is added.
  std::function<Json(const Result& result)> describe;
  /// What else there is to say of an image, on standard error, behind either; may be empty.
  std::function<void(const std::string& place, const Result& result)> after{};
};

/// Prints what became of images one after another or, as one JSON document, at the end.
class ImageReport {
 public:
  explicit ImageReport(const ImageRunOptions& options) : options_(options) {}

  bool is_text() const { return !options_.ndjson && !options_.json; }
  /// Precondition: not is_text().
  void add_json(const std::string& place, const Json& facts);
  void add_error(const std::string& place, const Error& error);
  /// The exit code.
  int finish() const;

 private:
  const ImageRunOptions& options_;
  Json images_ = Json::array();
  bool all_good_ = true;
};

/// The images of a batch that a task can be given, and which of the batch they are.
struct Runnable {
  std::vector<std::string> places;
  std::vector<std::size_t> positions;
  /// Of each image of the batch, what is wrong with it.
  std::vector<std::optional<Error>> problems;
};
Runnable runnable_of(const std::vector<ListedImage>& batch);
/// Puts a task's errors where the images stand in the batch.
void keep_problems(Runnable& runnable, const std::vector<ItemError>& errors);
/// An image's name as it is printed.
std::string shown_image(const std::string& place);

template <typename Result>
void run_batch(const std::vector<ListedImage>& batch, const ImageTask<Result>& task, ImageReport& report,
               Progress& progress) {
  Runnable runnable = runnable_of(batch);
  std::vector<ItemError> errors;
  const std::vector<Result> results = task.run(runnable.places, errors);
  keep_problems(runnable, errors);
  progress.hide();
  std::size_t next = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const bool has_result = next < runnable.positions.size() && runnable.positions[next] == i;
    const std::size_t result = next;
    next += has_result ? 1 : 0;
    if (runnable.problems[i]) {
      report.add_error(batch[i].place, *runnable.problems[i]);
      continue;
    }
    if (report.is_text()) {
      task.print(shown_image(batch[i].place), results[result]);
    } else {
      report.add_json(batch[i].place, task.describe(results[result]));
    }
    if (task.after) task.after(batch[i].place, results[result]);
  }
}

/// All images of the list, batch by batch. Gives the exit code.
template <typename Result>
int run_on_images(const ImageRunOptions& options, ImageList& list, const ImageTask<Result>& task) {
  const auto batch_size = static_cast<std::size_t>(options.batch_size);
  ImageReport report(options);
  Progress progress(list.size());
  // If the results cannot be written, as to a full disk, the rest is not worth its time.
  for (auto batch = list.next(batch_size); !batch.empty() && std::cout; batch = list.next(batch_size)) {
    run_batch(batch, task, report, progress);
    std::cout.flush();
    progress.advance(batch.size());
  }
  progress.hide();
  return report.finish();
}

}  // namespace mxinfer::cli
