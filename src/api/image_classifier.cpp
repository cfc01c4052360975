#include <mxinfer/image_classifier.h>

#include <algorithm>

#include "api/preprocess.h"
#include "base/fail.h"

namespace mxinfer {
namespace {

// A side of the network's input: what the signature fixes, else the option, else the preset's.
int network_side(const char* what, std::int64_t fixed, std::optional<int> given, int preset,
                 const DataDesc& desc) {
  if (given && (*given < 1 || *given > 65536)) {
    fail(ErrorCode::invalid_argument, "ImageOptions::", what, " is ", *given, "; give 1 to 65536");
  }
  if (fixed >= 0) {
    if (given && *given != fixed) {
      fail(ErrorCode::invalid_argument, "ImageOptions::", what, " is ", *given, ", but input ",
           to_string(desc), " fixes it at ", fixed);
    }
    if (fixed < 1 || fixed > 65536)
      fail(ErrorCode::invalid_argument, "input ", to_string(desc), " is no picture's size");
    return static_cast<int>(fixed);
  }
  if (given) return *given;
  if (preset > 0) return preset;
  fail(ErrorCode::invalid_argument, "input ", to_string(desc), " leaves the ", what,
       " free; give ImageOptions::height and width (--height and --width), such as 224");
}

api::ImageInput image_input(const Model& model, const ImageOptions& options) {
  const auto& inputs = model.signature().inputs;
  if (inputs.size() != 1) {
    fail(ErrorCode::invalid_argument, "an image classifier needs a network of one input, this one has ",
         inputs.size());
  }
  const DataDesc& desc = inputs[0];
  const std::string layout = desc.layout.empty() ? "NCHW" : desc.layout;
  api::ImageInput input;
  input.channels_last = layout == "NHWC";
  input.dtype = desc.dtype;
  const Shape& shape = desc.shape;
  const std::int64_t channels = shape.rank() == 4 ? shape[input.channels_last ? 3 : 1] : 0;
  const bool fits = (layout == "NCHW" || layout == "NHWC") && (channels == 1 || channels == 3) &&
                    (desc.dtype == DType::float32 || desc.dtype == DType::uint8);
  if (!fits) {
    fail(ErrorCode::invalid_argument, "input ", to_string(desc),
         " is no picture: float32 or uint8 of shape (batch, 1 or 3, height, width), or NHWC, is needed; "
         "describe it in "
         "LoadOptions::inputs if the file does not say");
  }
  const std::size_t first = input.channels_last ? 1 : 2;
  const int preset = options.preprocess.network_size;
  input.channels = static_cast<int>(channels);
  input.height = network_side("height", shape[first], options.height, preset, desc);
  input.width = network_side("width", shape[first + 1], options.width, preset, desc);
  api::check_preprocess(options.preprocess, input);
  return input;
}

}  // namespace

struct ImageClassifier::ImageImpl {
  ImageOptions options;
  api::ImageInput input;

  DecodeOptions decode_options() const {
    DecodeOptions decode;
    decode.color = input.channels == 3;
    decode.apply_exif = options.apply_exif;
    return decode;
  }
};

ImageClassifier::ImageClassifier(std::shared_ptr<const Model> model, const ImageOptions& options)
    : Classifier(std::move(model), options.options) {
  image_ = std::make_unique<ImageImpl>(ImageImpl{options, image_input(this->model(), options)});
}

ImageClassifier::ImageClassifier(const std::string& uri, const ImageOptions& options, const LoadOptions& load)
    : ImageClassifier(Model::load(uri, load), options) {}

ImageClassifier::~ImageClassifier() = default;
ImageClassifier::ImageClassifier(ImageClassifier&&) noexcept = default;
ImageClassifier& ImageClassifier::operator=(ImageClassifier&&) noexcept = default;

Tensor ImageClassifier::preprocess(Span<const Image> images) const {
  const api::ImageInput& input = image_->input;
  const auto count = static_cast<std::int64_t>(images.size());
  const Shape shape = input.channels_last ? Shape{count, input.height, input.width, input.channels}
                                          : Shape{count, input.channels, input.height, input.width};
  Tensor batch = Tensor::uninitialized(input.dtype, shape);
  const std::size_t sample_bytes = images.empty() ? 0 : batch.bytes() / images.size();
  for_each(images.size(), [&](std::size_t i) {
    in_context([&] { return concat("picture ", i); },
               [&] {
                 void* sample = static_cast<std::byte*>(batch.raw()) + i * sample_bytes;
                 api::preprocess_image(images[i], image_->options.preprocess, input, sample);
               });
  });
  return batch;
}

std::vector<std::vector<Classification>> ImageClassifier::classify_batch(Span<const Image> images,
                                                                         std::optional<int> top_k) const {
  if (images.empty()) return {};
  return classify_batch(preprocess(images).view(), top_k);
}

std::vector<Classification> ImageClassifier::classify(const Image& image, std::optional<int> top_k) const {
  return std::move(classify_batch(Span<const Image>(&image, 1), top_k)[0]);
}

std::vector<Classification> ImageClassifier::classify(const std::string& path,
                                                      std::optional<int> top_k) const {
  return classify(read_image(path, image_->decode_options()), top_k);
}

std::vector<Classification> ImageClassifier::classify(Span<const std::uint8_t> encoded,
                                                      std::optional<int> top_k) const {
  return classify(decode_image(encoded, image_->decode_options()), top_k);
}

std::vector<std::vector<Classification>> ImageClassifier::classify_files(
    const std::vector<std::string>& paths, std::optional<int> top_k) const {
  std::vector<Image> images(paths.size());
  for_each(paths.size(), [&](std::size_t i) { images[i] = read_image(paths[i], image_->decode_options()); });
  return classify_batch(Span<const Image>(images), top_k);
}

}  // namespace mxinfer
