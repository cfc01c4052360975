#include <mxinfer/vision/image_segmenter.h>

#include <cmath>

#include "api/async/batched_request.h"
#include "api/core/predictor_call.h"
#include "api/core/run_images.h"
#include "base/fail.h"
#include "model/label_of.h"
#include "vision/images/image_options.h"
#include "vision/images/preprocessing.h"
#include "vision/segment/segment_outputs.h"

namespace mxinfer {
namespace {

using api::ImageFeed;

void check_segment_options(const SegmentOptions& options) {
  if (options.min_score && std::isnan(*options.min_score))
    fail(ErrorCode::invalid_argument, "SegmentOptions::min_score is not a number");
}

std::vector<SegmentArea> named_areas(const Model& model, const Image& labels) {
  std::vector<SegmentArea> areas;
  for (const LabelArea& area : areas_of(labels))
    areas.push_back({api::label_of(model, area.index), area.index, area.pixels, area.part});
  return areas;
}

}  // namespace

struct ImageSegmenter::SegmenterImpl {
  ImageFeed feed;
  Activation activation = Activation::none;

  // The placement of an image in a map of that size.
  api::MapPlacement placement(Size image, const api::SegmentOutputs& map) const {
    const ImageInput& input = feed.entry().input;
    if (!feed.entry().model_resizes) {
      return {api::map_image(image, feed.options().preprocess, input), static_cast<double>(input.width),
              static_cast<double>(input.height)};
    }
    const auto width = static_cast<double>(map.width()), height = static_cast<double>(map.height());
    return {{0, 0, image.width / width, image.height / height, image}, width, height};
  }

