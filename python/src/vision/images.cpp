#include "vision/images.h"

#include <variant>

#include "bindings.h"
#include "core/records.h"

namespace mxinfer::python {
namespace nb = nanobind;
namespace {

/// Made once for each array, so that of a list those that are wrong are known by position.
struct Pixels {
  Image image;

  explicit Pixels(const nb::object& array)
      : image(Tensor::copy_of(HeldArray(array, {"image", "", DType::uint8}).view())) {}
};

std::variant<std::string, HeldArray, Image> read(const std::string& kind, const nb::object& image) {
  if (kind == "file") return bytes_of(nb::cast<nb::bytes>(image));
  if (kind == "encoded") return HeldArray::of_buffer(image, {"image", "", DType::uint8});
  return nb::cast<const Pixels&>(image).image;
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

void bind_images(nb::module_& module) {
  nb::class_<Pixels>(module, "Pixels").def(nb::init<const nb::object&>(), nb::arg("array"));
}

}  // namespace mxinfer::python
