#include "ops/cuda/vision/device_image_chain.h"

#include "ops/cuda/cuda_op.h"
#include "ops/image/image_chain.h"

namespace mxinfer::ops {

using kernels::ResizeForm;
using kernels::cuda::ImageChainArgs;

DeviceImageChain::DeviceImageChain(DType dtype, const kernels::ResizeArgs& resize) : dtype_(dtype) {
  args_.resize = resize;
  args_.src_pixel_step = resize.shape.channels;
  args_.channels = resize.shape.channels;
  if (resize.form == ResizeForm::nearest || resize.form == ResizeForm::taps) {
    add(resize.x_first, resize.shape.dst_width, [](auto& args, auto* table) { args.resize.x_first = table; });
    add(resize.y_first, resize.shape.dst_height,
        [](auto& args, auto* table) { args.resize.y_first = table; });
  }
  if (resize.form == ResizeForm::taps) add_taps();
  if (resize.form == ResizeForm::area) add_shares();
}

DeviceImageChain::DeviceImageChain(DType dtype, std::int64_t height, std::int64_t width,
                                   std::int64_t channels)
    : dtype_(dtype) {
  args_.resize.shape = {height, width, height, width, channels};
  args_.resize.form = ResizeForm::copy;
  args_.channels = channels;
}

template <typename T, typename Set>
void DeviceImageChain::add(const T* values, std::int64_t count, Set set) {
  const std::size_t offset = tables_.add(values, static_cast<std::size_t>(count));
  pointers_.emplace_back(
      [=](ImageChainArgs& args, const device::Buffer& memory) { set(args, table_at<T>(memory, offset)); });
}

void DeviceImageChain::add_taps() {
  const kernels::ResizeArgs& resize = args_.resize;
  const std::int64_t columns = resize.shape.dst_width * resize.taps,
                     rows = resize.shape.dst_height * resize.taps;
  if (dtype_ == DType::uint8) {
    add(resize.x_weight_fixed, columns, [](auto& args, auto* table) { args.resize.x_weight_fixed = table; });
    add(resize.y_weight_fixed, rows, [](auto& args, auto* table) { args.resize.y_weight_fixed = table; });
  } else {
    add(resize.x_weight, columns, [](auto& args, auto* table) { args.resize.x_weight = table; });
    add(resize.y_weight, rows, [](auto& args, auto* table) { args.resize.y_weight = table; });
  }
}

void DeviceImageChain::add_shares() {
  const kernels::ResizeArgs& resize = args_.resize;
  const std::vector<std::int64_t> begins = x_share_begins(resize);
  add(begins.data(), static_cast<std::int64_t>(begins.size()),
      [](auto& args, auto* table) { args.x_share_begin = table; });
  add(resize.x_share, resize.x_share_count, [](auto& args, auto* table) { args.resize.x_share = table; });
  add(resize.y_share, resize.y_share_begin[resize.shape.dst_height],
      [](auto& args, auto* table) { args.resize.y_share = table; });
  add(resize.y_share_begin, resize.shape.dst_height + 1,
      [](auto& args, auto* table) { args.resize.y_share_begin = table; });
}

void DeviceImageChain::convert(kernels::ChainFirst first, const std::vector<kernels::ChainStep>& steps) {
  args_.converts = true;
  args_.first = first;
  const std::int64_t channels = args_.channels;
  if (dtype_ == DType::uint8) {
    std::vector<float> table(static_cast<std::size_t>(channels) * 256);
    kernels::fill_chain_table(first, steps.data(), static_cast<std::int64_t>(steps.size()), channels,
                              table.data());
    add(table.data(), channels * 256, [](auto& args, auto* values) { args.table = values; });
    return;
  }
  std::vector<kernels::ChainOp> ops;
  std::vector<float> numbers;
  for (const kernels::ChainStep& step : steps) {
    ops.push_back(step.op);
    numbers.insert(numbers.end(), step.numbers, step.numbers + channels);
  }
  args_.steps.count = static_cast<int>(ops.size());
  add(ops.data(), static_cast<std::int64_t>(ops.size()),
      [](auto& args, auto* values) { args.steps.ops = values; });
  add(numbers.data(), static_cast<std::int64_t>(numbers.size()),
      [](auto& args, auto* values) { args.steps.numbers = values; });
}

std::shared_ptr<const device::Buffer> DeviceImageChain::place_tables(const device::CudaDevice& device) {
  if (pointers_.empty()) return nullptr;
  std::shared_ptr<const device::Buffer> memory = tables_.copy_to(device);
  for (const SetPointer& set : pointers_) set(args_, *memory);
  return memory;
}

std::function<void(const RunContext&)> DeviceImageChain::run_on(const device::CudaDevice& device) {
  const std::shared_ptr<const device::Buffer> memory = place_tables(device);
  return [args = args_, memory, is_u8 = dtype_ == DType::uint8,
          &kernels = device.kernels()](const RunContext& run) {
    if (is_u8) {
      enqueue(run, kernels.image_chain_u8, args, run.input<std::uint8_t>(0), run.outputs[0]);
    } else {
      enqueue(run, kernels.image_chain_f32, args, run.input<float>(0), run.outputs[0]);
    }
  };
}

std::function<void(const RunContext&)> DeviceImageChain::run_packed_on(const device::CudaDevice& device) {
  const std::shared_ptr<const device::Buffer> memory = place_tables(device);
  return [args = args_, memory, launcher = device.kernels().image_batch](const RunContext& run) {
    enqueue(run, launcher, args, run.input<std::byte>(0), run.outputs[0]);
  };
}

}  // namespace mxinfer::ops
