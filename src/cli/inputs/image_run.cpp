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
      "Images, folders (every .jpg, .jpeg and .png in them, and images without an ending, in the order of "
      "their names), addresses of both (a folder's ends in /), or - for standard input: an image, or a list "
      "of "
      "them, one a line");
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
  const std::string image = place == kStandardInput ? "standard input" : sources::shown(place);
  const std::string message = in_command_words(error.what());
  return Error(error.code(), message.rfind(image, 0) == 0 ? message : image + ": " + message);
}

std::string shown_image(const std::string& place) {
  return sources::shown(place);
}

}  // namespace mxinfer::cli
