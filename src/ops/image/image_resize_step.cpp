#include "ops/image/image_resize_step.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "base/checked.h"
#include "base/fail.h"
#include "image/resize.h"
#include "ops/common/constant_step.h"
#include "ops/common/copy_step.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kAlign = 64;

/// What a run needs, with everything in bytes.
struct Prepared {
  explicit Prepared(const LowerContext& context) : random(context) {}

  RandomSource random;
  std::shared_ptr<const image::ResizePlan> plan;
  std::int64_t images = 0;
  std::int64_t pixel = 0;  ///< bytes of one
  ResizeJob job;
  std::int64_t src_row = 0, src_image = 0;
  std::int64_t dst_row = 0, dst_image = 0;
  bool cuts = false;    ///< the region is copied out first
  bool pastes = false;  ///< the result is copied to its place
  std::int64_t cut_image = 0, cut_bytes = 0;
  std::int64_t paste_row = 0, paste_image = 0;
  Tensor blank_row;  ///< a row of the canvas without an image

  void cut(const std::byte* src, std::byte* dst) const {
    const std::int64_t row = job.from.width * pixel;
    const std::uint64_t run_key = job.place ? random.next_run() : 0;
    for_rows(job.from.height, row, [&](std::int64_t image, std::int64_t y) {
      const auto [left, top] = corner(run_key, image);
      std::memcpy(dst + image * cut_image + y * row,
                  src + image * src_image + (top + y) * src_row + left * pixel,
                  static_cast<std::size_t>(row));
    });
  }

  /// The draws are made again for each row, which is cheaper than to keep them.
  std::pair<std::int64_t, std::int64_t> corner(std::uint64_t run_key, std::int64_t image) const {
    if (!job.place) return {job.from.x, job.from.y};
    RandomDraws draws = RandomSource::draws(run_key, image);
    const auto [across, down] = job.place(draws);
    const std::int64_t free_x = src_row / pixel - job.from.width;
    const std::int64_t free_y = src_image / src_row - job.from.height;
    return {static_cast<std::int64_t>(across * static_cast<double>(free_x)),
            static_cast<std::int64_t>(down * static_cast<double>(free_y))};
  }

  void resize(const std::byte* src, std::int64_t from_image, std::byte* dst, std::int64_t to_image,
              const RunContext& run) const {
    const std::int64_t rows = plan->rows_per_task(), pieces = ceil_div(job.to.height, rows);
    parallel_for(images * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t image = task / pieces, first = task % pieces * rows;
        plan->run(src + image * from_image, dst + image * to_image, first,
                  std::min<std::int64_t>(first + rows, job.to.height), run.my_scratch());
      }
    });
  }

  /// Rows of the canvas: blank, or blank at both sides of the image, which is there already where it is as
  /// wide as the canvas.
  void paste(const std::byte* src, std::byte* dst) const {
    const std::int64_t left = job.x * pixel, right = left + paste_row;
    const auto* blank = static_cast<const std::byte*>(blank_row.raw());
    for_rows(job.canvas.height, dst_row, [&](std::int64_t image, std::int64_t y) {
      std::byte* out = dst + image * dst_image + y * dst_row;
      const std::int64_t inside = y - job.y;
      if (inside < 0 || inside >= job.to.height) {
        std::memcpy(out, blank, static_cast<std::size_t>(dst_row));
      } else if (src != nullptr) {
        std::memcpy(out, blank, static_cast<std::size_t>(left));
        std::memcpy(out + left, src + image * paste_image + inside * paste_row,
                    static_cast<std::size_t>(paste_row));
        std::memcpy(out + right, blank, static_cast<std::size_t>(dst_row - right));
      }
    });
  }

  template <typename Row>
  void for_rows(std::int64_t rows, std::int64_t row_bytes, Row&& body) const {
    const std::int64_t grain = std::max<std::int64_t>(1, (1 << 16) / std::max<std::int64_t>(1, row_bytes));
    parallel_for(images * rows, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) body(i / rows, i % rows);
    });
  }

  void run(const RunContext& at_run) const {
    const std::byte* src = at_run.input<std::byte>(0);
    std::byte* out = at_run.output<std::byte>(0);
    std::int64_t from_image = src_image;
    if (cuts) {
      cut(src, at_run.scratch);
      src = at_run.scratch;
      from_image = cut_image;
    }
    std::byte* pasted = at_run.scratch + cut_bytes;
    if (pastes) {
      resize(src, from_image, pasted, paste_image, at_run);
    } else {
      resize(src, from_image, out + job.y * dst_row, dst_image, at_run);
    }
    if (!(job.canvas == job.to)) paste(pastes ? pasted : nullptr, out);
  }
};

