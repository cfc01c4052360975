// _image_resize, _cvimresize, and those of mx.image's helper functions: resize_short, center_crop, letterbox.
#include <algorithm>
#include <limits>
#include <utility>

#include "base/fail.h"
#include "image/letterbox.h"
#include "ops/image/image_resize_jobs.h"

namespace mxinfer::ops {
namespace {

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

OpDef image_resize() {
  OpDef op;
  op.name = "_image_resize";
  op.traits.output_rank = always_same_rank;
  op.traits.image_source = ImageSource::pixels;
  op.aliases = {"_npx__image_resize"};
  op.summary =
      "Resizes images (h, w, c) or (n, h, w, c) to size (width, height); one number is both sides, or with "
      "keep_ratio the shorter side. interp: 0 nearest, 1 linear, 2 cubic, 3 area, 4 Lanczos.";
  op.attrs = {graph::tuple_attr("size", "()"), graph::flag_attr("keep_ratio", false), interp_attr(4)};
  return resizing(op);
}

OpDef cv_imresize() {
  OpDef op;
  op.name = "_cvimresize";
  op.aliases = {"_npi_cvimresize"};
  op.summary = "Resizes images to w x h; interp as in _image_resize.";
  op.attrs = {graph::integer_attr("w").at_least(1), graph::integer_attr("h").at_least(1), interp_attr(4)};
  op.inputs = [](const Attrs&) { return PortNames{{"src"}}; };
  return resizing(op);
}

OpDef resize_short() {
  OpDef op;
  op.name = "_mxinfer_resize_short";
  op.traits.output_rank = always_same_rank;
  op.summary =
      "Resizes images to a shorter side of size; the longer side is rounded down. interp as in "
      "_image_resize, or 9: cubic if both sides grow, area if both shrink, else linear.";
  op.attrs = {graph::integer_attr("size").at_least(1), interp_attr(9)};
  return resizing(op);
}

OpDef center_crop() {
  OpDef op;
  op.name = "_mxinfer_center_crop";
  op.traits.output_rank = always_same_rank;
  op.summary =
      "The centre of images, of size (width, height); for a smaller image, the largest part of that aspect, "
      "resized to size. interp as in _mxinfer_resize_short.";
  op.attrs = {graph::tuple_attr("size"), interp_attr(9)};
  return resizing(op);
}

OpDef letterbox() {
  OpDef op;
  op.name = "_mxinfer_letterbox";
  op.summary =
      "Resizes images to fit size (width, height), keeps their aspect, and centres them on a canvas of that "
      "size whose pixels are value. The side that does not fill the canvas is rounded down; with nearest, to "
      "the nearest pixel. interp as in _mxinfer_resize_short.";
  op.attrs = {graph::tuple_attr("size"), interp_attr(9), graph::number_attr("value", 0),
              graph::flag_attr("nearest", false)};
  return resizing(op);
}

}  // namespace

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
  return {image_resize(), cv_imresize(), resize_short(), center_crop(), letterbox()};
}

}  // namespace mxinfer::ops
