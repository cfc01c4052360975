// From attributes and a shape to an ImageChain: the sizes and regions of the operators that were fused.
#include <limits>

#include "ops/image/image_chain.h"

namespace mxinfer::ops {
namespace {

int to_int(std::int64_t value) {
  if (value < 0 || value > std::numeric_limits<int>::max())
    fail(ErrorCode::invalid_argument, "a side or corner of ", value, " pixels; expected 0 to 2147483647");
  return static_cast<int>(value);
}

Size size_of_tuple(const char* name, const std::vector<std::int64_t>& tuple) {
  if (tuple.size() != 2)
    fail(ErrorCode::malformed, "attribute ", name, " has ", tuple.size(), " entries, not width and height");
  return {to_int(tuple[0]), to_int(tuple[1])};
}

Region region_of_tuple(const char* name, const std::vector<std::int64_t>& tuple, Size in) {
  if (tuple.size() != 4)
    fail(ErrorCode::malformed, "attribute ", name, " has ", tuple.size(),
         " entries, not x, y, width, height");
  const Region region{to_int(tuple[0]), to_int(tuple[1]), to_int(tuple[2]), to_int(tuple[3])};
  const bool inside = region.width >= 1 && region.height >= 1 && region.width <= in.width - region.x &&
                      region.height <= in.height - region.y;
  if (!inside) {
    fail(ErrorCode::invalid_argument, "the region of ", region.width, " x ", region.height, " pixels at (",
         region.x, ", ", region.y, ") is not inside the image of ", in.width, " x ", in.height);
  }
  return region;
}

void read_shape(const Attrs& attrs, const Shape& shape, ImageChain& chain) {
  const std::int64_t rank = attrs.integer("rank");
  const bool fits = (shape.rank() == 3 && rank != 4) || (shape.rank() == 4 && rank != 3);
  if (!fits) {
    fail(ErrorCode::invalid_argument, "the input's shape is ", to_string(shape), "; ",
         rank == 3   ? "(height, width, channels)"
         : rank == 4 ? "(n, height, width, channels)"
                     : "(height, width, channels) or (n, height, width, channels)",
         " was expected");
  }
  chain.batch = shape.rank() == 4;
  const std::size_t at = chain.batch ? 1 : 0;
  chain.images = chain.batch ? shape[0] : 1;
  chain.image = {to_int(shape[at + 1]), to_int(shape[at])};
  chain.channels = shape[at + 2];
  if (chain.image.width < 1 || chain.image.height < 1 || chain.channels < 1)
    fail(ErrorCode::invalid_argument, "an image of shape ", to_string(shape), " is empty");
}

void choose_interpolation(std::int64_t number, Size from, Size to, ImageChain& chain) {
  constexpr std::int64_t kAuto = 9;
  if (number != kAuto && (number < 0 || number > 4))
    fail(ErrorCode::malformed, "attribute interp is ", number, "; expected 0 to 4, or 9");
  chain.interpolation = number == kAuto ? auto_interpolation(from, to) : static_cast<Interpolation>(number);
}

/// MXNet's size: width and height, or one number for both, or for the shorter side with keep_ratio.
Size wanted_size(const Attrs& attrs, Size from) {
  const auto size = attrs.tuple("size");
  if (size.empty() || size.size() > 2)
    fail(ErrorCode::malformed, "attribute size has ", size.size(), " entries; expected one or two");
  if (size.size() == 2) return {to_int(size[0]), to_int(size[1])};
  if (attrs.flag("keep_ratio")) return resize_short_size(from, to_int(size[0]));
  return {to_int(size[0]), to_int(size[0])};
}

void read_geometry(const Attrs& attrs, ImageChain& chain) {
  chain.region = {0, 0, chain.image.width, chain.image.height};
  if (attrs.has("region")) chain.region = region_of_tuple("region", attrs.tuple("region"), chain.image);
  if (attrs.has("center"))
    chain.region = center_crop_region(chain.image, size_of_tuple("center", attrs.tuple("center")));

  const Size from{chain.region.width, chain.region.height};
  chain.resized = from;
  if (attrs.has("size")) chain.resized = wanted_size(attrs, from);
  if (attrs.has("center")) chain.resized = size_of_tuple("center", attrs.tuple("center"));
  if (chain.resized.width < 1 || chain.resized.height < 1) {
    fail(ErrorCode::invalid_argument, "a resize to ", chain.resized.width, " x ", chain.resized.height,
         " pixels; both sides must be at least 1");
  }
  chain.resizes = chain.resized != from;
  choose_interpolation(attrs.integer("interp"), from, chain.resized, chain);

  chain.window = {0, 0, chain.resized.width, chain.resized.height};
  if (attrs.has("crop")) chain.window = region_of_tuple("crop", attrs.tuple("crop"), chain.resized);
  if (attrs.has("center_crop")) {
    const Size wanted = size_of_tuple("center_crop", attrs.tuple("center_crop"));
    chain.window = center_crop_region(chain.resized, wanted);
    if (chain.window.width != wanted.width || chain.window.height != wanted.height)
      fail(ErrorCode::invalid_argument, "the centre of ", wanted.width, " x ", wanted.height,
           " pixels is larger than the image of ", chain.resized.width, " x ", chain.resized.height);
  }
  chain.mirror = attrs.flag("mirror");
  chain.flip = attrs.flag("flip");
}

struct StepName {
  const char* name;
  kernels::ChainOp op;
  bool of_image;  ///< one number, or one for each channel of the image: an image is never widened
};

constexpr StepName kStepNames[] = {
    {"mean", kernels::ChainOp::subtract, true}, {"std", kernels::ChainOp::divide, true},
    {"add", kernels::ChainOp::add, false},      {"sub", kernels::ChainOp::subtract, false},
    {"mul", kernels::ChainOp::multiply, false}, {"div", kernels::ChainOp::divide, false},
};

const StepName& step_named(const std::string& name) {
  for (const StepName& step : kStepNames) {
    if (name == step.name) return step;
  }
  fail(ErrorCode::malformed, "attribute steps names ", printable(name),
       "; expected mean, std, add, sub, mul or div");
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    result.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

/// One channel, or three in the order RGB, as those that are wanted.
void read_channels(const Attrs& attrs, ImageChain& chain) {
  const std::string& wanted = attrs.choice("channels");
  chain.out_channels = chain.channels;
  if (wanted == "own") return;
  if (chain.channels != 1 && chain.channels != 3) {
    fail(ErrorCode::invalid_argument, "the images have ", chain.channels, " channels; ", wanted,
         " is made of 1 or 3");
  }
  chain.out_channels = 3;
  chain.reversed = wanted == "bgr";
}

void read_arithmetic(const Attrs& attrs, ImageChain& chain) {
  const auto names = words(attrs.text("steps"));
  const auto counts = attrs.tuple("counts");
  const auto& numbers = attrs.number_tuple("numbers");
  if (counts.size() != names.size())
    fail(ErrorCode::malformed, "attribute counts has ", counts.size(), " entries for ", names.size(),
         " steps");
  std::size_t at = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const StepName& step = step_named(names[i]);
    const std::int64_t count = counts[i];
    if (count < 1 || static_cast<std::size_t>(count) > numbers.size() - at)
      fail(ErrorCode::malformed, "attribute numbers has ", numbers.size(), " entries, too few for counts");
    const bool fits =
        count == 1 || count == chain.out_channels || (chain.out_channels == 1 && !step.of_image);
    if (!fits) {
      fail(ErrorCode::invalid_argument, count, " numbers (", names[i], ") for images of ", chain.out_channels,
           " channels");
    }
    chain.out_channels = std::max(chain.out_channels, count);
    ImageChain::Arithmetic part{step.op, {}};
    for (std::int64_t k = 0; k < count; ++k) part.numbers.push_back(static_cast<float>(numbers[at++]));
    chain.arithmetic.push_back(std::move(part));
  }
  for (ImageChain::Arithmetic& part : chain.arithmetic) {
    if (part.numbers.size() == 1)
      part.numbers.assign(static_cast<std::size_t>(chain.out_channels), part.numbers[0]);
  }
}

}  // namespace

TensorType ImageChain::output() const {
  Shape shape;
  if (batch) shape.push_back(images);
  if (planar) shape.push_back(out_channels);
  shape.push_back(window.height);
  shape.push_back(window.width);
  if (!planar) shape.push_back(out_channels);
  return {converts ? DType::float32 : dtype, shape};
}

ImageChain image_chain(const Attrs& attrs, const TensorType& input) {
  ImageChain chain;
  chain.dtype = input.dtype;
  read_shape(attrs, input.shape, chain);
  read_geometry(attrs, chain);
  const std::string& first = attrs.text("first");
  chain.converts = first != "none";
  if (first == "to_tensor") chain.first = kernels::ChainFirst::share_of_255;
  if (first == "float32" && input.dtype != DType::float32) {
    fail(ErrorCode::invalid_argument, "the input is ", to_string(input.dtype),
         "; its arithmetic has float32 numbers, and one dtype is needed");
  }
  chain.planar = attrs.flag("planar");
  read_channels(attrs, chain);
  read_arithmetic(attrs, chain);
  if (!chain.converts && attrs.choice("channels") != "own")
    fail(ErrorCode::malformed, "attribute first is none, but channels is not own");
  if (!chain.converts && (chain.planar || !chain.arithmetic.empty()))
    fail(ErrorCode::malformed, "attribute first is none, but there is arithmetic");
  return chain;
}

}  // namespace mxinfer::ops
