// _mxinfer_image_chain: what a pass makes of a chain of image operators. A task is some rows of one
// image: they are resized into memory of the thread and leave it as the floats that the network reads, so
// that no image in between is ever written.
#include "ops/image/image_chain.h"

#include <algorithm>

#include "image/resize.h"
#include "ops/elementwise/elementwise.h"
#include "ops/image/image_batch.h"

namespace mxinfer::ops {
namespace {

std::int64_t bytes_of(DType dtype) {
  return static_cast<std::int64_t>(size_of(dtype));
}

/// Everything that running needs; steps share it.
class ChainPlan {
 public:
  ChainPlan(ImageChain chain, kernels::Target target);
  ChainPlan(const ChainPlan&) = delete;
  ChainPlan& operator=(const ChainPlan&) = delete;

  std::size_t scratch_bytes() const { return static_cast<std::size_t>(resize_bytes_ + block_bytes_); }
  void run(const RunContext& context) const;
  std::string kernel(kernels::Target target) const;
  std::string reason() const;

 private:
  void choose_conversion(kernels::Target target);
  /// Rows [begin, end) of one image; returns where they are and sets the step from one to the next.
  const std::byte* make_rows(const std::byte* image, std::int64_t begin, std::int64_t end, std::byte* scratch,
                             std::int64_t* row_bytes) const;
  void run_task(const std::byte* src, std::byte* dst, std::int64_t begin, std::int64_t end,
                std::byte* scratch) const;

