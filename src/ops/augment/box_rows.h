// BoxRows: the boxes of one image while it is transformed. A row is (left, top, right, bottom) in pixels, and
// whatever follows, such as a class, which stays as it is. A row whose four numbers are -1 is no box.
//
//   BoxRows boxes = BoxRows::read(src, dtype, count, columns);    // without the rows that are no box
//   boxes.resize({500, 375}, {300, 300});
//   boxes.write(dst, dtype, count);                               // rows of -1 behind the boxes
//
// The arithmetic is float64, as NumPy computes on labels of float64, and rounded when it is written.
#pragma once

#include <mxinfer/dtype.h>
#include <mxinfer/vision/image.h>

#include <cstdint>
#include <vector>

namespace mxinfer::ops {

class BoxRows {
 public:
  /// From float32 or float64, (count, columns), columns >= 4.
  static BoxRows read(const void* rows, DType dtype, std::int64_t count, std::int64_t columns);
  /// `count` rows, at least as many as there are boxes.
  void write(void* rows, DType dtype, std::int64_t count) const;

  std::int64_t count() const { return static_cast<std::int64_t>(values_.size()) / columns_; }
  const double* row(std::int64_t i) const { return values_.data() + i * columns_; }

  void translate(double x, double y);
  void flip(Size image, bool across, bool down);
  void resize(Size from, Size to);
  /// The boxes as seen in `region`: those whose centre lies outside are dropped, the others are cut at its
  /// border and moved to its corner; those of which nothing is left are dropped too, and those with a NaN.
  void crop(const Region& region);

 private:
  std::vector<double> values_;
  std::int64_t columns_ = 4;
};

/// The intersection of a box and a region over their union.
double overlap(const double* box, const Region& region);

}  // namespace mxinfer::ops