  std::vector<Segmentation> finish(const Model& model, const std::vector<Tensor>& outputs,
                                   Span<const Image> images, const std::vector<char>& is_wrong,
                                   const SegmentOptions& options) const {
    const api::SegmentOutputs map(model, outputs);
    if (map.batch() != static_cast<std::int64_t>(images.size())) {
      fail(ErrorCode::invalid_argument, "model '", printable(model.name()), "' gives maps of ", map.batch(),
           " images for ", images.size(), "; give it one image at a time");
    }
    std::vector<Segmentation> found(images.size());
    for (std::size_t i = 0; i < images.size(); ++i) {
      if (is_wrong[i] != 0) continue;
      found[i].labels = map.labels(static_cast<std::int64_t>(i), placement(images[i].size(), map),
                                   {activation, options.min_score, options.smooth});
      found[i].areas = named_areas(model, found[i].labels);
    }
    return found;
  }
};

ImageSegmenter::ImageSegmenter(const Model& model, const SegmenterOptions& options) try
    : Predictor(model, options.options) {
  api::reject_without_maps(model);
  segmenter_ = std::make_shared<const SegmenterImpl>(
      SegmenterImpl{api::make_feed(*this, api::image_options_of(options)), options.activation});
  api::take_images(*this, {segmenter_, &segmenter_->feed});
} catch (...) {
  throw_as_error();
}

ImageSegmenter::ImageSegmenter(const std::string& uri, const SegmenterOptions& options,
                               const LoadOptions& load) try
    : ImageSegmenter(Model::load(uri, load), options) {
} catch (...) {
  throw_as_error();
}

ImageSegmenter::ImageSegmenter(const ImageSegmenter&) noexcept = default;
ImageSegmenter& ImageSegmenter::operator=(const ImageSegmenter&) noexcept = default;
ImageSegmenter::~ImageSegmenter() = default;

std::vector<Segmentation> ImageSegmenter::segment_batch(Span<const Image> images,
                                                        const SegmentOptions& options,
                                                        std::vector<ItemError>* errors) const try {
  check_segment_options(options);
  std::vector<Segmentation> found(images.size());
  if (images.empty()) return found;
  return api::as_call(*this, [&] {
    const std::size_t known = errors == nullptr ? 0 : errors->size();
    const std::vector<Tensor> outputs = api::run_images(*this, segmenter_->feed, images, errors);
    if (outputs.empty()) return std::move(found);
    const std::vector<char> is_wrong = api::wrong_items(errors, known, images.size());
    api::batch_runner(*this).arena().execute(
        [&] { found = segmenter_->finish(model(), outputs, images, is_wrong, options); });
    return std::move(found);
  });
} catch (...) {
  throw_as_error();
}

Segmentation ImageSegmenter::segment(const Image& image, const SegmentOptions& options) const try {
  return std::move(segment_batch(Span<const Image>(&image, 1), options)[0]);
} catch (...) {
  throw_as_error();
}

Segmentation ImageSegmenter::segment_file(const std::string& path, const SegmentOptions& options) const try {
  return api::call_with_file(*this, segmenter_->feed, path,
                             [&](const Image& image) { return segment(image, options); });
} catch (...) {
  throw_as_error();
}

Segmentation ImageSegmenter::segment_bytes(ByteSpan encoded, const SegmentOptions& options) const try {
  return api::call_with_bytes(*this, segmenter_->feed, encoded,
                              [&](const Image& image) { return segment(image, options); });
} catch (...) {
  throw_as_error();
}

std::vector<Segmentation> ImageSegmenter::segment_files(const std::vector<std::string>& paths,
                                                        const SegmentOptions& options,
                                                        std::vector<ItemError>* errors) const try {
  check_segment_options(options);
  return api::call_with_images(*this, segmenter_->feed, paths, errors, [&](const std::vector<Image>& images) {
    return segment_each(images, options, errors);
  });
} catch (...) {
  throw_as_error();
}

std::vector<Segmentation> ImageSegmenter::segment_bytes_list(const ByteSpans& encoded,
                                                             const SegmentOptions& options,
                                                             std::vector<ItemError>* errors) const try {
  check_segment_options(options);
  return api::call_with_bytes_list(
      *this, segmenter_->feed, encoded, errors,
      [&](const std::vector<Image>& images) { return segment_each(images, options, errors); });
} catch (...) {
  throw_as_error();
}

std::vector<Segmentation> ImageSegmenter::segment_each(const std::vector<Image>& images,
                                                       const SegmentOptions& options,
                                                       std::vector<ItemError>* errors) const {
  return api::run_readable<Segmentation>(
      images, errors, [&](Span<const Image> readable) { return segment_batch(readable, options, errors); });
}

namespace {

// Label images are large, so submissions run one by one, each on all threads, rather than as one batch.
struct ImageJob {
  using Result = Segmentation;
  ImageSegmenter self;
  Image image;
  SegmentOptions options;

  Result run() const { return self.segment(image, options); }
  bool joins(const ImageJob& /*first*/) const { return false; }
  static void run_together(Span<const ImageJob* const> /*jobs*/, const api::Deliver<Result>& /*deliver*/) {}
};

struct FileJob {
  using Result = Segmentation;
  ImageSegmenter self;
  std::string path;
  SegmentOptions options;

  Result run() const { return self.segment_file(path, options); }
  bool joins(const FileJob& /*first*/) const { return false; }
  static void run_together(Span<const FileJob* const> /*jobs*/, const api::Deliver<Result>& /*deliver*/) {}
};

}  // namespace

Prediction<Segmentation> ImageSegmenter::segment_async(Image image, const SegmentOptions& options,
                                                       const SubmitOptions& submit) const try {
  return api::submit_job(queue(), ImageJob{borrow(*this), std::move(image), options}, submit);
} catch (...) {
  throw_as_error();
}

Prediction<Segmentation> ImageSegmenter::segment_file_async(std::string path, const SegmentOptions& options,
                                                            const SubmitOptions& submit) const try {
  return api::submit_job(queue(), FileJob{borrow(*this), std::move(path), options}, submit);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
