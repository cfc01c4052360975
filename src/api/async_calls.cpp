// The asynchronous twins of the classes' functions: each submits its synchronous one to the predictor's
// queue.
#include <mxinfer/classifier.h>
#include <mxinfer/predictor.h>
#include <mxinfer/vision/image_classifier.h>
#include <mxinfer/vision/object_detector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "api/predictor_impl.h"
#include "base/fail.h"

namespace mxinfer {
namespace {

/// Views until a request has ended; a few of them in place, so that a warm call allocates nothing.
template <typename View>
class HeldViews {
 public:
  explicit HeldViews(const ViewList<View>& views) : size_(views.size()) {
    if (size_ > kInPlace) {
      heap_.assign(views.begin(), views.end());
    } else {
      std::copy(views.begin(), views.end(), local_.begin());
    }
  }
  Span<const View> span() const { return {size_ > kInPlace ? heap_.data() : local_.data(), size_}; }

 private:
  static constexpr std::size_t kInPlace = 4;
  std::size_t size_;
  std::array<View, kInPlace> local_{};
  std::vector<View> heap_{};
};

}  // namespace

void Predictor::let_go() noexcept {
  impl_ = std::shared_ptr<Impl>(std::shared_ptr<Impl>(), impl_.get());
}

RequestQueue& Predictor::queue() const try { return impl_->queue(); } catch (...) {
  throw_as_error();
}

Prediction<std::vector<Tensor>> Predictor::predict_async(const TensorViews& inputs,
                                                         const SubmitOptions& options) const try {
  return queue().submit(
      [self = borrow(*this), held = HeldViews<TensorView>(inputs)] { return self.predict(held.span()); },
      options);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<Tensor>> Predictor::predict_moved_async(std::vector<Tensor> inputs,
                                                               const SubmitOptions& options) const try {
  return queue().submit([self = borrow(*this), held = std::move(inputs)] { return self.predict(held); },
                        options);
} catch (...) {
  throw_as_error();
}

Prediction<void> Predictor::predict_into_async(const TensorViews& inputs, const MutableTensorViews& outputs,
                                               const SubmitOptions& options) const try {
  return queue().submit(
      [self = borrow(*this), from = HeldViews<TensorView>(inputs),
       to = HeldViews<MutableTensorView>(outputs)] { self.predict_into(from.span(), to.span()); },
      options);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<Tensor>> Predictor::predict_list_async(const TensorViews& items,
                                                              const SubmitOptions& options) const try {
  return queue().submit(
      [self = borrow(*this), held = HeldViews<TensorView>(items)] { return self.predict_list(held.span()); },
      options);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<Classification>> Classifier::classify_async(Span<const float> sample,
                                                                   std::optional<int> top_k,
                                                                   const SubmitOptions& options) const try {
  return queue().submit([self = borrow(*this), sample, top_k] { return self.classify(sample, top_k); },
                        options);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<Classification>> Classifier::classify_moved_async(std::vector<float> sample,
                                                                         std::optional<int> top_k,
                                                                         const SubmitOptions& options) const
    try {
  return queue().submit(
      [self = borrow(*this), held = std::move(sample), top_k] { return self.classify(held, top_k); },
      options);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<std::vector<Classification>>> Classifier::classify_batch_async(
    const TensorView& batch, std::optional<int> top_k, const SubmitOptions& options) const try {
  return queue().submit([self = borrow(*this), batch, top_k] { return self.classify_batch(batch, top_k); },
                        options);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<Classification>> ImageClassifier::classify_async(Image image, std::optional<int> top_k,
                                                                        const SubmitOptions& options) const
    try {
  return queue().submit(
      [self = borrow(*this), held = std::move(image), top_k] { return self.classify(held, top_k); }, options);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<Classification>> ImageClassifier::classify_file_async(
    std::string path, std::optional<int> top_k, const SubmitOptions& options) const try {
  return queue().submit(
      [self = borrow(*this), held = std::move(path), top_k] { return self.classify_file(held, top_k); },
      options);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<Classification>> ImageClassifier::classify_bytes_async(
    ByteSpan encoded, std::optional<int> top_k, const SubmitOptions& options) const try {
  return queue().submit(
      [self = borrow(*this), encoded, top_k] { return self.classify_bytes(encoded, top_k); }, options);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<Detection>> ObjectDetector::detect_async(Image image, const DetectOptions& options,
                                                                const SubmitOptions& submit) const try {
  return queue().submit(
      [self = borrow(*this), held = std::move(image), options] { return self.detect(held, options); },
      submit);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<Detection>> ObjectDetector::detect_file_async(std::string path,
                                                                     const DetectOptions& options,
                                                                     const SubmitOptions& submit) const try {
  return queue().submit(
      [self = borrow(*this), held = std::move(path), options] { return self.detect_file(held, options); },
      submit);
} catch (...) {
  throw_as_error();
}

Prediction<std::vector<Detection>> ObjectDetector::detect_bytes_async(ByteSpan encoded,
                                                                      const DetectOptions& options,
                                                                      const SubmitOptions& submit) const try {
  return queue().submit(
      [self = borrow(*this), encoded, options] { return self.detect_bytes(encoded, options); }, submit);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
