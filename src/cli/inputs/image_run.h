// What commands on images share besides item_run.h: the options for images and preprocessing, and errors that
// name their image.
//
//   ImageTask<Classes> task;
//   task.run = [&](const ImageBatch& images, auto& errors) {
//     return images.files.empty() ? classifier.classify_files(images.places, {}, &errors)
//                                 : classifier.classify_bytes_list(images.files, {}, &errors);
//   };
//   task.print = [](const std::string& image, const Classes& classes) { ... };
//   task.describe = [](const Classes& classes) { return Json{{"classes", ...}}; };
//   return run_on_images(options, list, task);
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/error.h>
#include <mxinfer/item_error.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cli/inputs/image_list.h"
#include "cli/inputs/item_run.h"
#include "cli/options/options.h"
#include "cli/options/preprocess_options.h"

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

/// MODEL, the options for loading and running it, IMAGE and --from. Add the command's own options after it.
void add_image_arguments(CLI::App& command, ImageRunOptions& options);
/// --labels, --batch-size, --ndjson, preprocessing and the general options. Call it last.
void add_image_run_options(CLI::App& command, ImageRunOptions& options);

/// UsageError that names the command if there is neither an image nor a list.
void require_images(const std::string& command, const ImageRunOptions& options);

/// The error of one image, preceded by the image's name unless the message begins with it.
Error named_error(const std::string& place, const Error& error);

/// Images that run as one batch.
struct ImageBatch {
  std::vector<std::string> places;
  std::vector<ByteSpan> files;  ///< for standard input, the bytes of each place; otherwise empty
};

/// What a command does with images. A Result belongs to one image.
template <typename Result>
struct ImageTask {
  /// Runs images as one batch. Invalid images are reported in `errors` and do not affect the others.
  std::function<std::vector<Result>(const ImageBatch& images, std::vector<ItemError>& errors)> run;
  /// Prints a result as text on standard output.
  std::function<void(const std::string& image, const Result& result)> print;
  /// The result as a JSON object, to which the image's name is added.
  std::function<Json(const Result& result)> describe;
  /// Prints further notes about an image on standard error, after its result; may be empty.
  std::function<void(const ListedImage& image, const Result& result)> after{};
};

/// Calls run(images, errors) for the images of a batch without a problem, as run_good() does. Afterwards each
/// problem begins with the name of its image.
template <typename Run>
auto run_listed(std::vector<ListedImage>& batch, const Run& run) {
  const auto run_images = [&](const std::vector<const ListedImage*>& good, std::vector<ItemError>& errors) {
    ImageBatch images;
    for (const ListedImage* image : good) {
      images.places.push_back(image->place);
      if (image->file) images.files.emplace_back(*image->file);
    }
    return run(images, errors);
  };
  auto results = run_good(batch, run_images);
  for (ListedImage& image : batch) {
    if (image.problem) image.problem = named_error(image.place, *image.problem);
  }
  return results;
}

/// An image's name for output.
std::string shown_image(const std::string& place);

template <typename Result>
void report_image(const ListedImage& image, const Result& result, const ImageTask<Result>& task,
                  ItemReport& report) {
  const std::string name = shown_image(image.place);
  if (image.problem) return report.add_error({{"image", name}}, *image.problem);
  if (report.is_text()) {
    task.print(name, result);
  } else {
    report.add_json({{"image", name}}, task.describe(result));
  }
  if (task.after) task.after(image, result);
}

/// Runs all images of the list, and returns the exit code. The task gets `at_once` batches in one call, of
/// which it makes batches itself.
template <typename Result>
int run_on_images(const ImageRunOptions& options, ImageList& list, const ImageTask<Result>& task,
                  std::size_t at_once = 1) {
  ItemReport report("images", options.json, options.ndjson);
  const auto batch_size = static_cast<std::size_t>(options.batch_size);
  for_each_batch(list, batch_size * at_once, [&](std::vector<ListedImage>& batch, Progress& progress) {
    const std::vector<Result> results = run_listed(batch, task.run);
    progress.hide();
    for (std::size_t i = 0; i < batch.size(); ++i) report_image(batch[i], results[i], task, report);
  });
  return report.finish();
}

}  // namespace mxinfer::cli
