// mxinfer detect: prints the objects in images and draws them.
#include <mxinfer/vision/draw.h>
#include <mxinfer/vision/encode.h>
#include <mxinfer/vision/object_detector.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/inputs/folders.h"
#include "cli/inputs/image_list.h"
#include "cli/inputs/image_run.h"
#include "cli/inputs/picture_names.h"
#include "cli/inputs/run_and_draw.h"
#include "cli/options/value_checks.h"
#include "cli/output/detection_table.h"
#include "cli/output/output.h"
#include "sources/opener.h"

namespace mxinfer::cli {
namespace {

struct DetectRunOptions : ImageRunOptions {
  double threshold = 0.5;
  std::optional<int> most;
  std::vector<std::string> classes;
  std::string box_units = "automatic";
  std::string output_dir;
  int quality = 90;
};

using Objects = std::vector<Detection>;

/// The result of one image.
struct Found {
  Objects objects;
  std::string picture{};  ///< the picture's path; empty without --output-dir
};

ObjectDetector make_detector(const DetectRunOptions& options, const LoadOptions& load) {
  auto detector = class_options_of<DetectorOptions>(options.preprocess);
  detector.options = run_options(options);
  if (options.box_units == "relative") detector.units = BoxUnits::relative;
  if (options.box_units == "pixels") detector.units = BoxUnits::pixels;
  return ObjectDetector(load_model(options, load), detector);
}

DetectOptions asked(const DetectRunOptions& options) {
  DetectOptions detect;
  detect.score_threshold = static_cast<float>(options.threshold);
  detect.max_detections = options.most;
  detect.classes = options.classes;
  return detect;
}

/// Reports images without objects, and the reason for the first of them.
class NothingFound {
 public:
  NothingFound(const ObjectDetector& detector, const DetectOptions& asked)
      : detector_(detector), asked_(asked) {}

  void tell(const ListedImage& image) {
    if (is_quiet()) return;
    std::cerr << "mxinfer: " << clean(shown_image(image.place)) << ": no objects found"
              << (told_ ? "" : reason(image)) << '\n';
    told_ = true;
  }

 private:
  /// Runs the image again.
  std::string reason(const ListedImage& image) const {
    try {
      const DetectReport report = image.file ? detector_.report_bytes(*image.file, asked_)
                                             : detector_.report_file(image.place, asked_);
      return ": " + clean(to_string(report));
    } catch (const Error&) {  // for example, a file that can be read only once
      return "";
    }
  }

  const ObjectDetector& detector_;
  const DetectOptions& asked_;
  bool told_ = false;
};

std::vector<Found> without_pictures(std::vector<Objects> objects) {
  std::vector<Found> found;
  for (Objects& one : objects) found.push_back({std::move(one)});
  return found;
}

/// Writes images with the objects drawn on them to a folder.
class Pictures {
 public:
  Pictures(const DetectRunOptions& options, const ImageList& list)
      : options_(options), names_(options.output_dir, list.known_files(), list.size().has_value()) {
    make_folder("--output-dir", options.output_dir);
  }

  void draw(const std::string& place, ByteSpan file, Found& found) {
    DecodeOptions decode;
    decode.apply_exif = !options_.preprocess.no_exif;
    const Image picture = mxinfer::draw(decode_image(file, decode), found.objects);
    const std::string path = names_.next(place);
    write_image(picture, path, options_.quality);
    found.picture = path;
  }

