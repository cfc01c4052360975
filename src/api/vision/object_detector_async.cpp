// The asynchronous variants of an ObjectDetector's functions.
#include <mxinfer/vision/object_detector.h>

#include <memory>
#include <utility>

#include "api/async/batched_request.h"
#include "api/vision/detect_options.h"
#include "api/vision/image_batch.h"
#include "api/vision/start_image.h"
#include "base/fail.h"
#include "tensor/widen_halves.h"

namespace mxinfer {
namespace {

using Objects = std::vector<Detection>;

bool are_equal(const std::optional<NmsOptions>& a, const std::optional<NmsOptions>& b) {
  if (!a || !b) return !a && !b;
  return a->iou_threshold == b->iou_threshold && a->across == b->across && a->method == b->method &&
         a->sigma == b->sigma && a->score_threshold == b->score_threshold &&
         a->max_detections == b->max_detections && a->overlap == b->overlap;
}

bool are_equal(const DetectOptions& a, const DetectOptions& b) {
  return a.score_threshold == b.score_threshold && a.max_detections == b.max_detections &&
         a.classes == b.classes && a.class_thresholds == b.class_thresholds && are_equal(a.nms, b.nms);
}

std::vector<Tensor> finish_as_floats(api::StartedCall& call) {
  std::vector<Tensor> outputs = call.finish();
  widen_halves(outputs);
  return outputs;
}

}  // namespace

struct ObjectDetector::ImageJob {
  using Result = Objects;
  ObjectDetector self;
  Image image;
  DetectOptions options;

  Result run() const { return self.detect(image, options); }
  std::unique_ptr<api::StartedImage> start(api::Resume resume) const {
    api::check_detect_options(options);
    return api::start_image(self, resume, [&] { return image; });
  }
  Result finish(api::StartedImage& started) const {
    return self.rows_of(finish_as_floats(started.call), started.size, options);
  }
  bool joins(const ImageJob& first) const { return are_equal(options, first.options); }
  static void run_together(Span<const ImageJob* const> jobs, const api::Deliver<Result>& deliver) {
    const auto run_all = [&](std::vector<ItemError>* errors) {
      return jobs[0]->self.detect_batch(api::members_of(jobs, &ImageJob::image), jobs[0]->options, errors);
    };
    api::run_images_together(jobs, run_all, deliver);
  }
};

struct ObjectDetector::FileJob {
  using Result = Objects;
  ObjectDetector self;
  std::string path;
  DetectOptions options;

  Result run() const { return self.detect_file(path, options); }
  std::unique_ptr<api::StartedImage> start(api::Resume resume) const {
    api::check_detect_options(options);
    return api::start_file(self, resume, path);
  }
  Result finish(api::StartedImage& started) const {
    return self.rows_of(finish_as_floats(started.call), started.size, options);
  }
  bool joins(const FileJob& first) const { return are_equal(options, first.options); }
  static void run_together(Span<const FileJob* const> jobs, const api::Deliver<Result>& deliver) {
    const auto run_all = [&](std::vector<ItemError>* errors) {
      return jobs[0]->self.detect_files(api::members_of(jobs, &FileJob::path), jobs[0]->options, errors);
    };
    api::run_images_together(jobs, run_all, deliver);
  }
};

struct ObjectDetector::BytesJob {
  using Result = Objects;
  ObjectDetector self;
  std::shared_ptr<const void> owner;  ///< null if the bytes are borrowed
  ByteSpan encoded;
  DetectOptions options;

  Result run() const { return self.detect_bytes(encoded, options); }
  std::unique_ptr<api::StartedImage> start(api::Resume resume) const {
    api::check_detect_options(options);
    return api::start_bytes(self, resume, encoded);
  }
  Result finish(api::StartedImage& started) const {
    return self.rows_of(finish_as_floats(started.call), started.size, options);
  }
  bool joins(const BytesJob& first) const { return are_equal(options, first.options); }
  static void run_together(Span<const BytesJob* const> jobs, const api::Deliver<Result>& deliver) {
    const auto run_all = [&](std::vector<ItemError>* errors) {
      return jobs[0]->self.detect_bytes_list(api::members_of(jobs, &BytesJob::encoded), jobs[0]->options,
                                             errors);
    };
    api::run_images_together(jobs, run_all, deliver);
  }
};

Prediction<Objects> ObjectDetector::detect_async(Image image, const DetectOptions& options,
                                                 const SubmitOptions& submit) const try {
  return api::submit_job(queue(), ImageJob{borrow(*this), std::move(image), options}, submit);
} catch (...) {
  throw_as_error();
}

Prediction<Objects> ObjectDetector::detect_file_async(std::string path, const DetectOptions& options,
                                                      const SubmitOptions& submit) const try {
  return api::submit_job(queue(), FileJob{borrow(*this), std::move(path), options}, submit);
} catch (...) {
  throw_as_error();
}

Prediction<Objects> ObjectDetector::detect_bytes_async(ByteSpan encoded, const DetectOptions& options,
                                                       const SubmitOptions& submit) const {
  return detect_held_async(nullptr, encoded, options, submit);
}

Prediction<Objects> ObjectDetector::detect_held_async(std::shared_ptr<const void> owner, ByteSpan encoded,
                                                      const DetectOptions& options,
                                                      const SubmitOptions& submit) const try {
  return api::submit_job(queue(), BytesJob{borrow(*this), std::move(owner), encoded, options}, submit);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