  ImageChain chain_;
  std::unique_ptr<image::ResizePlan> resize_;
  kernels::ChainArgs args_{};
  kernels::ChainKernels convert_{};
  std::vector<kernels::ChainStep> steps_;
  std::vector<float> table_;
  std::int64_t first_channel_ = 0;  ///< values from a pixel's first to that which its source's first becomes
  std::int64_t src_stride_ = 0;     ///< bytes
  std::int64_t resize_bytes_ = 0;
  std::int64_t block_bytes_ = 0;
  std::int64_t rows_per_task_ = 1;
};

ChainPlan::ChainPlan(ImageChain chain, kernels::Target target) : chain_(std::move(chain)) {
  const Region& window = chain_.window;
  const std::int64_t src_values = chain_.image.width * chain_.channels;
  src_stride_ = src_values * bytes_of(chain_.dtype);
  // Enough rows that starting a task and summing the rows at its border again do not count, enough tasks that
  // threads share one image evenly.
  constexpr std::int64_t kLeastRows = 16, kMostTasks = 16, kLeastValues = 8192;
  const std::int64_t row_values = window.width * chain_.channels;
  rows_per_task_ = std::max(
      {kLeastRows, ceil_div(kLeastValues, row_values), ceil_div(std::int64_t{window.height}, kMostTasks)});
  rows_per_task_ = std::min<std::int64_t>(rows_per_task_, window.height);
  if (chain_.resizes) {
    resize_ = resize_plan_of(chain_, target);
    resize_bytes_ = round_up(static_cast<std::int64_t>(resize_->scratch_bytes()), 64);
    block_bytes_ = rows_per_task_ * row_values * bytes_of(chain_.dtype);
  }
  if (chain_.converts) choose_conversion(target);
}

void ChainPlan::choose_conversion(kernels::Target target) {
  for (ImageChain::Arithmetic& part : chain_.arithmetic) {
    // The kernel counts channels as the source does.
    if (chain_.reversed) std::reverse(part.numbers.begin(), part.numbers.end());
    steps_.push_back({part.op, part.numbers.data()});
  }
  const std::int64_t width = chain_.window.width, channels = chain_.out_channels;
  const std::int64_t plane = width * chain_.window.height;
  args_.width = width;
  args_.src_channels = chain_.channels;
  args_.channels = channels;
  args_.dst_row_step = chain_.planar ? width : width * channels;
  args_.dst_pixel_step = chain_.planar ? 1 : channels;
  args_.dst_channel_step = chain_.planar ? plane : 1;
  if (chain_.reversed) {
    first_channel_ = (channels - 1) * args_.dst_channel_step;
    args_.dst_channel_step = -args_.dst_channel_step;
  }
  if (chain_.flip) args_.dst_row_step = -args_.dst_row_step;
  args_.mirror = chain_.mirror;
  args_.first = chain_.first;
  args_.steps = steps_.data();
  args_.step_count = static_cast<std::int64_t>(steps_.size());
  convert_ = kernels::select_image_chain(element_type(chain_.dtype), args_, target);
  if (convert_.run == nullptr)
    fail(ErrorCode::unsupported, "images of ", to_string(chain_.dtype), " values are not supported");
  if (chain_.dtype == DType::uint8) {
    table_.resize(static_cast<std::size_t>(channels) * 256);
    kernels::fill_chain_table(args_.first, args_.steps, args_.step_count, channels, table_.data());
    args_.table = table_.data();
  }
}

const std::byte* ChainPlan::make_rows(const std::byte* image, std::int64_t begin, std::int64_t end,
                                      std::byte* scratch, std::int64_t* row_bytes) const {
  const std::int64_t pixel_bytes = chain_.channels * bytes_of(chain_.dtype);
  const std::byte* region = image + chain_.region.y * src_stride_ + chain_.region.x * pixel_bytes;
  if (resize_ == nullptr) {
    *row_bytes = src_stride_;
    return region + (chain_.window.y + begin) * src_stride_ + chain_.window.x * pixel_bytes;
  }
  std::byte* block = scratch + resize_bytes_;
  resize_->run_rows(region, block, begin, end, scratch);
  *row_bytes = chain_.window.width * pixel_bytes;
  return block;
}

void ChainPlan::run_task(const std::byte* src, std::byte* dst, std::int64_t begin, std::int64_t end,
                         std::byte* scratch) const {
  std::int64_t src_row_bytes = 0;
  const std::byte* rows = make_rows(src, begin, end, scratch, &src_row_bytes);
  const std::int64_t first_row = chain_.flip ? chain_.window.height - 1 - begin : begin;
  if (chain_.converts) {
    kernels::ChainArgs args = args_;
    args.src_row_step = src_row_bytes / bytes_of(chain_.dtype);
    float* out = reinterpret_cast<float*>(dst) + first_row * std::abs(args.dst_row_step) + first_channel_;
    convert_.run(args, rows, out, end - begin);
    return;
  }
  const std::int64_t pixel_bytes = chain_.channels * bytes_of(chain_.dtype);
  const std::int64_t row_bytes = chain_.window.width * pixel_bytes;
  const std::int64_t dst_row_bytes = chain_.flip ? -row_bytes : row_bytes;
  // A row that is not mirrored is moved as one wide pixel.
  kernels::mirror_rows(rows, dst + first_row * row_bytes, end - begin,
                       chain_.mirror ? chain_.window.width : 1, src_row_bytes, dst_row_bytes,
                       chain_.mirror ? pixel_bytes : row_bytes);
}

void ChainPlan::run(const RunContext& context) const {
  const std::int64_t height = chain_.window.height;
  const std::int64_t tasks = ceil_div(height, rows_per_task_);
  const std::int64_t src_bytes = src_stride_ * chain_.image.height;
  const std::int64_t dst_bytes = height * chain_.window.width * chain_.out_channels *
                                 bytes_of(chain_.converts ? DType::float32 : chain_.dtype);
  parallel_for(chain_.images * tasks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t image = task / tasks, row = task % tasks * rows_per_task_;
      run_task(context.input<std::byte>(0) + image * src_bytes,
               context.output<std::byte>(0) + image * dst_bytes, row, std::min(row + rows_per_task_, height),
               context.my_scratch());
    }
  });
}

std::string ChainPlan::kernel(kernels::Target target) const {
  const char* name = chain_.converts ? (resize_ ? "ResizeCropNormalize" : "CropMirrorNormalize")
                                     : (resize_ ? "FastResizeCropMirror" : "CropMirror");
  kernels::Target used = chain_.converts ? convert_.target : kernels::Target::ref;
  if (resize_) used = std::max(used, resize_->kernel_target());
  return labelled(concat(name, "_", to_string(chain_.dtype)), std::min(used, target));
}

