// _image_resize, _cvimresize, and those of mx.image's helper functions: resize_short, center_crop, letterbox.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "image/letterbox.h"
#include "image/resize.h"
#include "ops/common/constant_step.h"
#include "ops/common/copy_step.h"
#include "ops/image/image_kernels.h"
#include "ops/image/image_resize_step.h"

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
    const std::int64_t grain = piece_grain(1 << 16, row_bytes);
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

int side_of(std::int64_t side) {
  if (side < 1 || side > std::numeric_limits<int>::max()) {
    fail(ErrorCode::invalid_argument, "a side would become ", side, " pixels; it must be at least 1");
  }
  return static_cast<int>(side);
}

Size resize_target(const Attrs& attrs, Size from) {
  const Size size = size_attribute(attrs);
  if (!attrs.flag("keep_ratio") || attrs.tuple("size").size() != 1) return size;
  const std::int64_t width = from.width, height = from.height, side = size.width;
  if (height > width) return {size.width, side_of(height * side / width)};
  return {side_of(width * side / height), size.width};
}

ResizeJob resize_job(const Attrs& attrs, const ImageShape& image) {
  const Size to = resize_target(attrs, image.size());
  return resize_whole(image.size(), to, interp_attribute(attrs, image.size(), to));
}

ResizeJob imresize_job(const Attrs& attrs, const ImageShape& image) {
  const Size to{side_of(attrs.integer("w")), side_of(attrs.integer("h"))};
  return resize_whole(image.size(), to, interp_attribute(attrs, image.size(), to));
}

ResizeJob resize_short_job(const Attrs& attrs, const ImageShape& image) {
  const Size to = resize_short_size(image.size(), side_of(attrs.integer("size")));
  return resize_whole(image.size(), to, interp_attribute(attrs, image.size(), to));
}

ResizeJob center_crop_job(const Attrs& attrs, const ImageShape& image) {
  const Size to = size_attribute(attrs);
  const Region region = center_crop_region(image.size(), to);
  ResizeJob job = resize_whole(image.size(), to, interp_attribute(attrs, {region.width, region.height}, to));
  job.from = region;
  return job;
}

// The side that fills the canvas is exact, the other one is rounded down, but no image vanishes.
Region rounded_down_region(Size from, Size canvas) {
  const std::int64_t width = from.width, height = from.height;
  Size to = canvas;
  if (width * canvas.height >= height * canvas.width) {
    to.height = static_cast<int>(std::max<std::int64_t>(1, height * canvas.width / width));
  } else {
    to.width = static_cast<int>(std::max<std::int64_t>(1, width * canvas.height / height));
  }
  return {(canvas.width - to.width) / 2, (canvas.height - to.height) / 2, to.width, to.height};
}

ResizeJob letterbox_job(const Attrs& attrs, const ImageShape& image) {
  const Size canvas = size_attribute(attrs), from = image.size();
  const Region region =
      attrs.flag("nearest") ? image::letterbox_region(from, canvas) : rounded_down_region(from, canvas);
  const Size to{region.width, region.height};
  ResizeJob job = resize_whole(from, to, interp_attribute(attrs, from, to));
  job.canvas = canvas;
  job.x = region.x;
  job.y = region.y;
  job.fill = attrs.number("value");
  return job;
}

OpDef resizing(OpDef op) {
  const ResizeJobFn job_of = resize_job_of(op.name);
  op.infer = [job_of](const InferContext& context) -> std::vector<TensorType> {
    require_resizable(context.dtype(0));
    const ImageShape image = image_shape(context.shape(0));
    const ResizeJob job = job_of(context.attrs, image);
    require_pixel_value("value", context.dtype(0), job.fill);
    return {{context.dtype(0), image.with(job.canvas.height, job.canvas.width)}};
  };
  op.lower = [job_of](LowerContext& context) {
    const ImageShape image = image_shape(context.input(0).shape);
    return resize_step(context, image, job_of(context.attrs(), image));
  };
  return op;
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
  Step step{
      .kernel = labelled(prepared->plan->kernel_name(), prepared->plan->kernel_target()),
      .reason = concat(job.from.width, " x ", job.from.height, " to ", job.to.width, " x ", job.to.height)};
  step.scratch_bytes = static_cast<std::size_t>(
      prepared->cut_bytes + (prepared->pastes ? prepared->images * prepared->paste_image : 0));
  step.thread_scratch_bytes = prepared->plan->scratch_bytes();
  step.run = [prepared](const RunContext& at_run) { prepared->run(at_run); };
  return step;
}

ResizeJobFn resize_job_of(std::string_view op) {
  constexpr std::pair<std::string_view, ResizeJobFn> kJobs[] = {{"_image_resize", resize_job},
                                                                {"_cvimresize", imresize_job},
                                                                {"_mxinfer_resize_short", resize_short_job},
                                                                {"_mxinfer_center_crop", center_crop_job},
                                                                {"_mxinfer_letterbox", letterbox_job}};
  for (const auto& [name, job] : kJobs) {
    if (name == op) return job;
  }
  return nullptr;
}

std::vector<OpDef> image_resize_ops() {
  return {
      resizing({.name = "_image_resize",
                .aliases = {"_npx__image_resize"},
                .summary = "Resizes images (h, w, c) or (n, h, w, c) to size (width, height); one number is "
                           "both sides, or with keep_ratio the shorter side. interp: 0 nearest, 1 linear, 2 "
                           "cubic, 3 area, 4 Lanczos.",
                .attrs = {tuple_attr("size", "()"), flag_attr("keep_ratio", false), interp_attr(4)},
                .traits = {.output_rank = always_same_rank, .image_source = ImageSource::pixels}}),
      resizing({.name = "_cvimresize",
                .aliases = {"_npi_cvimresize"},
                .summary = "Resizes images to w x h; interp as in _image_resize.",
                .attrs = {integer_attr("w").at_least(1), integer_attr("h").at_least(1), interp_attr(4)},
                .inputs = named_ports({"src"})}),
      resizing({.name = "_mxinfer_resize_short",
                .summary =
                    "Resizes images to a shorter side of size; the longer side is rounded down. interp as "
                    "in _image_resize, or 9: cubic if both sides grow, area if both shrink, else linear.",
                .attrs = {integer_attr("size").at_least(1), interp_attr(9)},
                .traits = {.output_rank = always_same_rank}}),
      resizing({.name = "_mxinfer_center_crop",
                .summary = "The centre of images, of size (width, height); for a smaller image, the largest "
                           "part of that aspect, resized to size. interp as in _mxinfer_resize_short.",
                .attrs = {tuple_attr("size"), interp_attr(9)},
                .traits = {.output_rank = always_same_rank}}),
      resizing({.name = "_mxinfer_letterbox",
                .summary =
                    "Resizes images to fit size (width, height), keeps their aspect, and centres them on a "
                    "canvas of that size whose pixels are value. The side that does not fill the canvas is "
                    "rounded down; with nearest, to the nearest pixel. interp as in _mxinfer_resize_short.",
                .attrs = {tuple_attr("size"), interp_attr(9), number_attr("value", 0),
                          flag_attr("nearest", false)}}),
  };
}

}  // namespace mxinfer::ops
