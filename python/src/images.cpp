#include "images.h"

#include <mxinfer/error.h>

#include <cstdint>
#include <limits>
#include <variant>

#include "records.h"

namespace mxinfer::python {
namespace nb = nanobind;
namespace {

Image image_of(const TensorView& view) {
  const Shape& shape = view.shape();
  const bool has_sides = shape.rank() == 2 || shape.rank() == 3;
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  if (view.dtype() != DType::uint8 || !has_sides || shape[0] > kMost || shape[1] > kMost ||
      shape.back() > kMost) {
    throw Error(
        ErrorCode::invalid_argument,
        std::string("image: got ") + to_string(view.dtype()) + " of shape " + to_string(shape) +
            "; pixels are uint8 of (height, width, 3) as RGB or (height, width) as grey, the bytes of a file "
            "uint8 of one dimension. What the network takes itself goes to predict");
  }
  const int channels = shape.rank() == 2 ? 1 : static_cast<int>(shape[2]);
  const Span<const std::uint8_t> pixels(static_cast<const std::uint8_t*>(view.raw()),
                                        static_cast<std::size_t>(shape.elements()));
  return {static_cast<int>(shape[1]), static_cast<int>(shape[0]), channels, pixels};
}

std::variant<std::string, HeldArray, Image> read(const std::string& kind, const nb::object& image) {
  if (kind == "file") return bytes_of(nb::cast<nb::bytes>(image));
  if (kind == "encoded") return HeldArray::of_buffer(image, {"image", "", DType::uint8});
  return image_of(HeldArray(image, {"image", "", DType::uint8}).view());
}

}  // namespace

ImageArgument::ImageArgument(const std::string& kind, const nb::object& image) : image_(read(kind, image)) {}

ByteSpan ImageArgument::bytes(const HeldArray& array) {
  const TensorView& view = array.view();
  return {view.raw(), static_cast<std::size_t>(view.shape().elements()) * size_of(view.dtype())};
}

ImageArguments::ImageArguments(const std::string& kind, const nb::list& images) : kind_(kind) {
  held_.reserve(images.size());
  for (const nb::handle image : images) {
    const ImageArgument& held = held_.emplace_back(kind, nb::borrow(image));
    held.visit([&](const std::string& path) { paths_.push_back(path); },
               [&](ByteSpan encoded) { encoded_.push_back(encoded); },
               [&](const Image& pixels) { pixels_.push_back(pixels); });
  }
}

}  // namespace mxinfer::python