std::string ChainPlan::reason() const {
  std::string text;
  if (resize_) {
    text = concat(resize_->kernel_name(), " of ", chain_.window.width, " x ", chain_.window.height, " of ",
                  chain_.resized.width, " x ", chain_.resized.height, " pixels");
  } else {
    text = concat(chain_.window.width, " x ", chain_.window.height, " pixels of the source");
  }
  if (chain_.converts) {
    text += concat(", ", steps_.size(), " steps by ", convert_.variant, ", to ",
                   chain_.planar ? "channels-first" : "channels-last");
  }
  return text + concat("; ", rows_per_task_, " rows a task");
}

Step lower_chain(LowerContext& context) {
  auto plan =
      std::make_shared<const ChainPlan>(image_chain(context.attrs(), context.input(0)), context.target());
  Step step{.kernel = plan->kernel(context.target()), .reason = plan->reason()};
  step.thread_scratch_bytes = plan->scratch_bytes();
  step.run = [plan = std::move(plan)](const RunContext& run) { plan->run(run); };
  return step;
}

}  // namespace

std::unique_ptr<image::ResizePlan> resize_plan_of(const ImageChain& chain, kernels::Target target) {
  if (!chain.resizes) return nullptr;
  image::ResizePart part;
  part.src_stride = chain.image.width * chain.channels;
  part.x = chain.window.x;
  part.y = chain.window.y;
  part.width = chain.window.width;
  part.height = chain.window.height;
  return std::make_unique<image::ResizePlan>(
      kernels::ResizeShape{chain.region.height, chain.region.width, chain.resized.height, chain.resized.width,
                           chain.channels},
      chain.dtype, chain.interpolation, target, part);
}

std::vector<std::int64_t> x_share_begins(const kernels::ResizeArgs& resize) {
  std::vector<std::int64_t> begins(static_cast<std::size_t>(resize.shape.dst_width) + 1);
  for (std::int64_t s = 0; s < resize.x_share_count; ++s)
    ++begins[static_cast<std::size_t>(resize.x_share[s].dst) + 1];
  for (std::size_t x = 0; x + 1 < begins.size(); ++x) begins[x + 1] += begins[x];
  return begins;
}

std::vector<OpDef> image_chain_ops() {
  OpDef chain{.name = "_mxinfer_image_chain", .made_by_passes = true};
  chain.summary =
      "Made by a pass from successive image operators: takes a region of the image, resizes it, takes a "
      "window, mirrors it, applies arithmetic to each channel, and gives float32.";
  chain.attrs = {
      tuple_attr("region", "None").optional_none(),
      tuple_attr("center", "None").optional_none(),
      tuple_attr("size", "None").optional_none(),
      flag_attr("keep_ratio", false),
      integer_attr("interp", 1),
      tuple_attr("crop", "None").optional_none(),
      tuple_attr("center_crop", "None").optional_none(),
      flag_attr("mirror", false),
      flag_attr("flip", false),
      choice_attr("channels", {"own", "rgb", "bgr"}, "own"),
      choice_attr("first", {"none", "float32", "cast", "to_tensor"}, "none"),
      flag_attr("planar", false),
      text_attr("steps", ""),
      tuple_attr("counts", "()"),
      number_tuple_attr("numbers", "()"),
      integer_attr("rank", 0).at_least(0).at_most(4),
  };
  chain.infer = [](const InferContext& context) -> std::vector<TensorType> {
    return {image_chain(context.attrs, context.inputs[0]).output()};
  };
  chain.lower = lower_chain;

  OpDef batch{.name = "_mxinfer_image_batch", .made_by_passes = true};
  batch.summary =
      "Images of any sizes, packed by the library, each as _mxinfer_image_chain makes it; on GPUs.";
  batch.attrs = chain.attrs;
  batch.attrs.push_back(tuple_attr("like", "()"));
  batch.infer = [](const InferContext& context) -> std::vector<TensorType> {
    const TensorType& packed = context.inputs[0];
    if (packed.dtype != DType::uint8 || packed.shape.rank() != 2)
      fail(ErrorCode::invalid_argument, "packed images are ", to_string(packed),
           "; expected uint8 (n, bytes)");
    return {image_batch_chain(context.attrs, packed.shape[0]).output()};
  };
  batch.lower = [](LowerContext&) -> Step {
    fail(ErrorCode::unsupported, "packed images are unpacked on GPUs alone");
  };
  return {chain, batch};
}

}  // namespace mxinfer::ops
