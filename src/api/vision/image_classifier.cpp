#include <mxinfer/vision/image_classifier.h>

#include "api/core/classify_outputs.h"
#include "api/core/predictor_call.h"
#include "api/core/run_images.h"
#include "base/fail.h"

namespace mxinfer {

using api::ImageFeed;

struct ImageClassifier::ImageImpl {
  ImageFeed feed;
};

ImageClassifier::ImageClassifier(const Model& model, const ImageOptions& options) try
    : Classifier(model, ClassifierOptions{options.activation, options.min_score, options.options}),
      image_(std::make_shared<const ImageImpl>(ImageImpl{api::make_feed(*this, options)})) {
  api::take_images(*this, {image_, &image_->feed});
} catch (...) {
  throw_as_error();
}

ImageClassifier::ImageClassifier(const std::string& uri, const ImageOptions& options,
                                 const LoadOptions& load) try
    : ImageClassifier(Model::load(uri, load), options) {
} catch (...) {
  throw_as_error();
}

ImageClassifier::ImageClassifier(const ImageClassifier&) noexcept = default;
ImageClassifier& ImageClassifier::operator=(const ImageClassifier&) noexcept = default;
ImageClassifier::~ImageClassifier() = default;

Tensor ImageClassifier::preprocess(Span<const Image> images) const try {
  return preprocess(images, nullptr);
} catch (...) {
  throw_as_error();
}

Tensor ImageClassifier::preprocess(Span<const Image> images, std::vector<ItemError>* errors) const try {
  return api::as_call(
      *this, [&] { return image_->feed.preprocess(model(), images, api::batch_runner(*this), errors); });
} catch (...) {
  throw_as_error();
}

std::vector<Tensor> ImageClassifier::run(Span<const Image> images, std::vector<ItemError>* errors) const {
  return api::run_images(*this, image_->feed, images, errors);
}

std::vector<std::vector<Classification>> ImageClassifier::classify_batch(Span<const Image> images,
                                                                         std::optional<int> top_k,
                                                                         std::vector<ItemError>* errors) const
    try {
  api::check_top_k(top_k);
  std::vector<std::vector<Classification>> rows;
  if (images.empty()) return rows;
  const std::size_t known = errors == nullptr ? 0 : errors->size();
  std::vector<Tensor> outputs = run(images, errors);
  if (!outputs.empty()) rows = rank(std::move(outputs), top_k);
  if (!rows.empty() && images.size() > 1 && rows.size() != images.size()) {
    fail(ErrorCode::invalid_argument, "model '", printable(model().name()), "' gives ", rows.size(),
         " rows of scores for ", images.size(), " images; give it one image at a time");
  }
  rows.resize(images.size());
  for (std::size_t e = known; errors != nullptr && e < errors->size(); ++e) rows[(*errors)[e].item].clear();
  return rows;
} catch (...) {
  throw_as_error();
}

std::vector<Classification> ImageClassifier::classify(const Image& image, std::optional<int> top_k) const
    try {
  return std::move(classify_batch(Span<const Image>(&image, 1), top_k)[0]);
} catch (...) {
  throw_as_error();
}

std::vector<Classification> ImageClassifier::classify_file(const std::string& path,
                                                           std::optional<int> top_k) const try {
  return api::call_with_file(*this, image_->feed, path,
                             [&](const Image& image) { return classify(image, top_k); });
} catch (...) {
  throw_as_error();
}

std::vector<Classification> ImageClassifier::classify_bytes(ByteSpan encoded, std::optional<int> top_k) const
    try {
  return api::call_with_bytes(*this, image_->feed, encoded,
                              [&](const Image& image) { return classify(image, top_k); });
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<Classification>> ImageClassifier::classify_files(
    const std::vector<std::string>& paths, std::optional<int> top_k, std::vector<ItemError>* errors) const
    try {
  api::check_top_k(top_k);
  return api::call_with_images(*this, image_->feed, paths, errors, [&](const std::vector<Image>& images) {
    return classify_each(images, top_k, errors);
  });
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<Classification>> ImageClassifier::classify_bytes_list(
    const ByteSpans& encoded, std::optional<int> top_k, std::vector<ItemError>* errors) const try {
  api::check_top_k(top_k);
  return api::call_with_bytes_list(
      *this, image_->feed, encoded, errors,
      [&](const std::vector<Image>& images) { return classify_each(images, top_k, errors); });
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<Classification>> ImageClassifier::classify_each(
    const std::vector<Image>& images, std::optional<int> top_k, std::vector<ItemError>* errors) const {
  return api::run_readable<std::vector<Classification>>(
      images, errors, [&](Span<const Image> readable) { return classify_batch(readable, top_k, errors); });
}

}  // namespace mxinfer
