// Operators on images: those that resize, _image_to_tensor, _image_normalize, borders, colours, and
// _mxinfer_image_chain, which is several of them in one kernel.
#include <algorithm>
#include <cstring>

#include "image/resize.h"
#include "ops/common/constant_step.h"
#include "ops/common/copy_step.h"
#include "ops/cuda/cuda_op.h"
#include "ops/cuda/device_tables.h"
#include "ops/cuda/vision/device_image_chain.h"
#include "ops/image/image_batch.h"
#include "ops/image/image_chain.h"
#include "ops/image/image_kernels.h"

namespace mxinfer::ops {
namespace {

bool has_image_type(const OpProblem& node) {
  return node.input(0).dtype == DType::uint8 || node.input(0).dtype == DType::float32;
}

Implementations no_image_type(const OpProblem& node) {
  return rejected("image", concat("images of ", to_string(node.input(0).dtype), ", not uint8 or float32"));
}

/// Of nodes on images whose type the kernels read.
CudaImplementationsFn image_kernel(const char* name, CudaLowerFn lower) {
  return [=](const OpProblem& node, const device::CudaDevice& device) {
    if (has_image_type(node)) return only(name, lower, device);
    return no_image_type(node);
  };
}

// Rows of pixels that lie one behind the other.
void set_dense(kernels::cuda::ImageChainArgs& args, std::int64_t height, std::int64_t width) {
  args.dst_pixel_step = args.channels;
  args.dst_row_step = width * args.channels;
  args.dst_image_step = height * width * args.channels;
}

void set_planar(kernels::cuda::ImageChainArgs& args, std::int64_t height, std::int64_t width) {
  args.dst_pixel_step = 1;
  args.dst_row_step = width;
  args.dst_channel_step = height * width;
  args.dst_image_step = height * width * args.channels;
}

bool is_no_change(const ResizeJob& job, const ImageShape& image) {
  const bool whole =
      job.from.x == 0 && job.from.y == 0 && job.from.width == image.width && job.from.height == image.height;
  return whole && job.canvas == job.to && job.to == image.size();
}

std::function<void(const RunContext&)> fill_canvas(const TensorType& canvas, double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, stored_number(canvas.dtype, value).bytes, sizeof bits);
  kernels::CopyArgs args;
  args.rank = 1;
  args.dims[0] = canvas.shape.elements();
  args.dst_strides[0] = 1;
  return [args, bits, size = size_of(canvas.dtype)](const RunContext& run) {
    run.stream->fill_strided(args, size, bits, run.outputs[0]);
  };
}

Step resize_on_device(LowerContext& context, const device::CudaDevice& device) {
  const ImageShape image = image_shape(context.input(0).shape);
  const ResizeJob job = resize_job_of(context.node().op->name)(context.attrs(), image);
  if (is_no_change(job, image)) return alias_step(context);
  image::ResizePart part;
  part.src_stride = image.width * image.channels;
  const image::ResizePlan plan({job.from.height, job.from.width, job.to.height, job.to.width, image.channels},
                               context.input(0).dtype, job.interpolation, kernels::Target::ref, part);
  DeviceImageChain chain(context.input(0).dtype, plan.args());
  kernels::cuda::ImageChainArgs& args = chain.args();
  args.images = image.images;
  args.src_offset = plan.src_offset() + (job.from.y * image.width + job.from.x) * image.channels;
  args.src_image_step = image.image_elements();
  set_dense(args, job.canvas.height, job.canvas.width);
  args.dst_offset = job.y * args.dst_row_step + job.x * args.dst_pixel_step;

  Step step{.kernel = plan.kernel_name()};
  step.reason = concat(job.from.width, " x ", job.from.height, " to ", job.to.width, " x ", job.to.height);
  step.run = chain.run_on(device);
  if (!(job.canvas == job.to)) {
    step.run = [fill = fill_canvas(context.output(0), job.fill), paste = step.run](const RunContext& run) {
      fill(run);
      paste(run);
    };
  }
  return step;
}

Step to_tensor_on_device(LowerContext& context, const device::CudaDevice& device) {
  const TensorType& input = context.input(0);
  const ImageShape image = image_shape(input.shape);
  DeviceImageChain chain(input.dtype, image.height, image.width, image.channels);
  kernels::cuda::ImageChainArgs& args = chain.args();
  args.images = image.images;
  args.resize.src_stride = image.width * image.channels;
  args.src_pixel_step = image.channels;
  args.src_image_step = image.image_elements();
  set_planar(args, image.height, image.width);
  chain.convert(kernels::ChainFirst::share_of_255, {});
  Step step{.kernel = concat("image_to_tensor_", to_string(input.dtype))};
  step.run = chain.run_on(device);
  return step;
}

// A plane is one row.
Step normalize_on_device(LowerContext& context, const device::CudaDevice& device) {
  const Normalization all = normalization(context.attrs(), context.input(0).shape);
  const std::int64_t pixels = all.image.height * all.image.width, channels = all.image.channels;
  DeviceImageChain chain(DType::float32, 1, pixels, channels);
  kernels::cuda::ImageChainArgs& args = chain.args();
  args.images = all.image.images;
  args.src_pixel_step = 1;
  args.src_channel_step = pixels;
  args.src_image_step = pixels * channels;
  set_planar(args, 1, pixels);
  chain.convert(kernels::ChainFirst::cast, {{kernels::ChainOp::subtract, all.mean.data()},
                                            {kernels::ChainOp::divide, all.deviation.data()}});
  context.may_overwrite(0, 0);
  Step step{.kernel = "image_normalize_float32"};
  step.flops = 2.0 * static_cast<double>(context.input(0).shape.elements());
  step.run = chain.run_on(device);
  return step;
}

void set_source(const ImageChain& chain, const image::ResizePlan* plan, kernels::cuda::ImageChainArgs& args) {
  const std::int64_t row = chain.image.width * chain.channels;
  args.images = chain.images;
  args.resize.src_stride = row;
  args.src_pixel_step = chain.channels;
  args.src_image_step = row * chain.image.height;
  args.src_offset = chain.region.y * row + chain.region.x * chain.channels;
  args.src_offset +=
      plan != nullptr ? plan->src_offset() : chain.window.y * row + chain.window.x * chain.channels;
}

// Makes a step run from the last of `count` to the first.
void turn(std::int64_t& step, std::int64_t count, std::int64_t& offset) {
  offset += (count - 1) * step;
  step = -step;
}

void set_target(const ImageChain& chain, kernels::cuda::ImageChainArgs& args) {
  const std::int64_t height = chain.window.height, width = chain.window.width;
  args.channels = chain.out_channels;
  if (chain.planar) {
    set_planar(args, height, width);
  } else {
    set_dense(args, height, width);
  }
  if (chain.reversed) turn(args.dst_channel_step, args.channels, args.dst_offset);
  if (chain.mirror) turn(args.dst_pixel_step, width, args.dst_offset);
  if (chain.flip) turn(args.dst_row_step, height, args.dst_offset);
}

void add_conversion(ImageChain& chain, DeviceImageChain& to) {
  std::vector<kernels::ChainStep> steps;
  for (ImageChain::Arithmetic& part : chain.arithmetic) {
    // The kernel counts channels as the source does.
    if (chain.reversed) std::reverse(part.numbers.begin(), part.numbers.end());
    steps.push_back({part.op, part.numbers.data()});
  }
  to.convert(chain.first, steps);
}

Step chain_on_device(LowerContext& context, const device::CudaDevice& device) {
  ImageChain chain = image_chain(context.attrs(), context.input(0));
  const auto plan = resize_plan_of(chain, kernels::Target::ref);
  DeviceImageChain made = plan != nullptr ? DeviceImageChain(chain.dtype, plan->args())
                                          : DeviceImageChain(chain.dtype, chain.window.height,
                                                             chain.window.width, chain.channels);
  set_source(chain, plan.get(), made.args());
  set_target(chain, made.args());
  if (chain.converts) add_conversion(chain, made);
  made.args().out = float_type(context.output(0).dtype).value_or(kernels::FloatType::float32);
  Step step{.kernel = concat("image_chain_", to_string(chain.dtype))};
  step.reason = plan != nullptr ? concat("with ", plan->kernel_name()) : "without a resize";
  step.run = made.run_on(device);
  return step;
}

// Each image has a record and tables of its own in the packed memory.
Step batch_on_device(LowerContext& context, const device::CudaDevice& device) {
  ImageChain chain = image_batch_chain(context.attrs(), context.input(0).shape[0]);
  DeviceImageChain made(DType::uint8, chain.window.height, chain.window.width, chain.channels);
  made.args().images = chain.images;
  set_target(chain, made.args());
  add_conversion(chain, made);
  made.args().out = float_type(context.output(0).dtype).value_or(kernels::FloatType::float32);
  Step step{.kernel = "image_batch_uint8"};
  step.reason = concat(chain.images, chain.images == 1 ? " image" : " images", " of any size in one launch");
  step.run = made.run_packed_on(device);
  return step;
}

Implementations image_chain_implementations(const OpProblem& node, const device::CudaDevice& device) {
  constexpr const char* kName = "image_chain";
  if (!has_image_type(node)) return no_image_type(node);
  if (node.output(0).is_stored_half && !image_chain(node.attrs(), node.input(0)).converts)
    return rejected(kName, "pixels only move, and keep their type");
  return only(kName, chain_on_device, device);
}

bool reads_nothing(const graph::Node&, std::size_t) {
  return false;
}

Step border_on_device(LowerContext& context, const device::CudaDevice& device) {
  const ImageBorder border = image_border(context);
  DeviceTables tables;
  const std::size_t pixel =
      tables.add(static_cast<const std::byte*>(border.pixel.raw()), border.pixel.bytes());
  Step step{.kernel = "image_border", .reason = "moves elements only"};
  step.run = [args = border.args, images = border.images, pixel, memory = tables.copy_to(device),
              launcher = device.kernels().image_border](const RunContext& run) {
    enqueue(run, launcher, args, images, run.inputs[0], table_at<std::byte>(*memory, pixel), run.outputs[0]);
  };
  return step;
}

Step convert_color_on_device(LowerContext& context, const device::CudaDevice& device) {
  const TensorType& image = context.input(0);
  const ColorChange change = color_change(context.attrs(), image_shape(image.shape).channels);
  if (!change.kind) return alias_step(context);
  Step step{.kernel = concat("convert_color_", to_string(image.dtype))};
  step.reason = context.attrs().choice("code");
  step.run = [kind = *change.kind, type = static_cast<kernels::ElementType>(image.dtype),
              pixels = image.shape.elements() / change.from,
              launcher = device.kernels().convert_color](const RunContext& run) {
    enqueue(run, launcher, type, kind, pixels, run.inputs[0], run.outputs[0]);
  };
  return step;
}

}  // namespace

std::vector<CudaOp> cuda_image_ops() {
  std::vector<CudaOp> ops{
      {"_image_to_tensor", image_kernel("image_to_tensor", to_tensor_on_device)},
      {"_image_normalize", float32_kernel("image_normalize", normalize_on_device)},
      with_halves({"_mxinfer_image_chain", image_chain_implementations}, HalfForm::any_type, reads_nothing),
      with_halves({"_mxinfer_image_batch", one_kernel("image_batch", batch_on_device)}, HalfForm::any_type,
                  reads_nothing),
      {"_mxinfer_convert_color", image_kernel("convert_color", convert_color_on_device)},
      {"_cvcopyMakeBorder", one_kernel("image_border", border_on_device)},
      {"_mxinfer_pad_image", one_kernel("image_border", border_on_device)}};
  for (const char* name : {"_image_resize", "_cvimresize", "_mxinfer_resize_short", "_mxinfer_center_crop",
                           "_mxinfer_letterbox"})
    ops.push_back({name, image_kernel("resize", resize_on_device)});
  return ops;
}

}  // namespace mxinfer::ops
