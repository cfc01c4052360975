// mxinfer detect: images in; objects, where they are, and pictures of them out.
#include <mxinfer/vision/draw.h>
#include <mxinfer/vision/encode.h>
#include <mxinfer/vision/object_detector.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/detection_table.h"
#include "cli/folders.h"
#include "cli/image_list.h"
#include "cli/image_run.h"
#include "cli/output.h"
#include "cli/picture_names.h"
#include "cli/run_and_draw.h"
#include "cli/value_checks.h"
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

/// What became of one image.
struct Found {
  Objects objects;
  std::string picture{};  ///< the file that was written; empty without --output-dir
};

ObjectDetector make_detector(const DetectRunOptions& options, const LoadOptions& load) {
  const ImageOptions image = image_options_of(options.preprocess);
  DetectorOptions detector;
  detector.preprocess = image.preprocess;
  detector.apply_exif = image.apply_exif;
  detector.height = image.height;
  detector.width = image.width;
  detector.options = run_options(options);
  if (options.box_units == "relative") detector.units = BoxUnits::relative;
  if (options.box_units == "pixels") detector.units = BoxUnits::pixels;
  return ObjectDetector(load_model(options, load), detector);
}

/// A class that the model does not know is a mistake; without labels, classes are numbers.
void check_classes(const DetectRunOptions& options, const Model& model) {
  const std::vector<std::string>& labels = model.labels();
  for (const std::string& name : options.classes) {
    if (labels.empty() || std::find(labels.begin(), labels.end(), name) != labels.end()) continue;
    throw Error(ErrorCode::invalid_argument,
                "--class: the model has no class '" + clean(name) + "'" + did_you_mean(name, labels) +
                    "; it has " + std::to_string(labels.size()) + ", which `mxinfer inspect` shows");
  }
}

/// A detector with what is asked of it: of which classes, from which score on, how many.
class Search {
 public:
  Search(const DetectRunOptions& options, const LoadOptions& load)
      : options_(options), detector_(make_detector(options, load)) {
    check_classes(options, detector_.model());
  }

  const ObjectDetector& detector() const { return detector_; }

  std::vector<Objects> in_files(const std::vector<std::string>& places, float threshold,
                                std::vector<ItemError>& errors) const {
    std::vector<Objects> objects = detector_.detect_files(places, asked(threshold), &errors);
    for (Objects& found : objects) keep_wanted(found);
    return objects;
  }
  std::vector<Objects> in_bytes(const std::vector<std::vector<std::byte>>& files,
                                std::vector<ItemError>& errors) const {
    std::vector<Objects> objects = detector_.detect_bytes_list(files, asked(threshold()), &errors);
    for (Objects& found : objects) keep_wanted(found);
    return objects;
  }
  float threshold() const { return static_cast<float>(options_.threshold); }

 private:
  /// Those of other classes do not count to --max.
  DetectOptions asked(float threshold) const {
    return {threshold, options_.classes.empty() ? options_.most : std::nullopt};
  }

  void keep_wanted(Objects& objects) const {
    const std::vector<std::string>& classes = options_.classes;
    if (classes.empty()) return;
    objects.erase(std::remove_if(objects.begin(), objects.end(),
                                 [&](const Detection& object) {
                                   return std::find(classes.begin(), classes.end(), object.label) ==
                                          classes.end();
                                 }),
                  objects.end());
    if (options_.most && objects.size() > static_cast<std::size_t>(*options_.most))
      objects.resize(static_cast<std::size_t>(*options_.most));
  }

  const DetectRunOptions& options_;
  ObjectDetector detector_;
};

/// Says of images in which nothing was found that it was so, and of the first how much it lacked.
class NothingFound {
 public:
  explicit NothingFound(const Search& search) : search_(search) {}

  void tell(const std::string& place) {
    if (is_quiet()) return;
    std::cerr << "mxinfer: " << clean(shown_image(place)) << ": nothing scores "
              << rounded(static_cast<double>(search_.threshold()), 6) << " or more";
    if (!told_) std::cerr << best_of(place);
    told_ = true;
    std::cerr << '\n';
  }

 private:
  /// Runs the image once more.
  std::string best_of(const std::string& place) const {
    std::vector<ItemError> errors;
    const std::vector<Objects> found = search_.in_files({place}, 0, errors);
    if (!errors.empty()) return "";
    if (found[0].empty()) return "; nor is anything found at a lower score";
    const Detection& best = found[0][0];
    return "; the best, '" + clean(best.label) + "', scores " + rounded(static_cast<double>(best.score), 3) +
           " (--threshold)";
  }

  const Search& search_;
  bool told_ = false;
};

