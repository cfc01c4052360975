#include "cli/image_run.h"

#include <CLI/CLI.hpp>

#include "cli/command_words.h"
#include "cli/value_checks.h"
#include "sources/address.h"

namespace mxinfer::cli {
void add_image_arguments(CLI::App& command, ImageRunOptions& options) {
  add_model_options(command, options);
  command.add_option(
      "IMAGE", options.images,
      "Images, folders (every .jpg, .jpeg and .png in them, in the order of their names), addresses of "
      "both (a folder's ends in /), or - for a list of them on standard input, one a line");
  command
      .add_option("--from", options.from,
                  "A list of images and folders in a file or at an address, one path or address a line")
      ->type_name("FILE");
}

void add_image_run_options(CLI::App& command, ImageRunOptions& options) {
  add_labels_option(command, options.labels);
  whole_number(
      command.add_option("-b,--batch-size", options.batch_size, "Images that are run at once (default 8)"), 1,
      65536)
      ->type_name("N");
  CLI::Option* ndjson = command.add_flag("--ndjson", options.ndjson,
                                         "Print a line of JSON for each image, as soon as it is known");
  add_preprocess_options(command, options.preprocess);
  add_general_options(command, options.json);
  ndjson->excludes("--json");
}

void require_images(const std::string& command, const ImageRunOptions& options) {
  if (options.images.empty() && options.from.empty())
    throw UsageError(command + " wants an IMAGE, or --from FILE with a list of them");
}

Error named_error(const std::string& place, const Error& error) {
  const std::string image = sources::shown(place);
  const std::string message = in_command_words(error.what());
  return Error(error.code(), message.rfind(image, 0) == 0 ? message : image + ": " + message);
}

std::string shown_image(const std::string& place) {
  return sources::shown(place);
}

Runnable runnable_of(const std::vector<ListedImage>& batch) {
  Runnable runnable;
  runnable.problems.resize(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch[i].problem) {
      runnable.problems[i] = named_error(batch[i].place, *batch[i].problem);
    } else {
      runnable.places.push_back(batch[i].place);
      runnable.positions.push_back(i);
    }
  }
  return runnable;
}

void keep_problems(Runnable& runnable, const std::vector<ItemError>& errors) {
  for (const ItemError& error : errors)
    runnable.problems[runnable.positions[error.item]] = named_error(runnable.places[error.item], error.error);
}

void ImageReport::add_json(const std::string& place, const Json& facts) {
  Json image = {{"image", shown_image(place)}};
  image.update(facts);
  if (options_.ndjson) {
    print_json_line(image);
  } else {
    images_.push_back(std::move(image));
  }
}

void ImageReport::add_error(const std::string& place, const Error& error) {
  all_good_ = false;
  std::cerr << "mxinfer: " << error.what() << '\n';
  if (is_text()) return;
  add_json(place, {{"error", {{"code", to_string(error.code())}, {"message", error.what()}}}});
}

int ImageReport::finish() const {
  if (options_.json) print_json({{"images", images_}});
  return all_good_ ? 0 : 1;
}

}  // namespace mxinfer::cli
