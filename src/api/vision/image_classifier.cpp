#include <mxinfer/vision/image_classifier.h>

#include <algorithm>
#include <utility>

#include "api/core/classify_outputs.h"
#include "api/core/predictor_call.h"
#include "api/core/run_images.h"
#include "api/items/list_batches.h"
#include "base/fail.h"
#include "sources/address.h"

namespace mxinfer {

using api::ImageFeed;

using Rows = std::vector<std::vector<Classification>>;

struct ImageClassifier::ImageImpl {
  ImageFeed feed;
};

namespace {

ImageFeed make_feed(const Predictor& predictor, const ImageOptions& options) {
  if (options.batch_size < 0) {
    fail(ErrorCode::invalid_argument, "ImageOptions::batch_size is ", options.batch_size,
         "; give the number of images in a batch, or 0 for the whole list");
  }
  return api::make_feed(predictor, options, ImageFeed::DecodesFor::transforms);
}

}  // namespace

ImageClassifier::ImageClassifier(const Model& model, const ImageOptions& options) try
    : Classifier(model, ClassifierOptions{options.activation, options.min_score, options.options}),
      image_(std::make_shared<const ImageImpl>(ImageImpl{make_feed(*this, options)})) {
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

/// A call with a list of images.
struct ImageClassifier::ListCall {
  using DecodeItem = api::Preprocessor::ImageOf;
  const ImageClassifier& self;
  std::optional<int> top_k;

  /// Of images, and of those that decode(i) returns for each i below count.
  Rows classify_images(Span<const Image> images, std::vector<ItemError>* errors) const;
  Rows classify_encoded(std::size_t count, DecodeItem decode, std::vector<ItemError>* errors) const;

 private:
  Rows as_one_batch(Span<const Image> images, std::vector<ItemError>* errors) const;
  Rows as_one_batch(std::size_t count, DecodeItem decode, std::vector<ItemError>* errors) const;
  Rows rows_of(std::size_t count, DecodeItem decode, std::vector<ItemError>* errors) const;
  void check_rows(const Rows& rows, std::size_t images) const;

  const ImageFeed& feed() const { return self.image_->feed; }
  runtime::BatchRunner& runner() const { return api::batch_runner(self); }
  template <typename RunPart>
  Rows in_batches(std::size_t count, std::vector<ItemError>* errors, const RunPart& run) const {
    const int size = feed().options().batch_size;
    return api::as_call(self, [&] {
      return api::in_batches<std::vector<Classification>>(runner(), count, size, errors, run);
    });
  }
};

Rows ImageClassifier::ListCall::classify_images(Span<const Image> images,
                                                std::vector<ItemError>* errors) const {
  if (images.empty()) return {};
  return in_batches(images.size(), errors, [&](api::ListPart part, std::vector<ItemError>* wrong) {
    return as_one_batch(Span<const Image>(images.data() + part.begin, part.count), wrong);
  });
}

Rows ImageClassifier::ListCall::classify_encoded(std::size_t count, DecodeItem decode,
                                                 std::vector<ItemError>* errors) const {
  if (count == 0) return {};
  return in_batches(count, errors, [&](api::ListPart part, std::vector<ItemError>* wrong) {
    return as_one_batch(
        part.count, [&](std::size_t i) { return decode(part.begin + i); }, wrong);
  });
}

Rows ImageClassifier::ListCall::as_one_batch(Span<const Image> images, std::vector<ItemError>* errors) const {
  const std::size_t known = errors == nullptr ? 0 : errors->size();
  std::vector<Tensor> outputs = api::run_images(self, feed(), images, errors);
  Rows rows;
  if (!outputs.empty()) rows = self.rank(std::move(outputs), top_k);
  check_rows(rows, images.size());
  rows.resize(images.size());
  for (std::size_t e = known; errors != nullptr && e < errors->size(); ++e) rows[(*errors)[e].item].clear();
  return rows;
}

Rows ImageClassifier::ListCall::as_one_batch(std::size_t count, DecodeItem decode,
                                             std::vector<ItemError>* errors) const {
  if (api::makes_rows(self, feed())) return rows_of(count, decode, errors);
  const std::vector<Image> images = feed().decode_all(count, decode, runner(), errors);
  return api::run_readable<std::vector<Classification>>(images, errors, [&](Span<const Image> readable) {
    return readable.empty() ? Rows() : as_one_batch(readable, errors);
  });
}

Rows ImageClassifier::ListCall::rows_of(std::size_t count, DecodeItem decode,
                                        std::vector<ItemError>* errors) const {
  const ImageFeed::Rows made = feed().rows_of(count, decode, runner(), errors);
  Rows rows(count);
  if (made.positions.empty()) return rows;
  Rows found = self.rank(api::run_image_rows(self, made.batch), top_k);
  check_rows(found, made.positions.size());
  for (std::size_t i = 0; i < found.size(); ++i) rows[made.positions[i]] = std::move(found[i]);
  return rows;
}

void ImageClassifier::ListCall::check_rows(const Rows& rows, std::size_t images) const {
  if (rows.empty() || images <= 1 || rows.size() == images) return;
  fail(ErrorCode::invalid_argument, "model '", printable(self.model().name()), "' gives ", rows.size(),
       " rows of scores for ", images, " images; give it one image at a time");
}

Rows ImageClassifier::classify_batch(Span<const Image> images, std::optional<int> top_k,
                                     std::vector<ItemError>* errors) const try {
  api::check_top_k(top_k);
  return ListCall{*this, top_k}.classify_images(images, errors);
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

Rows ImageClassifier::classify_files(const std::vector<std::string>& paths, std::optional<int> top_k,
                                     std::vector<ItemError>* errors) const try {
  api::check_top_k(top_k);
  const ListCall call{*this, top_k};
  if (std::none_of(paths.begin(), paths.end(), sources::is_remote)) {
    return call.classify_encoded(
        paths.size(), [&](std::size_t i) { return image_->feed.decode_file(paths[i], {}); }, errors);
  }
  return api::call_with_images(*this, image_->feed, paths, errors, [&](const std::vector<Image>& images) {
    return api::run_readable<std::vector<Classification>>(
        images, errors, [&](Span<const Image> readable) { return call.classify_images(readable, errors); });
  });
} catch (...) {
  throw_as_error();
}

Rows ImageClassifier::classify_bytes_list(const ByteSpans& encoded, std::optional<int> top_k,
                                          std::vector<ItemError>* errors) const try {
  api::check_top_k(top_k);
  const Span<const ByteSpan> files = encoded.span();
  return ListCall{*this, top_k}.classify_encoded(
      files.size(), [&](std::size_t i) { return image_->feed.decode_listed(files, i); }, errors);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
