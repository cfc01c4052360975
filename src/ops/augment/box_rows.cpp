#include "ops/augment/box_rows.h"

#include <algorithm>
#include <cstddef>

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

}  // namespace mxinfer::ops
