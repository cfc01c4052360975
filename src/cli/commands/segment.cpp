// mxinfer segment: classifies the pixels of images, and draws the classes.
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

/// The result of one image.
struct Labelled {
  Segmentation segmentation;
  std::string picture{};  ///< the paths of both files; empty without --output-dir
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

/// The label of the background, which is not coloured; -1 if the model has no such class.
int background_of(const Model& model) {
  const std::vector<std::string>& labels = model.labels();
  return labels.empty() || labels[0] == "background" ? 0 : -1;
}

/// Writes label images, and images with their classes drawn on them, to a folder.
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
    // Unknown pixels are not coloured.
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
    throw UsageError("--labels-only requires --output-dir DIR");
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
  one_of(command.add_option(
             "--activation", options.activation,
             "Activation that turns the network's outputs into scores: none (default), softmax or sigmoid"),
         {"none", "softmax", "sigmoid"})
      ->type_name("NAME");
  number(command.add_option("--min-score", options.min_score,
                            "Mark a pixel as unknown if its best class has a lower score"),
         -1e30, 1e30)
      ->type_name("X");
  command.add_flag(
      "--nearest", options.nearest,
      "Take the class of the nearest element of the network's map instead of interpolating scores");
  command
      .add_option(
          "--output-dir", options.output_dir,
          "Write to this folder each image with its classes drawn in colour, under its own name, and its "
          "label image NAME_labels.png, whose pixels are positions in the list of labels, or 255 for unknown")
      ->type_name("DIR");
  command.add_flag("--labels-only", options.labels_only, "Write the label images only, as NAME.png");
  number(command.add_option("--opacity", options.opacity, "Opacity of the colours, 0 to 1 (default 0.5)"), 0,
         1)
      ->type_name("X");
  whole_number(
      command.add_option("--quality", options.quality, "JPEG quality of these images, 1 to 100 (default 90)"),
      1, 100)
      ->type_name("N");
}

}  // namespace

void add_segment(CLI::App& app, Run& run) {
  auto options = std::make_shared<SegmentRunOptions>();
  CLI::App* command = app.add_subcommand("segment", "Segment images: classify every pixel");
  add_image_arguments(*command, *options);
  add_segment_options(*command, *options);
  add_image_run_options(*command, *options);
  command->footer(
      "MODEL is a segmentation network, such as FCN, PSPNet or DeepLab from GluonCV. The command prints the "
      "fraction of each image that each class covers, the largest first. Results are printed as they come; "
      "with --json, one document is printed at the end. If an image cannot be read, the command reports it, "
      "runs the others, and exits with 1.\n\n"
      "Examples:\n"
      "  mxinfer segment deeplab street.jpg --preset imagenet --resize stretch --height 480 --width 480\n"
      "  mxinfer segment deeplab photos --preset imagenet --resize stretch --height 480 --width 480 \\\n"
      "    --output-dir labelled\n"
      "  mxinfer segment deeplab street.jpg --preset imagenet --resize stretch --height 480 --width 480 \\\n"
      "    --min-score 2 --json");
  command->callback([&run, options] { run = [options] { return run_segment(*options); }; });
}

}  // namespace mxinfer::cli
