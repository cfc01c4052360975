#include "table/image_rows.h"

#include <cstddef>
#include <utility>

#include "base/fail.h"

namespace mxinfer::table {
namespace {

/// OpenCV's types of one, three and four channels of uint8, as Spark's images have them.
constexpr std::int32_t kGrey = 0, kBgr = 16, kBgra = 24;

std::int32_t int32_of(const Column& column, std::int64_t row) {
  const Elements elements = column.elements({row, row + 1});
  return static_cast<const std::int32_t*>(elements.buffer)[elements.begin];
}

/// Spark's pixels as an image, in RGB.
Image to_image(Size size, std::int32_t channels, ByteSpan data) {
  const Span<const std::uint8_t> from = data.as<std::uint8_t>();
  if (channels == 1) return {size.width, size.height, 1, from};
  const std::int64_t pixels = std::int64_t{size.width} * size.height;
  Tensor rgb = Tensor::uninitialized(DType::uint8, {size.height, size.width, 3});
  auto* to = rgb.data<std::uint8_t>();
  const std::uint8_t* bgr = from.data();
  for (std::int64_t i = 0; i < pixels; ++i, to += 3, bgr += channels) {
    to[0] = bgr[2];
    to[1] = bgr[1];
    to[2] = bgr[0];
  }
  return Image(std::move(rgb));
}

}  // namespace

ImageColumn::ImageColumn(const Batch& batch, const BoundImage& image, int channels)
    : column_(batch.column(image.column)), cells_(image.cells), channels_(channels) {
  if (cells_ != ImageCells::pixels) return;
  const ImageMembers at = *image_members(*batch.schema.children[image.column]);
  pixels_ = Pixels{column_.member(at.height), column_.member(at.width), column_.member(at.channels),
                   column_.member(at.mode), column_.member(at.data)};
}

Image ImageColumn::pixels_of(std::int64_t row) const {
  const Pixels& of = *pixels_;
  for (const Column* member : {&of.height, &of.width, &of.channels, &of.mode, &of.data}) {
    if (member->is_null(row)) fail(ErrorCode::invalid_argument, "a member of the image is null");
  }
  const std::int32_t height = int32_of(of.height, row), width = int32_of(of.width, row);
  const std::int32_t channels = int32_of(of.channels, row), mode = int32_of(of.mode, row);
  const ByteSpan data = of.data.bytes(row);
  const bool is_known =
      (mode == kGrey && channels == 1) || (mode == kBgr && channels == 3) || (mode == kBgra && channels == 4);
  if (!is_known) {
    fail(ErrorCode::unsupported, "the image has mode ", mode, " and ", channels,
         " channels; expected OpenCV's mode 0 (grey), 16 (BGR) or 24 (BGRA), with its number of channels");
  }
  const bool fits = height > 0 && width > 0 &&
                    static_cast<std::uint64_t>(height) * static_cast<std::uint64_t>(width) *
                            static_cast<std::uint64_t>(channels) ==
                        data.size();
  if (!fits) {
    fail(ErrorCode::malformed, "the image is said to be ", width, " x ", height, " of ", channels,
         " channels, but has ", data.size(), " bytes");
  }
  const Image image = to_image({width, height}, channels, data);
  return channels_ == 0 ? image : convert_channels(image, channels_);
}

ImageRows ImageColumn::read(Rows rows, Verdicts& verdicts) const {
  ImageRows result;
  result.cells = cells_;
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    if (verdicts.is_wrong(row)) continue;
    if (column_.is_null(row)) {
      verdicts.set(row, Error(ErrorCode::invalid_argument, "the cell is null"));
      continue;
    }
    if (cells_ == ImageCells::files) result.files.push_back(column_.bytes(row));
    if (cells_ == ImageCells::places) {
      const ByteSpan text = column_.bytes(row);
      result.places.emplace_back(reinterpret_cast<const char*>(text.data()), text.size());
    }
    if (cells_ == ImageCells::pixels) {
      try {
        result.pixels.push_back(pixels_of(row));
      } catch (const Error& e) {
        verdicts.set(row, e);
        continue;
      }
    }
    result.rows.push_back(row);
  }
  return result;
}

int image_channels(const DataDesc& input) {
  const Shape& shape = input.shape;
  if (shape.rank() < 3) return 0;
  const std::size_t at = input.layout.find('C');
  const std::size_t axis = at < shape.rank() ? at : shape.rank() - 3;
  return shape[axis] == 1 || shape[axis] == 3 ? static_cast<int>(shape[axis]) : 0;
}

}  // namespace mxinfer::table
