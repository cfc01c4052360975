#include "ops/augment/inputs.h"

#include <algorithm>
#include <cstring>

namespace mxinfer::ops {
namespace {

bool is_box(const double* row) {
  return !std::all_of(row, row + 4, [](double value) { return value == -1; });
}

template <typename T>
void read_rows(const T* rows, std::int64_t count, std::int64_t columns, std::vector<double>& values) {
  values.reserve(static_cast<std::size_t>(count * columns));
  for (std::int64_t i = 0; i < count; ++i) {
    values.insert(values.end(), rows + i * columns, rows + (i + 1) * columns);
    const auto first = values.end() - static_cast<std::ptrdiff_t>(columns);
    if (!is_box(&*first)) values.erase(first, values.end());
  }
}

template <typename T>
void write_rows(const std::vector<double>& values, T* rows, std::int64_t all) {
  T* end = std::transform(values.begin(), values.end(), rows, [](double v) { return static_cast<T>(v); });
  std::fill(end, rows + all, T{-1});
}

// Along one axis: whether the centre lies in the region. False where a number is NaN.
bool holds_centre(double low, double high, double begin, double end) {
  const double centre = (low + high) / 2;
  return begin <= centre && centre < end;
}

void copy_bytes(std::byte* dst, const std::byte* src, std::int64_t bytes) {
  std::memcpy(dst, src, static_cast<std::size_t>(bytes));
}

void fill_pixels(std::byte* dst, const std::byte* fill, std::int64_t pixel, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) copy_bytes(dst + i * pixel, fill, pixel);
}

std::int64_t rows_a_task(std::int64_t row_bytes) {
  return piece_grain(1 << 16, row_bytes);
}

}  // namespace

BoxRows BoxRows::read(const void* rows, DType dtype, std::int64_t count, std::int64_t columns) {
  BoxRows boxes;
  boxes.columns_ = columns;
  if (dtype == DType::float64) {
    read_rows(static_cast<const double*>(rows), count, columns, boxes.values_);
  } else {
    read_rows(static_cast<const float*>(rows), count, columns, boxes.values_);
  }
  return boxes;
}

void BoxRows::write(void* rows, DType dtype, std::int64_t count) const {
  if (dtype == DType::float64) {
    write_rows(values_, static_cast<double*>(rows), count * columns_);
  } else {
    write_rows(values_, static_cast<float*>(rows), count * columns_);
  }
}

void BoxRows::translate(double x, double y) {
  for (std::int64_t i = 0; i < count(); ++i) {
    double* box = values_.data() + i * columns_;
    for (const int side : {0, 2}) {
      box[side] += x;
      box[side + 1] += y;
    }
  }
}

void BoxRows::flip(Size image, bool across, bool down) {
  const auto mirror = [](double& low, double& high, int size) {
    const double end = size - low;
    low = size - high;
    high = end;
  };
  for (std::int64_t i = 0; i < count(); ++i) {
    double* box = values_.data() + i * columns_;
    if (across) mirror(box[0], box[2], image.width);
    if (down) mirror(box[1], box[3], image.height);
  }
}

void BoxRows::resize(Size from, Size to) {
  const double x = static_cast<double>(to.width) / from.width;
  const double y = static_cast<double>(to.height) / from.height;
  for (std::int64_t i = 0; i < count(); ++i) {
    double* box = values_.data() + i * columns_;
    for (const int side : {0, 2}) {
      box[side] *= x;
      box[side + 1] *= y;
    }
  }
}

void BoxRows::crop(const Region& region) {
  const double left = region.x, right = left + region.width;
  const double top = region.y, bottom = top + region.height;
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < count(); ++i) {
    double* box = values_.data() + i * columns_;
    const bool inside =
        holds_centre(box[0], box[2], left, right) && holds_centre(box[1], box[3], top, bottom);
    if (!inside) continue;
    box[0] = std::max(box[0], left) - left;
    box[1] = std::max(box[1], top) - top;
    box[2] = std::min(box[2], right) - left;
    box[3] = std::min(box[3], bottom) - top;
    if (!(box[0] < box[2] && box[1] < box[3])) continue;
    std::copy(box, box + columns_, values_.data() + kept * columns_);
    ++kept;
  }
  values_.resize(static_cast<std::size_t>(kept * columns_));
}

double overlap(const double* box, const Region& region) {
  const double right = static_cast<double>(region.x) + region.width;
  const double bottom = static_cast<double>(region.y) + region.height;
  const double width = std::min(box[2], right) - std::max(box[0], static_cast<double>(region.x));
  const double height = std::min(box[3], bottom) - std::max(box[1], static_cast<double>(region.y));
  const double shared = width > 0 && height > 0 ? width * height : 0;
  const double own = (box[2] - box[0]) * (box[3] - box[1]);
  const double other = static_cast<double>(region.width) * region.height;
  return shared / (own + other - shared);
}

