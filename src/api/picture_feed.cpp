#include "api/picture_feed.h"

#include <algorithm>

#include "api/predictor_impl.h"
#include "base/fail.h"
#include "model/model_data.h"

namespace mxinfer::api {
namespace {

DecodeOptions decode_options(const Model& model, const ImageOptions& options, const PictureInput& picture) {
  DecodeOptions decode;
  decode.color = picture.input.channels == 3;
  decode.apply_exif = options.apply_exif;
  if (picture.way == PictureWay::encoded || picture.way == PictureWay::path) {
    decode.order = data_of(model).stages->items[0].reader->rgb ? ColorOrder::rgb : ColorOrder::bgr;
  }
  return decode;
}

// The pixels as the element type that the model takes.
Tensor as_floats(const Image& image) {
  Tensor tensor = Tensor::uninitialized(DType::float32, image.view().shape());
  std::copy(image.pixels().begin(), image.pixels().end(), tensor.data<float>());
  return tensor;
}

}  // namespace

PictureFeed::PictureFeed(const Model& model, const ImageOptions& options)
    : options_(options),
      picture_(picture_input(model, options)),
      decode_(decode_options(model, options, picture_)) {}

std::vector<NamedShape> PictureFeed::network_shapes(const Model& model) const {
  if (picture_.way != PictureWay::preprocessed) return {};
  return {{model.signature().inputs[0].name, batch_shape(picture_.input, 1)}};
}

Image PictureFeed::blank_picture(const Shape& input) const {
  const std::int64_t channels = picture_.input.channels;
  const bool own_size = picture_.way != PictureWay::preprocessed && input.rank() >= 3;
  const Shape shape = own_size ? Shape{input[input.rank() - 3], input[input.rank() - 2], channels}
                               : Shape{480, 640, channels};
  return Image(Tensor(DType::uint8, shape));
}

Tensor PictureFeed::preprocess(const Model& model, Span<const Image> images, const ForEach& for_each,
                               std::vector<ItemError>* errors) const {
  if (picture_.way != PictureWay::preprocessed) {
    fail(
        ErrorCode::unsupported, "model '", printable(model.name()),
        "' preprocesses its pictures itself; load the bare network with LoadOptions::load_transforms = false "
        "to do it here");
  }
  const ImageInput& input = picture_.input;
  Tensor batch(input.dtype, batch_shape(input, static_cast<std::int64_t>(images.size())));
  const std::size_t sample_bytes = images.empty() ? 0 : batch.bytes() / images.size();
  const auto place = [](std::size_t i) { return concat("picture ", i); };
  for_each(
      images.size(),
      [&](std::size_t i) {
        in_context([&] { return place(i); },
                   [&] {
                     void* sample = static_cast<std::byte*>(batch.raw()) + i * sample_bytes;
                     preprocess_image(images[i], options_.preprocess, input, sample);
                   });
      },
      errors);
  return batch;
}

std::vector<Tensor> PictureFeed::run(const Predictor& predictor, Span<const Image> images,
                                     const ForEach& for_each, std::vector<ItemError>* errors) const {
  if (picture_.way == PictureWay::preprocessed)
    return predictor.predict({preprocess(predictor.model(), images, for_each, errors).view()});
  std::vector<Tensor> floats(images.size());
  std::vector<TensorView> items;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const bool convert =
        picture_.way == PictureWay::pixels && picture_.input.dtype == DType::float32 && !images[i].empty();
    if (convert) floats[i] = as_floats(images[i]);
    items.push_back(convert ? floats[i].view() : images[i].view());
  }
  return predictor.predict_list(items, errors);
}

PictureFeed::ReadPicture PictureFeed::read_files(const std::vector<std::string>& paths) const {
  return [this, &paths](std::size_t i) { return read_image(paths[i], decode_); };
}

PictureFeed::ReadPicture PictureFeed::decode_all(Span<const ByteSpan> encoded) const {
  const bool several = encoded.size() > 1;
  return [this, encoded, several](std::size_t i) {
    if (!several) return decode_image(encoded[i], decode_);
    return in_context([&] { return concat("picture ", i); },
                      [&] { return decode_image(encoded[i], decode_); });
  };
}

PictureFeed::ForEach threads_of(const Predictor& predictor) {
  return [&predictor](std::size_t count, const std::function<void(std::size_t)>& body,
                      std::vector<ItemError>* errors) {
    PredictorAccess::impl(predictor).for_each(count, body, errors);
  };
}

void run_as_pictures(const Predictor& predictor, std::shared_ptr<const PictureFeed> feed) {
  auto& impl = PredictorAccess::impl(predictor);
  impl.usual_shapes = feed->network_shapes(predictor.model());
  impl.warm_up = [feed = std::move(feed)](const Predictor& warmed) {
    const Image image = feed->blank_picture(warmed.input_shapes()[0].second);
    (void)feed->run(warmed, {&image, 1}, threads_of(warmed), nullptr);
  };
}

std::vector<Image> read_each(std::size_t count, const PictureFeed::ReadPicture& read,
                             const PictureFeed::ForEach& for_each, std::vector<ItemError>* errors) {
  std::vector<Image> images(count);
  for_each(
      count, [&](std::size_t i) { images[i] = read(i); }, errors);
  return images;
}

void renumber(std::vector<ItemError>& errors, std::size_t first, std::size_t second,
              const std::vector<std::size_t>& positions) {
  for (std::size_t i = second; i < errors.size(); ++i) errors[i].item = positions[errors[i].item];
  std::sort(errors.begin() + static_cast<std::ptrdiff_t>(first), errors.end(),
            [](const ItemError& a, const ItemError& b) { return a.item < b.item; });
}

}  // namespace mxinfer::api
