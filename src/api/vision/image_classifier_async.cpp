// The asynchronous variants of an ImageClassifier's functions.
#include <mxinfer/vision/image_classifier.h>

#include <memory>
#include <utility>

#include "api/async/batched_request.h"
#include "api/core/classify_outputs.h"
#include "api/vision/image_batch.h"
#include "api/vision/start_image.h"
#include "base/fail.h"

namespace mxinfer {

using Labels = std::vector<Classification>;

namespace {

Labels labels_of(const ImageClassifier& self, api::StartedImage& started, std::optional<int> top_k) {
  std::vector<Labels> rows = self.rank(started.call.finish(), top_k);
  return rows.empty() ? Labels() : std::move(rows[0]);
}

}  // namespace

struct ImageClassifier::ImageJob {
  using Result = Labels;
  ImageClassifier self;
  Image image;
  std::optional<int> top_k;

  Result run() const { return self.classify(image, top_k); }
  std::unique_ptr<api::StartedImage> start(api::Resume resume) const {
    api::check_top_k(top_k);
    return api::start_image(self, resume, [&] { return image; });
  }
  Result finish(api::StartedImage& started) const { return labels_of(self, started, top_k); }
  bool joins(const ImageJob& first) const { return top_k == first.top_k; }
  static void run_together(Span<const ImageJob* const> jobs, const api::Deliver<Result>& deliver) {
    const auto run_all = [&](std::vector<ItemError>* errors) {
      return jobs[0]->self.classify_batch(api::members_of(jobs, &ImageJob::image), jobs[0]->top_k, errors);
    };
    api::run_images_together(jobs, run_all, deliver);
  }
};

struct ImageClassifier::FileJob {
  using Result = Labels;
  ImageClassifier self;
  std::string path;
  std::optional<int> top_k;

  Result run() const { return self.classify_file(path, top_k); }
  std::unique_ptr<api::StartedImage> start(api::Resume resume) const {
    api::check_top_k(top_k);
    return api::start_file(self, resume, path);
  }
  Result finish(api::StartedImage& started) const { return labels_of(self, started, top_k); }
  bool joins(const FileJob& first) const { return top_k == first.top_k; }
  static void run_together(Span<const FileJob* const> jobs, const api::Deliver<Result>& deliver) {
    const auto run_all = [&](std::vector<ItemError>* errors) {
      return jobs[0]->self.classify_files(api::members_of(jobs, &FileJob::path), jobs[0]->top_k, errors);
    };
    api::run_images_together(jobs, run_all, deliver);
  }
};

struct ImageClassifier::BytesJob {
  using Result = Labels;
  ImageClassifier self;
  std::shared_ptr<const void> owner;  ///< null if the bytes are borrowed
  ByteSpan encoded;
  std::optional<int> top_k;

  Result run() const { return self.classify_bytes(encoded, top_k); }
  std::unique_ptr<api::StartedImage> start(api::Resume resume) const {
    api::check_top_k(top_k);
    return api::start_bytes(self, resume, encoded);
  }
  Result finish(api::StartedImage& started) const { return labels_of(self, started, top_k); }
  bool joins(const BytesJob& first) const { return top_k == first.top_k; }
  static void run_together(Span<const BytesJob* const> jobs, const api::Deliver<Result>& deliver) {
    const auto run_all = [&](std::vector<ItemError>* errors) {
      return jobs[0]->self.classify_bytes_list(api::members_of(jobs, &BytesJob::encoded), jobs[0]->top_k,
                                               errors);
    };
    api::run_images_together(jobs, run_all, deliver);
  }
};

Prediction<Labels> ImageClassifier::classify_async(Image image, std::optional<int> top_k,
                                                   const SubmitOptions& options) const try {
  return api::submit_job(queue(), ImageJob{borrow(*this), std::move(image), top_k}, options);
} catch (...) {
  throw_as_error();
}

Prediction<Labels> ImageClassifier::classify_file_async(std::string path, std::optional<int> top_k,
                                                        const SubmitOptions& options) const try {
  return api::submit_job(queue(), FileJob{borrow(*this), std::move(path), top_k}, options);
} catch (...) {
  throw_as_error();
}

Prediction<Labels> ImageClassifier::classify_bytes_async(ByteSpan encoded, std::optional<int> top_k,
                                                         const SubmitOptions& options) const {
  return classify_held_async(nullptr, encoded, top_k, options);
}

Prediction<Labels> ImageClassifier::classify_held_async(std::shared_ptr<const void> owner, ByteSpan encoded,
                                                        std::optional<int> top_k,
                                                        const SubmitOptions& options) const try {
  return api::submit_job(queue(), BytesJob{borrow(*this), std::move(owner), encoded, top_k}, options);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
