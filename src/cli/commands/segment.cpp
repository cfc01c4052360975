// mxinfer segment: images in; what they show, pixel by pixel, and pictures of it out.
#include <mxinfer/vision/draw.h>
#include <mxinfer/vision/encode.h>
#include <mxinfer/vision/image_segmenter.h>

#include <CLI/CLI.hpp>
#include <algorithm>
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
#include "cli/output/output.h"
#include "sources/opener.h"

namespace mxinfer::cli {
namespace {

struct SegmentRunOptions : ImageRunOptions {
  std::string activation = "none";
  std::optional<double> min_score;
  bool nearest = false;
  std::string output_dir;
  bool labels_only = false;
  double opacity = 0.5;
  int quality = 90;
};

/// What became of one image.
struct Labelled {
  Segmentation segmentation;
  std::string picture{};  ///< the files that were written; empty without --output-dir
  std::string label_image{};
};

ImageSegmenter make_segmenter(const SegmentRunOptions& options, const LoadOptions& load) {
  auto segmenter = class_options_of<SegmenterOptions>(options.preprocess);
  segmenter.activation = parse_activation(options.activation);
  segmenter.options = run_options(options);
  return ImageSegmenter(load_model(options, load), segmenter);
}

SegmentOptions asked(const SegmentRunOptions& options) {
  SegmentOptions segment;
  if (options.min_score) segment.min_score = static_cast<float>(*options.min_score);
  segment.smooth = !options.nearest;
  return segment;
}

/// The label that is not coloured: what is behind everything else, where the model has such a class. -1:
/// none.
int background_of(const Model& model) {
  const std::vector<std::string>& labels = model.labels();
  return labels.empty() || labels[0] == "background" ? 0 : -1;
}

/// LabelPictures of what images show, in a folder.
class LabelPictures {
 public:
  LabelPictures(const SegmentRunOptions& options, const ImageList& list, const Model& model)
      : options_(options),
        background_(background_of(model)),
        names_(options.output_dir, list.known_files(), list.size().has_value()) {
    make_folder("--output-dir", options.output_dir);
    for (int label = 0; label <= kUnknownLabel; ++label) {
      const auto color = label_color(static_cast<std::uint8_t>(label));
      palette_.push_back({color[0], color[1], color[2]});
    }
  }

  void draw(const std::string& place, ByteSpan file, Labelled& labelled) {
    const Image& labels = labelled.segmentation.labels;
    if (options_.labels_only) {
      labelled.label_image = names_.next(place, "", ".png");
    } else {
      const std::string path = names_.next(place);
      write_image(blended(file, labels), path, options_.quality);
      labelled.picture = path;
      labelled.label_image = names_.next(path, "_labels", ".png");
    }
    write_label_png(labels, labelled.label_image);
  }

 private:
  Image blended(ByteSpan file, const Image& labels) const {
    DecodeOptions decode;
    decode.apply_exif = !options_.preprocess.no_exif;
    // What is unknown stays as it is.
    Tensor shown = Tensor::uninitialized(DType::int32, {labels.height(), labels.width()});
    std::transform(labels.pixels().begin(), labels.pixels().end(), shown.data<std::int32_t>(),
                   [](std::uint8_t label) { return label == kUnknownLabel ? -1 : label; });
    return blend_labels(decode_image(file, decode), shown.view(),
                        {static_cast<float>(options_.opacity), background_, palette_});
  }