bool is_whole(const Region& region, const ImageShape& image) {
  return region.x == 0 && region.y == 0 && region.width == image.width && region.height == image.height;
}

Prepared prepare(const LowerContext& context, const ImageShape& image, const ResizeJob& job) {
  const DType dtype = context.input(0).dtype;
  Prepared p(context);
  p.job = job;
  p.images = image.images;
  p.plan = std::make_shared<const image::ResizePlan>(
      kernels::ResizeShape{job.from.height, job.from.width, job.to.height, job.to.width, image.channels},
      dtype, job.interpolation, context.target());
  p.pixel = image.channels * static_cast<std::int64_t>(size_of(dtype));
  p.src_row = image.width * p.pixel;
  p.src_image = image.height * p.src_row;
  p.dst_row = job.canvas.width * p.pixel;
  p.dst_image = job.canvas.height * p.dst_row;
  p.cuts = !is_whole(job.from, image);
  p.cut_image = job.from.height * job.from.width * p.pixel;
  p.cut_bytes = p.cuts ? round_up(p.images * p.cut_image, kAlign) : 0;
  p.pastes = job.to.width != job.canvas.width;
  p.paste_row = job.to.width * p.pixel;
  p.paste_image = job.to.height * p.paste_row;
  if (!(job.canvas == job.to)) {
    p.blank_row = Tensor(dtype, {job.canvas.width, image.channels});
    for (std::int64_t i = 0; i < p.blank_row.elements(); ++i) store_number(p.blank_row, i, job.fill);
  }
  return p;
}

}  // namespace

ResizeJob resize_whole(Size from, Size to, Interpolation interpolation) {
  ResizeJob job;
  job.from = {0, 0, from.width, from.height};
  job.to = job.canvas = to;
  job.interpolation = interpolation;
  return job;
}

void require_resizable(DType dtype) {
  if (dtype == DType::uint8 || dtype == DType::float32 || dtype == DType::float64) return;
  fail(ErrorCode::unsupported, "images of ", to_string(dtype),
       " cannot be resized; uint8, float32 and float64 can");
}

void require_pixel_value(const char* attribute, DType dtype, double value) {
  if (dtype != DType::uint8 ? std::isfinite(value) : value >= 0 && value <= 255) return;
  fail(ErrorCode::invalid_argument, "attribute ", attribute, " is ", value, ", which is not a value of a ",
       to_string(dtype), " image");
}

Step resize_step(LowerContext& context, const ImageShape& image, const ResizeJob& job) {
  if (is_whole(job.from, image) && job.canvas == job.to && job.to == image.size()) {
    return alias_step(context);
  }
  auto prepared = std::make_shared<const Prepared>(prepare(context, image, job));
  Step step;
  step.kernel =
      concat(prepared->plan->kernel_name(), " [", kernels::to_string(prepared->plan->kernel_target()), "]");
  step.reason = concat(job.from.width, " x ", job.from.height, " to ", job.to.width, " x ", job.to.height);
  step.scratch_bytes = static_cast<std::size_t>(
      prepared->cut_bytes + (prepared->pastes ? prepared->images * prepared->paste_image : 0));
  step.thread_scratch_bytes = prepared->plan->scratch_bytes();
  step.run = [prepared](const RunContext& at_run) { prepared->run(at_run); };
  return step;
}

}  // namespace mxinfer::ops
