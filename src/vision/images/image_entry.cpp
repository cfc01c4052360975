#include "vision/images/image_entry.h"

#include <algorithm>

#include "base/fail.h"
#include "model/check_inputs.h"
#include "model/model_data.h"
#include "vision/images/preprocessing.h"

namespace mxinfer::api {
namespace {

// A side of the network's input: fixed by the signature, else from the option, else from the preset.
int network_side(const char* what, std::int64_t fixed, std::optional<int> given, int preset,
                 const DataDesc& desc) {
  if (given && (*given < 1 || *given > 65536)) {
    fail(ErrorCode::invalid_argument, "ImageOptions::", what, " is ", *given, "; give 1 to 65536");
  }
  if (given && desc.is_guess) return *given;
  if (fixed >= 0) {
    if (given && *given != fixed) {
      fail(ErrorCode::invalid_argument, "ImageOptions::", what, " is ", *given, ", but input ",
           to_string(desc), " fixes it at ", fixed);
    }
    if (fixed < 1 || fixed > 65536)
      fail(ErrorCode::invalid_argument, "input ", to_string(desc), " does not have the size of an image");
    return static_cast<int>(fixed);
  }
  if (given) return *given;
  if (preset > 0) return preset;
  fail(ErrorCode::invalid_argument, "input ", to_string(desc), " leaves the ", what,
       " free; give ImageOptions::height and width (--height and --width), such as 224");
}

bool is_channels(std::int64_t size) {
  return size == 1 || size == 3;
}

// A suggestion for such images with the known sizes, in the form of the command's option.
std::string description(const DataDesc& desc, const ImageOptions& options, bool channels_last,
                        std::int64_t channels) {
  constexpr int kSide = 224;
  const Shape& shape = desc.shape;
  const std::size_t first = channels_last ? 1 : 2;
  const auto side = [&](const std::optional<int>& given, std::size_t axis) -> std::int64_t {
    if (given) return *given;
    if (shape.rank() == 4 && shape[axis] > 0) return shape[axis];
    return options.preprocess.network_size > 0 ? options.preprocess.network_size : kSide;
  };
  const std::int64_t height = side(options.height, first), width = side(options.width, first + 1);
  const std::string sizes =
      channels_last ? concat(height, ",", width, ",", channels) : concat(channels, ",", height, ",", width);
  const DType dtype = takes_floats(desc.dtype) || desc.dtype == DType::uint8 ? desc.dtype : DType::float32;
  return concat("LoadOptions::inputs ", printable(desc.name), "=-1,", sizes, ":", to_string(dtype), ":",
                channels_last ? "NHWC" : "NCHW");
}

// Both layouts, unless the shape reveals where the channels are.
std::string description_of_images(const DataDesc& desc, const ImageOptions& options) {
  const Shape& shape = desc.shape;
  if (shape.rank() == 4 && is_channels(shape[3]) && !is_channels(shape[1]))
    return description(desc, options, true, shape[3]);
  if (shape.rank() == 4 && is_channels(shape[1])) return description(desc, options, false, shape[1]);
  return concat(description(desc, options, false, 3), ", or, with the channels last, ",
                description(desc, options, true, 3));
}

// Channels, layout and dtype of a descriptor of images. Free channels are three.
ImageInput pixels_of(const DataDesc& desc, const ImageOptions& options) {
  const std::string layout = desc.layout.empty() ? "NCHW" : desc.layout;
  ImageInput input;
  input.channels_last = layout == "NHWC";
  input.dtype = desc.dtype;
  const Shape& shape = desc.shape;
  std::int64_t channels = shape.rank() == 4 ? shape[input.channels_last ? 3 : 1] : 0;
  if (channels < 0 && desc.meaning == Meaning::image) channels = 3;
  const bool fits = (layout == "NCHW" || layout == "NHWC") && (channels == 1 || channels == 3) &&
                    (takes_floats(desc.dtype) || desc.dtype == DType::uint8);
  if (desc.meaning == Meaning::text) {
    fail(ErrorCode::invalid_argument, "input ", to_string(desc),
         " is not an image: the model takes texts; use TextClassifier");
  }
  if (!fits) {
    fail(ErrorCode::invalid_argument, "input ", to_string(desc),
         " is not an image: float32, float16 or uint8 of shape (batch, 1 or 3, height, width), or NHWC, is "
         "needed; if the file does not say what it is, give ",
         description_of_images(desc, options));
  }
  input.channels = static_cast<int>(channels);
  return input;
}

bool changes_values(const Preprocess& options) {
  const Preprocess plain;
  return options.scale != plain.scale || options.mean != plain.mean || options.std != plain.std ||
         options.color != plain.color;
}

bool changes_size(const Preprocess& options) {
  const Preprocess plain;
  return options.resize != plain.resize || options.resize_short != plain.resize_short ||
         options.interpolation != plain.interpolation || options.pad_value != plain.pad_value ||
         options.network_size != plain.network_size;
}

[[noreturn]] void reject_twice(const Model& model, const char* what) {
  fail(ErrorCode::invalid_argument, "model '", printable(model.name()), "' ", what,
       " its images itself, and ImageOptions would do so again; leave ImageOptions::preprocess, height and "
       "width as they are, or load the bare network with LoadOptions::load_transforms = false "
       "(--no-transforms)");
}

// The stage of the one input; nullptr for a bare network.
const passes::ItemStage* stage_of(const Model& model) {
  const auto& stages = data_of(model).stages;
  return stages && !stages->items.empty() ? &stages->items[0] : nullptr;
}

}  // namespace

ImageEntry image_entry(const Model& model, const ImageOptions& options) {
  const auto& inputs = model.signature().inputs;
  if (inputs.size() != 1) {
    fail(ErrorCode::invalid_argument, "images need a network with one input; this one has ", inputs.size(),
         ": ", names_of(inputs), without_labels(data_of(model)));
  }
  const DataDesc& desc = inputs[0];
  const passes::ItemStage* stage = stage_of(model);
  ImageEntry result;
  result.model_resizes = stage != nullptr && (stage->reader || stage->resizes);
  if (result.model_resizes) {
    const Preprocess& given = options.preprocess;
    if (changes_values(given) || changes_size(given) || options.height || options.width)
      reject_twice(model, "preprocesses");
    if (stage->reader) {
      result.input.channels = stage->reader->color ? 3 : 1;
      result.input.dtype = DType::uint8;
    } else {
      result.input = pixels_of(desc, options);
    }
    return result;
  }
  if (stage != nullptr && stage->normalizes && changes_values(options.preprocess))
    reject_twice(model, "normalises");
  result.input = pixels_of(desc, options);
  const std::size_t first = result.input.channels_last ? 1 : 2;
  const int preset = options.preprocess.network_size;
  result.input.height = network_side("height", desc.shape[first], options.height, preset, desc);
  result.input.width = network_side("width", desc.shape[first + 1], options.width, preset, desc);
  check_preprocess(options.preprocess, result.input);
  return result;
}

}  // namespace mxinfer::api
