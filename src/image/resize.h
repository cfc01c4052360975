// Resizing (height, width, channels) arrays: the tables of one resize, and a function that does it at once.
//
//   Tensor half = image::resize(image.view(), 112, 112, Interpolation::linear);
//
//   auto plan = std::make_shared<const image::ResizePlan>(shape, DType::uint8, Interpolation::linear);
//   plan->run(src, dst, row_begin, row_end, scratch);      // any number of times, on any thread
//
// uint8, float32 and float64, with the bits of MXNet 1.9.1's imresize and _image_resize (OpenCV 3.4.2).
// `nearest` copies every channel; MXNet leaves the last ones of uint8 unwritten if their count is above 4
// and no multiple of 4.
#pragma once

#include <mxinfer/tensor.h>
#include <mxinfer/vision/image.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/common/target.h"
#include "kernels/resize/resize.h"

namespace mxinfer::image {

/// A part of a resize. The source may be part of a wider image, and only a window of the result is computed,
/// bit for bit as in the whole result.
struct ResizePart {
  std::int64_t src_stride = 0;  ///< values from a source row to the next; 0: dense
  std::int64_t x = 0;           ///< the window of the result
  std::int64_t y = 0;
  std::int64_t width = 0;  ///< 0: the whole result, as height
  std::int64_t height = 0;
};

/// The tables and the kernel of one resize: made once, then only read.
class ResizePlan {
 public:
  /// Throws Error(invalid_argument) for sizes that are below 1 or too large for int, Error(unsupported) for
  /// other dtypes, and for `area` with more than 4 channels if it shrinks by a ratio that is not a whole
  /// number, which MXNet rejects too.
  ResizePlan(const kernels::ResizeShape& shape, DType dtype, Interpolation interpolation,
             kernels::Target target = kernels::best_target(), const ResizePart& part = {});
  ResizePlan(const ResizePlan&) = delete;
  ResizePlan& operator=(const ResizePlan&) = delete;

  /// The kernel's arguments, which borrow the plan's tables.
  const kernels::ResizeArgs& args() const noexcept { return args_; }
  /// Elements from the source's first to the first that the kernel reads.
  std::int64_t src_offset() const noexcept { return src_offset_; }
  /// The destination's sides are those of the window.
  const kernels::ResizeShape& shape() const noexcept { return args_.shape; }
  /// The kernel, such as "resize_linear_u8", and what it is written for.
  const char* kernel_name() const noexcept { return kernel_name_; }
  kernels::Target kernel_target() const noexcept { return kernel_target_; }
  /// Scratch bytes that each call of run needs, aligned to 64 bytes.
  std::size_t scratch_bytes() const noexcept { return scratch_bytes_; }
  /// Destination rows that are worth their own task; depends only on the shape.
  std::int64_t rows_per_task() const noexcept { return rows_per_task_; }
  /// Computes destination rows [row_begin, row_end) of one image. src and dst are whole images of the
  /// plan's dtype.
  void run(const void* src, void* dst, std::int64_t row_begin, std::int64_t row_end, void* scratch) const;
  /// The same, with the rows stored contiguously at `rows`.
  void run_rows(const void* src, void* rows, std::int64_t row_begin, std::int64_t row_end,
                void* scratch) const;

 private:
  void fill_nearest();
  void fill_taps(Interpolation interpolation);
  void fill_area();
  void narrow_to(const ResizePart& part);

  kernels::ResizeArgs args_{};
  DType dtype_;
  /// Elements to skip in the source: the window's corner, unless a table contains it.
  std::int64_t src_offset_ = 0;
  const char* kernel_name_ = "";
  kernels::Target kernel_target_ = kernels::Target::ref;
  std::size_t scratch_bytes_ = 0;
  std::int64_t rows_per_task_ = 1;
  kernels::ResizeKernel<std::uint8_t> run_u8_{};
  kernels::ResizeKernel<float> run_f32_{};
  kernels::ResizeKernel<double> run_f64_{};
  std::vector<std::int32_t> x_first_, y_first_;
  std::vector<std::int16_t> x_weight_fixed_, y_weight_fixed_;
  std::vector<float> x_weight_, y_weight_;
  std::vector<kernels::ResizeShare> x_share_, y_share_;
  std::vector<std::int64_t> y_share_begin_;
};

/// Resizes a (height, width, channels) array, or each of a batch (n, height, width, channels). The rows are
/// cut into tasks for the threads of the arena that this thread is in. The errors of ResizePlan, and
/// Error(invalid_argument) for other ranks.
Tensor resize(const TensorView& pixels, std::int64_t width, std::int64_t height, Interpolation interpolation);

}  // namespace mxinfer::image