std::vector<Found> without_pictures(std::vector<Objects> objects) {
  std::vector<Found> found;
  for (Objects& one : objects) found.push_back({std::move(one)});
  return found;
}

/// Pictures of what was found, in a folder.
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
    objects.push_back({{"label", object.label},
                       {"score", object.score},
                       {"index", object.index},
                       {"box",
                        {{"left", object.box.left},
                         {"top", object.box.top},
                         {"right", object.box.right},
                         {"bottom", object.box.bottom}}}});
  }
  Json facts = {{"objects", objects}};
  if (!found.picture.empty()) facts["picture"] = found.picture;
  return facts;
}

int run_detect(const DetectRunOptions& options) {
  require_images("detect", options);
  const LoadOptions load = image_load_options(options);
  const sources::Opener opener(load);
  const Search search(options, load);
  print_warnings(search.detector().warnings());
  ImageList list(options.images, options.from, opener);
  std::optional<Pictures> pictures;
  if (!options.output_dir.empty()) pictures.emplace(options, list);

  ImageTask<Found> task;
  NothingFound nothing(search);
  DetectionTable table;
  task.run = [&](const std::vector<std::string>& places, std::vector<ItemError>& errors) {
    if (!pictures) return without_pictures(search.in_files(places, search.threshold(), errors));
    const auto find = [&](const std::vector<std::vector<std::byte>>& files, std::vector<ItemError>& wrong) {
      return without_pictures(search.in_bytes(files, wrong));
    };
    return run_and_draw<Found>(
        opener, places, errors, find,
        [&](const std::string& place, ByteSpan file, Found& found) { pictures->draw(place, file, found); });
  };
  task.print = [&](const std::string& image, const Found& found) {
    table.print(std::cout, image, found.objects);
  };
  task.describe = found_json;
  task.after = [&](const std::string& place, const Found& found) {
    if (found.objects.empty()) nothing.tell(place);
  };
  return run_on_images(options, list, task);
}

void add_detect_options(CLI::App& command, DetectRunOptions& options) {
  number(
      command.add_option("--threshold", options.threshold, "Leave out objects that score less (default 0.5)"),
      -1e30, 1e30)
      ->type_name("X");
  whole_number(command.add_option("--max", options.most, "The best N objects of an image (default: all)"), 1)
      ->type_name("N");
  command
      .add_option("--class", options.classes,
                  "Objects of this class alone, by its label; may be repeated for several")
      ->allow_extra_args(false)
      ->type_name("NAME");
  one_of(
      command.add_option("--box-units", options.box_units,
                         "What the network gives its boxes in: relative (parts of the input's sides), pixels "
                         "(of the input), or automatic (default: relative if it ends in MultiBoxDetection)"),
      {"automatic", "relative", "pixels"})
      ->type_name("NAME");
  command
      .add_option(
          "--output-dir", options.output_dir,
          "Write each image with boxes, labels and scores drawn into it to this folder, under its own "
          "name; a second image of that name becomes NAME-2, and no image is written over")
      ->type_name("FOLDER");
  whole_number(command.add_option("--quality", options.quality,
                                  "Of the JPEGs among these pictures, 1 to 100 (default 90)"),
               1, 100)
      ->type_name("N");
}

}  // namespace

void add_detect(CLI::App& app, Run& run) {
  auto options = std::make_shared<DetectRunOptions>();
  CLI::App* command = app.add_subcommand("detect", "Say what is where in images (JPEG or PNG)");
  add_image_arguments(*command, *options);
  add_detect_options(*command, *options);
  add_image_run_options(*command, *options);
  command->footer(
      "MODEL is a detector: an SSD, YOLO, CenterNet or Faster R-CNN of GluonCV, MXNet's or SageMaker's SSD. "
      "Boxes "
      "are in pixels of the image that was given. Results are printed while it runs; --json alone prints one "
      "document at the end. An image that cannot be read is reported, the others are run, and the exit code "
      "is "
      "1; one in which nothing is found is no error.\n\n"
      "Examples:\n"
      "  mxinfer detect ssd_512 street.jpg --preset imagenet --resize stretch --height 512 --width 512\n"
      "  mxinfer detect ssd_512 photos --height 512 --width 512 --output-dir drawn\n"
      "  mxinfer detect ssd_512 street.jpg --height 512 --width 512 --threshold 0.3 --max 10 --json\n"
      "  find photos -name '*.jpg' | mxinfer detect ssd_512 - --height 512 --width 512 --ndjson");
  command->callback([&run, options] { run = [options] { return run_detect(*options); }; });
}

}  // namespace mxinfer::cli
