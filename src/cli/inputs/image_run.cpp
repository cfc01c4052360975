#include "cli/inputs/image_run.h"

#include <CLI/CLI.hpp>

#include "cli/options/value_checks.h"
#include "cli/output/command_words.h"
#include "sources/address.h"

namespace mxinfer::cli {

void add_image_arguments(CLI::App& command, ImageRunOptions& options) {
  add_model_options(command, options);
  command.add_option(
      "IMAGE", options.images,
      "Images (JPEG or PNG), folders (their .jpg, .jpeg and .png files and images without an ending, ordered "
      "by name), addresses of both (a folder's ends in /), or - for standard input: an image, or a list of "
      "paths, one per line");
  command
      .add_option("--from", options.from,
                  "Read a list of images and folders from a file or address, one path or address per line")
      ->type_name("FILE");
}

void add_image_run_options(CLI::App& command, ImageRunOptions& options) {
  add_labels_option(command, options.labels);
  whole_number(
      command.add_option("-b,--batch-size", options.batch_size, "Number of images per batch (default 8)"), 1,
      65536)
      ->type_name("N");
  CLI::Option* ndjson = command.add_flag("--ndjson", options.ndjson,
                                         "Write one line of JSON per image, as soon as its result is known");
  add_preprocess_options(command, options.preprocess);
  add_general_options(command, options.json);
  ndjson->excludes("--json");
}

void require_images(const std::string& command, const ImageRunOptions& options) {
  if (options.images.empty() && options.from.empty())
    throw UsageError(command + " requires an IMAGE, or --from FILE with a list of images");
}

Error named_error(const std::string& place, const Error& error) {
  const std::string image = place == kStandardInput ? "standard input" : sources::shown(place);
  const std::string message = in_command_words(error.what());
  return Error(error.code(), message.rfind(image, 0) == 0 ? message : image + ": " + message);
}

std::string shown_image(const std::string& place) {
  return sources::shown(place);
}

}  // namespace mxinfer::cli
