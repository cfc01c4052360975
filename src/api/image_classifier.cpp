#include <mxinfer/image_classifier.h>

#include <algorithm>

#include "api/classify_outputs.h"
#include "api/model_data.h"
#include "api/picture_input.h"
#include "base/fail.h"

namespace mxinfer {
namespace {

using api::PictureWay;

DecodeOptions decode_options(const Model& model, const ImageOptions& options,
                             const api::PictureInput& picture) {
  DecodeOptions decode;
  decode.color = picture.input.channels == 3;
  decode.apply_exif = options.apply_exif;
  if (picture.way == PictureWay::encoded || picture.way == PictureWay::path) {
    decode.order = model.data().stages->items[0].reader->rgb ? ColorOrder::rgb : ColorOrder::bgr;
  }
  return decode;
}

// The pixels as the element type that the model takes.
Tensor as_floats(const Image& image) {
  Tensor tensor = Tensor::uninitialized(DType::float32, image.view().shape());
  std::copy(image.pixels().begin(), image.pixels().end(), tensor.data<float>());
  return tensor;
}

// The errors from `second` on are of some pictures, those from `first` on of all: brings both together.
void renumber(std::vector<ItemError>& errors, std::size_t first, std::size_t second,
              const std::vector<std::size_t>& positions) {
  for (std::size_t i = second; i < errors.size(); ++i) errors[i].item = positions[errors[i].item];
  std::sort(errors.begin() + static_cast<std::ptrdiff_t>(first), errors.end(),
            [](const ItemError& a, const ItemError& b) { return a.item < b.item; });
}

}  // namespace

struct ImageClassifier::ImageImpl {
  ImageOptions options;
  api::PictureInput picture;
  DecodeOptions decode;
};

ImageClassifier::ImageClassifier(std::shared_ptr<const Model> model, const ImageOptions& options)
    : Classifier(std::move(model), options.options) {
  const api::PictureInput picture = api::picture_input(this->model(), options);
  const DecodeOptions decode = decode_options(this->model(), options, picture);
  image_ = std::make_unique<ImageImpl>(ImageImpl{options, picture, decode});
}

ImageClassifier::ImageClassifier(const std::string& uri, const ImageOptions& options, const LoadOptions& load)
    : ImageClassifier(Model::load(uri, load), options) {}

ImageClassifier::~ImageClassifier() = default;
ImageClassifier::ImageClassifier(ImageClassifier&&) noexcept = default;
ImageClassifier& ImageClassifier::operator=(ImageClassifier&&) noexcept = default;

Tensor ImageClassifier::preprocess(Span<const Image> images) const {
  return preprocess(images, nullptr);
}

Tensor ImageClassifier::preprocess(Span<const Image> images, std::vector<ItemError>* errors) const {
  if (image_->picture.way != PictureWay::preprocessed) {
    fail(
        ErrorCode::unsupported, "model '", printable(model().name()),
        "' preprocesses its pictures itself; load the bare network with LoadOptions::load_transforms = false "
        "to do it here");
  }
  const api::ImageInput& input = image_->picture.input;
  const auto count = static_cast<std::int64_t>(images.size());
  const Shape shape = input.channels_last ? Shape{count, input.height, input.width, input.channels}
                                          : Shape{count, input.channels, input.height, input.width};
  Tensor batch(input.dtype, shape);
  const std::size_t sample_bytes = images.empty() ? 0 : batch.bytes() / images.size();
  const auto place = [](std::size_t i) { return concat("picture ", i); };
  for_each(
      images.size(),
      [&](std::size_t i) {
        in_context([&] { return place(i); },
                   [&] {
                     void* sample = static_cast<std::byte*>(batch.raw()) + i * sample_bytes;
                     api::preprocess_image(images[i], image_->options.preprocess, input, sample);
                   });
      },
      errors);
  return batch;
}

std::vector<Tensor> ImageClassifier::run(Span<const Image> images, std::vector<ItemError>* errors) const {
  if (image_->picture.way == PictureWay::preprocessed) return predict({preprocess(images, errors).view()});
  std::vector<Tensor> floats(images.size());
  std::vector<TensorView> items;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const bool convert = image_->picture.way == PictureWay::pixels &&
                         image_->picture.input.dtype == DType::float32 && !images[i].empty();
    if (convert) floats[i] = as_floats(images[i]);
    items.push_back(convert ? floats[i].view() : images[i].view());
  }
  return predict_lists(Span<const std::vector<TensorView>>(&items, 1), errors);
}

std::vector<std::vector<Classification>> ImageClassifier::classify_batch(
    Span<const Image> images, std::optional<int> top_k, std::vector<ItemError>* errors) const {
  api::check_top_k(top_k);
  std::vector<std::vector<Classification>> rows;
  if (images.empty()) return rows;
  const std::size_t known = errors == nullptr ? 0 : errors->size();
  const std::vector<Tensor> outputs = run(images, errors);
  if (!outputs.empty()) rows = api::classify_outputs(model(), outputs, top_k);
  rows.resize(images.size());
  for (std::size_t e = known; errors != nullptr && e < errors->size(); ++e) rows[(*errors)[e].item].clear();
  return rows;
}

std::vector<Classification> ImageClassifier::classify(const Image& image, std::optional<int> top_k) const {
  return std::move(classify_batch(Span<const Image>(&image, 1), top_k)[0]);
}

std::vector<Classification> ImageClassifier::classify(const std::string& path,
                                                      std::optional<int> top_k) const {
  return classify(read_image(path, image_->decode), top_k);
}

std::vector<Classification> ImageClassifier::classify(Span<const std::uint8_t> encoded,
                                                      std::optional<int> top_k) const {
  return classify(decode_image(encoded, image_->decode), top_k);
}

std::vector<std::vector<Classification>> ImageClassifier::classify_files(
    const std::vector<std::string>& paths, std::optional<int> top_k, std::vector<ItemError>* errors) const {
  std::vector<Image> images(paths.size());
  const std::size_t before = errors == nullptr ? 0 : errors->size();
  for_each(
      paths.size(), [&](std::size_t i) { images[i] = read_image(paths[i], image_->decode); }, errors);
  if (errors == nullptr || errors->size() == before)
    return classify_batch(Span<const Image>(images), top_k, errors);

  std::vector<Image> readable;
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (images[i].empty()) continue;
    readable.push_back(images[i]);
    positions.push_back(i);
  }
  const std::size_t known = errors->size();
  auto found = classify_batch(Span<const Image>(readable), top_k, errors);
  std::vector<std::vector<Classification>> rows(paths.size());
  for (std::size_t i = 0; i < found.size(); ++i) rows[positions[i]] = std::move(found[i]);
  renumber(*errors, before, known, positions);
  return rows;
}

}  // namespace mxinfer
