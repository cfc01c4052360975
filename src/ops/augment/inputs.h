// What the transforms of training share: two inputs and two outputs. Input and output 1 may be boxes. A row
// is (left, top, right, bottom) in pixels, and whatever follows, such as a class, which stays as it is. A row
// whose four numbers are -1 is no box. The arithmetic is float64, as NumPy computes on labels of float64, and
// rounded when it is written.
//
//   BoxRows boxes = BoxRows::read(src, dtype, count, columns);    // without the rows that are no box
//   boxes.resize({500, 375}, {300, 300});
//   boxes.write(dst, dtype, count);                               // rows of -1 behind the boxes
//
// And where their numbers come from, which they draw one after another, 0 <= u < 1: the generator of a random
// operator, or a tensor that the caller made.
//
//   DrawnNumbers draws(RandomSource::draws(run_key, image));       // _mxinfer_random_*
//   DrawnNumbers draws(values, count);                             // _mxinfer_drawn_*, float or double
//   const double scale = draws.uniform(0.3, 1.0);
#pragma once

#include <mxinfer/vision/image.h>

#include "ops/image/image_shape.h"
#include "ops/random/random_draws.h"

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

/// Throws Error unless input 1 is float32 or float64, (count, columns), with a batch of images (n, count,
/// columns), of 4 columns at least.
void require_boxes(const InferContext& context, const ImageShape& image);

class BoxesOfRun {
 public:
  explicit BoxesOfRun(const LowerContext& context);

  BoxRows read(const RunContext& run, std::int64_t image) const;
  void write(const BoxRows& boxes, const RunContext& run, std::int64_t image) const;

 private:
  DType dtype_;
  std::int64_t columns_, count_, bytes_;  ///< of one image
};

class DrawnNumbers {
 public:
  explicit DrawnNumbers(RandomDraws draws) : draws_(draws) {}
  /// Borrows `count` numbers. What is below 0 or not a number counts as 0, what is 1 or more as the number
  /// before 1; behind the last one come zeros.
  DrawnNumbers(const float* values, std::int64_t count) : floats_(values), count_(count) {}
  DrawnNumbers(const double* values, std::int64_t count) : doubles_(values), count_(count) {}

  double next() {
    if (floats_ == nullptr && doubles_ == nullptr) return draws_.unit();
    if (taken_ >= count_) return 0;
    const double value = floats_ != nullptr ? double{floats_[taken_]} : doubles_[taken_];
    ++taken_;
    if (!(value > 0)) return 0;
    return value < 1 ? value : 0x1.fffffffffffffp-1;
  }
  double uniform(double low, double high) { return low + (high - low) * next(); }
  /// 0 .. count - 1, for count >= 1.
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(next() * static_cast<double>(count));
  }

 private:
  RandomDraws draws_{0};
  const float* floats_ = nullptr;
  const double* doubles_ = nullptr;
  std::int64_t count_ = 0;
  std::int64_t taken_ = 0;
};

/// Where a transform of training takes its numbers from.
enum class Draws : std::uint8_t {
  none,    ///< it draws nothing
  random,  ///< a generator: "_mxinfer_random_" + name
  input,   ///< input 2, float32 or float64, (count) or (n, count): "_mxinfer_drawn_" + name
};

/// A name without its prefix as that of an operator: "crop_boxes" as "_mxinfer_random_crop_boxes".
std::string augment_name(const std::string& name, Draws draws);

/// Sets the inputs (data, `second`, and draws if they are an input) and the outputs (data, `second`).
void set_ports(OpDef& op, const std::string& second, Draws draws);

/// The error of input 2, if there is one, unless it holds `count` numbers at least for each image.
void require_draws(const InferContext& context, const ImageShape& image, std::int64_t count);

class DrawsOfRun {
 public:
  DrawsOfRun(const LowerContext& context, Draws draws);

  /// To be called once in each run.
  std::uint64_t next_run() const { return draws_ == Draws::random ? random_.next_run() : 0; }
  DrawnNumbers of_image(const RunContext& run, std::uint64_t run_key, std::int64_t image) const;

 private:
  Draws draws_;
  RandomSource random_;
  DType dtype_ = DType::float32;
  std::int64_t count_ = 0;
};

/// The region of an image (height, width, channels) as an image of its own; what of it lies outside of the
/// image is `fill`, the bytes of a pixel.
Tensor cut_part(const std::byte* image, const ImageShape& shape, DType dtype, const Region& region,
                const std::byte* fill);

/// The rows of an image of `pixel` bytes a pixel, mirrored across or down or both.
void flip_image(const std::byte* src, std::byte* dst, Size size, std::int64_t pixel, bool across, bool down);

}  // namespace mxinfer::ops