 private:
  const DetectRunOptions& options_;
  PictureNames names_;
};

Json found_json(const Found& found) {
  Json objects = Json::array();
  for (const auto& object : found.objects) {
    Json facts = {{"label", object.label}, {"score", object.score}, {"index", object.index}};
    facts["box"] = {{"left", object.box.left},
                    {"top", object.box.top},
                    {"right", object.box.right},
                    {"bottom", object.box.bottom}};
    for (const Point& point : object.landmarks)
      facts["landmarks"].push_back({{"x", point.x}, {"y", point.y}});
    objects.push_back(std::move(facts));
  }
  Json facts = {{"objects", objects}};
  if (!found.picture.empty()) facts["picture"] = found.picture;
  return facts;
}

int run_detect(const DetectRunOptions& options) {
  require_images("detect", options);
  const LoadOptions load = load_options_with_labels(options, options.labels);
  const sources::Opener opener(load);
  const ObjectDetector detector = make_detector(options, load);
  const DetectOptions wanted = asked(options);
  print_warnings(detector.warnings());
  ImageList list(options.images, options.from, opener);
  std::optional<Pictures> pictures;
  if (!options.output_dir.empty()) pictures.emplace(options, list);

  ImageTask<Found> task;
  NothingFound nothing(detector, wanted);
  DetectionTable table;
  const auto find = [&](const std::vector<ByteSpan>& files, std::vector<ItemError>& wrong) {
    return without_pictures(detector.detect_bytes_list(files, wanted, &wrong));
  };
  task.run = [&](const ImageBatch& images, std::vector<ItemError>& errors) {
    if (!pictures && !images.files.empty()) return find(images.files, errors);
    if (!pictures) return without_pictures(detector.detect_files(images.places, wanted, &errors));
    return run_and_draw<Found>(
        opener, images, errors, find,
        [&](const std::string& place, ByteSpan file, Found& found) { pictures->draw(place, file, found); });
  };
  task.print = [&](const std::string& image, const Found& found) {
    table.print(std::cout, image, found.objects);
  };
  task.describe = found_json;
  task.after = [&](const ListedImage& image, const Found& found) {
    if (found.objects.empty()) nothing.tell(image);
  };
  return run_on_images(options, list, task);
}

void add_detect_options(CLI::App& command, DetectRunOptions& options) {
  number(
      command.add_option("--threshold", options.threshold, "Omit objects with a lower score (default 0.5)"),
      -1e30, 1e30)
      ->type_name("X");
  whole_number(command.add_option("--max", options.most,
                                  "Report at most N objects per image, the best ones (default: all)"),
               1)
      ->type_name("N");
  command
      .add_option("--class", options.classes,
                  "Report only objects of the class with this label; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME");
  one_of(command.add_option(
             "--box-units", options.box_units,
             "Units of the network's boxes: relative (fractions of the input's sides), pixels (of the "
             "input), or automatic (default: relative if the network ends in MultiBoxDetection, else "
             "pixels)"),
         {"automatic", "relative", "pixels"})
      ->type_name("NAME");
  command
      .add_option(
          "--output-dir", options.output_dir,
          "Write each image, with boxes, labels and scores drawn on it, to this folder under its own name; a "
          "second image of that name becomes NAME-2, and no input image is overwritten")
      ->type_name("DIR");
  whole_number(command.add_option("--quality", options.quality,
                                  "JPEG quality of the drawn images, 1 to 100 (default 90)"),
               1, 100)
      ->type_name("N");
}

}  // namespace

void add_detect(CLI::App& app, Run& run) {
  auto options = std::make_shared<DetectRunOptions>();
  CLI::App* command = app.add_subcommand("detect", "Detect objects in images");
  add_image_arguments(*command, *options);
  add_detect_options(*command, *options);
  add_image_run_options(*command, *options);
  command->footer(
      "MODEL is a detector: SSD, YOLO, CenterNet or Faster R-CNN from GluonCV, or SSD from MXNet or "
      "SageMaker. Boxes are in pixels of the input image. Results are printed as they come; with --json, one "
      "document is printed at the end. If an image cannot be read, the command reports it, runs the others, "
      "and exits with 1. An image without objects is not an error.\n\n"
      "Examples:\n"
      "  mxinfer detect ssd_512 street.jpg --preset imagenet --resize stretch --height 512 --width 512\n"
      "  mxinfer detect models/digit_detector models/digit_detector/scenes --output-dir drawn\n"
      "  mxinfer detect models/digit_detector models/digit_detector/scenes --threshold 0.3 --max 10 --json\n"
      "  find photos -name '*.jpg' | mxinfer detect models/digit_detector - --ndjson");
  command->callback([&run, options] { run = [options] { return run_detect(*options); }; });
}

}  // namespace mxinfer::cli