void require_boxes(const InferContext& context, const ImageShape& image) {
  const Shape& shape = context.shape(1);
  const DType dtype = context.dtype(1);
  if (dtype != DType::float32 && dtype != DType::float64) {
    fail(ErrorCode::unsupported, "boxes of ", to_string(dtype), " were given; expected float32 or float64");
  }
  const bool fits = shape.rank() == (image.batch ? 3u : 2u) && (!image.batch || shape[0] == image.images) &&
                    shape.back() >= 4;
  if (fits) return;
  fail(ErrorCode::invalid_argument, "boxes have shape ", to_string(shape), "; expected ",
       image.batch ? "(" + std::to_string(image.images) + ", count, columns)"
                   : std::string("(count, columns)"),
       ", whose first 4 columns are left, top, right and bottom in pixels, for ",
       context.inputs[0].shape.rank(), "-dimensional images");
}

BoxesOfRun::BoxesOfRun(const LowerContext& context)
    : dtype_(context.input(1).dtype), columns_(context.input(1).shape.back()) {
  const Shape& shape = context.input(1).shape;
  count_ = shape[shape.rank() - 2];
  bytes_ = count_ * columns_ * static_cast<std::int64_t>(size_of(dtype_));
}

BoxRows BoxesOfRun::read(const RunContext& run, std::int64_t image) const {
  return BoxRows::read(run.input<std::byte>(1) + image * bytes_, dtype_, count_, columns_);
}

void BoxesOfRun::write(const BoxRows& boxes, const RunContext& run, std::int64_t image) const {
  boxes.write(run.output<std::byte>(1) + image * bytes_, dtype_, count_);
}

std::string augment_name(const std::string& name, Draws draws) {
  switch (draws) {
    case Draws::random:
      return "_mxinfer_random_" + name;
    case Draws::input:
      return "_mxinfer_drawn_" + name;
    case Draws::none:
      break;
  }
  return "_mxinfer_" + name;
}

void set_ports(OpDef& op, const std::string& second, Draws draws) {
  std::vector<std::string> inputs = {"data", second};
  if (draws == Draws::input) inputs.emplace_back("draws");
  op.inputs = [inputs](const Attrs&) { return PortNames{inputs}; };
  op.outputs = [second](const Attrs&) { return PortNames{{"data", second}}; };
}

void require_draws(const InferContext& context, const ImageShape& image, std::int64_t count) {
  if (context.count() < 3) return;
  const Shape& shape = context.shape(2);
  const DType dtype = context.dtype(2);
  if (dtype != DType::float32 && dtype != DType::float64) {
    fail(ErrorCode::unsupported, "draws of ", to_string(dtype), " were given; expected float32 or float64");
  }
  const bool fits = shape.rank() == (image.batch ? 2u : 1u) && (!image.batch || shape[0] == image.images) &&
                    shape.back() >= count;
  if (fits) return;
  fail(ErrorCode::invalid_argument, "draws have shape ", to_string(shape), "; expected ",
       image.batch ? "(n, count), a row for each of the " : "(count)",
       image.batch ? std::to_string(image.images) + " images" : std::string(), ", of ", count,
       " numbers at least, which is what it may take");
}

DrawsOfRun::DrawsOfRun(const LowerContext& context, Draws draws) : draws_(draws), random_(context) {
  if (draws != Draws::input) return;
  dtype_ = context.input(2).dtype;
  count_ = context.input(2).shape.back();
}

DrawnNumbers DrawsOfRun::of_image(const RunContext& run, std::uint64_t run_key, std::int64_t image) const {
  if (draws_ != Draws::input) return DrawnNumbers(RandomSource::draws(run_key, image));
  if (dtype_ == DType::float64) return {run.input<double>(2) + image * count_, count_};
  return {run.input<float>(2) + image * count_, count_};
}

Tensor cut_part(const std::byte* image, const ImageShape& shape, DType dtype, const Region& region,
                const std::byte* fill) {
  Tensor part = Tensor::uninitialized(dtype, {region.height, region.width, shape.channels});
  auto* const dst = static_cast<std::byte*>(part.raw());
  const auto pixel = shape.channels * static_cast<std::int64_t>(size_of(dtype));
  const std::int64_t width = region.width, row_bytes = width * pixel;
  const std::int64_t first = std::clamp<std::int64_t>(-std::int64_t{region.x}, 0, width);
  const std::int64_t last = std::clamp<std::int64_t>(shape.width - region.x, first, width);
  parallel_for(region.height, rows_a_task(row_bytes), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y) {
      std::byte* row = dst + y * row_bytes;
      const std::int64_t from = region.y + y;
      if (from < 0 || from >= shape.height) {
        fill_pixels(row, fill, pixel, width);
        continue;
      }
      fill_pixels(row, fill, pixel, first);
      copy_bytes(row + first * pixel, image + (from * shape.width + region.x + first) * pixel,
                 (last - first) * pixel);
      fill_pixels(row + last * pixel, fill, pixel, width - last);
    }
  });
  return part;
}

void flip_image(const std::byte* src, std::byte* dst, Size size, std::int64_t pixel, bool across, bool down) {
  const std::int64_t width = size.width, height = size.height, row = width * pixel;
  parallel_for(height, rows_a_task(row), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y) {
      const std::byte* in = src + (down ? height - 1 - y : y) * row;
      std::byte* out = dst + y * row;
      if (!across) {
        copy_bytes(out, in, row);
        continue;
      }
      for (std::int64_t x = 0; x < width; ++x)
        copy_bytes(out + x * pixel, in + (width - 1 - x) * pixel, pixel);
    }
  });
}

}  // namespace mxinfer::ops