  const SegmentRunOptions& options_;
  int background_;
  PictureNames names_;
  std::vector<Color> palette_;
};

void print_areas(const std::string& image, const Labelled& labelled) {
  Table table;
  for (const SegmentArea& area : labelled.segmentation.areas)
    table.add({fixed(area.part, 6), clean(area.label)});
  std::cout << clean(image) << '\n';
  table.print(std::cout, "  ");
}

Json areas_json(const Labelled& labelled) {
  const Image& labels = labelled.segmentation.labels;
  Json areas = Json::array();
  for (const auto& [label, index, pixels, part] : labelled.segmentation.areas)
    areas.push_back({{"label", label}, {"index", index}, {"pixels", pixels}, {"part", part}});
  Json facts = {{"width", labels.width()}, {"height", labels.height()}, {"areas", areas}};
  if (!labelled.picture.empty()) facts["picture"] = labelled.picture;
  if (!labelled.label_image.empty()) facts["label_image"] = labelled.label_image;
  return facts;
}

std::vector<Labelled> without_pictures(std::vector<Segmentation> segmentations) {
  std::vector<Labelled> labelled;
  for (Segmentation& one : segmentations) labelled.push_back({std::move(one)});
  return labelled;
}

int run_segment(const SegmentRunOptions& options) {
  require_images("segment", options);
  if (options.labels_only && options.output_dir.empty())
    throw UsageError("--labels-only says what goes into the folder of --output-dir: give that too");
  const LoadOptions load = load_options_with_labels(options, options.labels);
  const sources::Opener opener(load);
  const ImageSegmenter segmenter = make_segmenter(options, load);
  print_warnings(segmenter.warnings());
  ImageList list(options.images, options.from, opener);
  std::optional<LabelPictures> pictures;
  if (!options.output_dir.empty()) pictures.emplace(options, list, segmenter.model());

  ImageTask<Labelled> task;
  const auto find = [&](const std::vector<ByteSpan>& files, std::vector<ItemError>& wrong) {
    return without_pictures(segmenter.segment_bytes_list(files, asked(options), &wrong));
  };
  task.run = [&](const ImageBatch& images, std::vector<ItemError>& errors) {
    if (!pictures && !images.files.empty()) return find(images.files, errors);
    if (!pictures) return without_pictures(segmenter.segment_files(images.places, asked(options), &errors));
    return run_and_draw<Labelled>(opener, images, errors, find,
                                  [&](const std::string& place, ByteSpan file, Labelled& labelled) {
                                    pictures->draw(place, file, labelled);
                                  });
  };
  task.print = print_areas;
  task.describe = areas_json;
  return run_on_images(options, list, task);
}

void add_segment_options(CLI::App& command, SegmentRunOptions& options) {
  one_of(
      command.add_option("--activation", options.activation,
                         "What turns the network's numbers into scores: none (default), softmax or sigmoid"),
      {"none", "softmax", "sigmoid"})
      ->type_name("NAME");
  number(
      command.add_option("--min-score", options.min_score, "Pixels whose best class scores less are unknown"),
      -1e30, 1e30)
      ->type_name("X");
  command.add_flag("--nearest", options.nearest,
                   "The class of the nearest element of the network's map, not of scores between elements");
  command
      .add_option(
          "--output-dir", options.output_dir,
          "Write to this folder each image with its classes in colours over it, under its own name, and its "
          "label image NAME_labels.png, whose values are the positions in the labels, 255 for unknown")
      ->type_name("FOLDER");
  command.add_flag("--labels-only", options.labels_only, "Only the label images there, as NAME.png");
  number(command.add_option("--opacity", options.opacity, "Of the colours, 0 to 1 (default 0.5)"), 0, 1)
      ->type_name("X");
  whole_number(command.add_option("--quality", options.quality,
                                  "Of the JPEGs among the pictures, 1 to 100 (default 90)"),
               1, 100)
      ->type_name("N");
}

}  // namespace

void add_segment(CLI::App& app, Run& run) {
  auto options = std::make_shared<SegmentRunOptions>();
  CLI::App* command = app.add_subcommand("segment", "Say what every pixel of images shows (JPEG or PNG)");
  add_image_arguments(*command, *options);
  add_segment_options(*command, *options);
  add_image_run_options(*command, *options);
  command->footer(
      "MODEL is a segmentation network, such as GluonCV's FCN, PSPNet or DeepLab. It prints how much of an "
      "image each "
      "class covers, the largest first. Results are printed while it runs; --json alone prints one document "
      "at the "
      "end. An image that cannot be read is reported, the others are run, and the exit code is 1.\n\n"
      "Examples:\n"
      "  mxinfer segment deeplab street.jpg --preset imagenet --resize stretch --height 480 --width 480\n"
      "  mxinfer segment deeplab photos --height 480 --width 480 --output-dir labelled\n"
      "  mxinfer segment deeplab street.jpg --height 480 --width 480 --min-score 2 --json");
  command->callback([&run, options] { run = [options] { return run_segment(*options); }; });
}

}  // namespace mxinfer::cli
