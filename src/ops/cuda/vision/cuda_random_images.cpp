// Random changes of images: flips, crops of one size, brightness and colour; _image_adjust_lighting. A run
// takes the next number of a counter in the device's memory, so that recorded work that is replayed draws
// other numbers.
#include "image/resize.h"
#include "kernels/image/random_image_cuda.h"
#include "ops/cuda/cuda_op.h"
#include "ops/cuda/device_tables.h"
#include "ops/cuda/vision/device_image_chain.h"
#include "ops/image/image_kernels.h"
#include "ops/random/random_draws.h"

namespace mxinfer::ops {
namespace {

namespace cuda = kernels::cuda;

/// A step's draws, and the memory of its counter.
struct DeviceRuns {
  DeviceRuns(const LowerContext& context, const device::CudaDevice& device) {
    const unsigned long long none = 0;
    DeviceTables tables;
    tables.add(&none, 1);
    memory = tables.copy_to(device);
    runs.key = RandomSource(context).key();
    runs.count = reinterpret_cast<unsigned long long*>(memory->data());
  }

  cuda::RandomRuns runs;
  std::shared_ptr<const device::Buffer> memory;
};

cuda::RandomWindows whole_images(const ImageShape& image) {
  return {.images = image.images,
          .channels = image.channels,
          .src_height = image.height,
          .src_width = image.width,
          .height = image.height,
          .width = image.width};
}

Step flip_on_device(LowerContext& context, const device::CudaDevice& device) {
  cuda::RandomWindows args = whole_images(image_shape(context.input(0).shape));
  args.mirrors = context.node().op->name == "_image_random_flip_left_right";
  args.flips = !args.mirrors;
  Step step{.kernel = "random_windows", .reason = "moves elements only"};
  step.scratch_bytes = cuda::random_windows_scratch(args.images);
  step.run = [args, draws = DeviceRuns(context, device), bytes = size_of(context.input(0).dtype),
              windows = device.kernels().random_windows](const RunContext& run) {
    enqueue(run, windows, args, draws.runs, bytes, run.inputs[0], run.outputs[0], run.scratch);
  };
  return step;
}

/// The parts of all images, one behind another, to the size of the output.
std::function<void(const RunContext&)> resize_parts(const cuda::RandomWindows& parts, const ResizeJob& job,
                                                    DType dtype, const device::CudaDevice& device) {
  const image::ResizePlan plan({parts.height, parts.width, job.to.height, job.to.width, parts.channels},
                               dtype, job.interpolation, kernels::Target::ref);
  DeviceImageChain chain(dtype, plan.args());
  cuda::ImageChainArgs& args = chain.args();
  args.images = parts.images;
  args.src_offset = plan.src_offset();
  args.src_image_step = parts.height * parts.width * parts.channels;
  args.dst_pixel_step = parts.channels;
  args.dst_row_step = job.to.width * parts.channels;
  args.dst_image_step = job.to.height * args.dst_row_step;
  return chain.run_on(device);
}

Step crop_on_device(LowerContext& context, const device::CudaDevice& device) {
  const TensorType& input = context.input(0);
  const ImageShape image = image_shape(input.shape);
  const ResizeJob job = random_crop_job(context.attrs(), image);
  const auto &across = context.attrs().number_tuple("xrange"), &down = context.attrs().number_tuple("yrange");
  cuda::RandomWindows args = whole_images(image);
  args.height = job.from.height;
  args.width = job.from.width;
  args.moves = true;
  args.x_low = static_cast<float>(across[0]), args.x_high = static_cast<float>(across[1]);
  args.y_low = static_cast<float>(down[0]), args.y_high = static_cast<float>(down[1]);
  const bool resizes = job.from.height != job.to.height || job.from.width != job.to.width;
  std::function<void(const RunContext&)> resize;
  if (resizes) resize = resize_parts(args, job, input.dtype, device);
  const std::size_t bytes = size_of(input.dtype), drawn = cuda::random_windows_scratch(args.images);
  const std::int64_t cut = args.images * args.height * args.width * args.channels;
  Step step{.kernel = "random_windows"};
  step.reason = resizes ? "parts are cut out, then resized" : "moves elements only";
  step.scratch_bytes = drawn + (resizes ? static_cast<std::size_t>(cut) * bytes : 0);
  step.run = [=, draws = DeviceRuns(context, device),
              windows = device.kernels().random_windows](const RunContext& run) {
    std::byte* parts = resizes ? run.scratch + drawn : run.output<std::byte>(0);
    enqueue(run, windows, args, draws.runs, bytes, run.inputs[0], static_cast<void*>(parts), run.scratch);
    if (!resizes) return;
    const void* const inputs[] = {parts};
    RunContext of_parts = run;
    of_parts.inputs = inputs;
    resize(of_parts);
  };
  return step;
}

Step effects_on_device(LowerContext& context, const device::CudaDevice& device) {
  const TensorType& input = context.input(0);
  const ImageShape image = image_shape(input.shape);
  const cuda::ChangedImages args{image.images, image.height * image.width, image.channels};
  context.may_overwrite(0, 0);
  Step step{.kernel = concat("image_effects_", to_string(input.dtype)), .reason = "pixel by pixel"};
  step.scratch_bytes = cuda::image_effects_scratch(image.images);
  step.run = [=, draws = DeviceRuns(context, device), type = static_cast<kernels::ElementType>(input.dtype),
              of = effect_draws(context.node().op->name, context.attrs()),
              effects = device.kernels().image_effects](const RunContext& run) {
    enqueue(run, effects, args, of, draws.runs, type, run.inputs[0], run.outputs[0], run.scratch);
  };
  return step;
}

CudaImplementationsFn of_images(const char* name, CudaLowerFn lower) {
  return [=](const OpProblem& node, const device::CudaDevice& device) {
    const DType dtype = node.input(0).dtype;
    if (dtype == DType::uint8 || dtype == DType::float32) return only(name, lower, device);
    return rejected(name, concat("images of ", to_string(dtype), ", not uint8 or float32"));
  };
}

}  // namespace

std::vector<CudaOp> cuda_random_image_ops() {
  std::vector<CudaOp> ops{{"_image_random_crop", of_images("random_windows", crop_on_device)}};
  for (const char* name : {"_image_random_flip_left_right", "_image_random_flip_top_bottom"})
    ops.push_back({name, one_kernel("random_windows", flip_on_device)});
  for (const char* name : {"_image_adjust_lighting", "_image_random_brightness", "_image_random_contrast",
                           "_image_random_saturation", "_image_random_hue", "_image_random_color_jitter",
                           "_image_random_lighting"})
    ops.push_back({name, of_images("image_effects", effects_on_device)});
  return ops;
}

}  // namespace mxinfer::ops
