// _mxinfer_view_chain on a GPU: one launch over a table of segments.
#include "ops/cuda/cuda_op.h"
#include "ops/cuda/device_tables.h"
#include "ops/cuda/view_segments.h"

namespace mxinfer::ops {
namespace {

namespace cuda = kernels::cuda;
using cuda::ViewSegmentArgs;

/// Vectors, or elements, of a thread: so many that the threads of about two waves of blocks are busy.
std::int64_t items_of_thread(const std::vector<ViewSegmentArgs>& segments, int multiprocessors) {
  constexpr std::int64_t kBlocksOfMultiprocessor = 8, kMostItems = 8;
  std::int64_t items = 0;
  for (const ViewSegmentArgs& s : segments) items += s.program.elements() / (s.vectors ? 4 : 1);
  return std::clamp<std::int64_t>(items / (multiprocessors * kBlocksOfMultiprocessor * cuda::kViewBlock), 1,
                                  kMostItems);
}

/// Gives each segment its blocks; returns how many there are.
std::int64_t place_blocks(std::vector<ViewSegmentArgs>& segments, int multiprocessors) {
  const std::int64_t items = items_of_thread(segments, multiprocessors);
  std::int64_t blocks = 0;
  for (ViewSegmentArgs& s : segments) {
    s.block_elements = items * cuda::kViewBlock * (s.vectors ? 4 : 1);
    s.elements = s.program.elements();
    s.first_block = blocks;
    blocks += (s.program.elements() + s.block_elements - 1) / s.block_elements;
  }
  return blocks;
}

Step chain_step(std::vector<ViewSegmentArgs> segments, std::size_t inputs, const device::CudaDevice& device) {
  Step step{.kernel = "view_segments"};
  step.reason = concat("elements are read where they lie, in ", segments.size(),
                       segments.size() == 1 ? " segment" : " segments");
  for (const ViewSegmentArgs& s : segments)
    step.flops += static_cast<double>(s.program.elements()) * s.program.instructions;
  cuda::ViewSegmentsArgs args;
  args.count = static_cast<int>(segments.size());
  args.blocks = static_cast<unsigned>(place_blocks(segments, device.properties().multiprocessors));
  DeviceTables tables;
  const std::size_t at = tables.add(segments.data(), segments.size());
  step.run = [args, at, inputs, memory = tables.copy_to(device), &device](const RunContext& run) {
    cuda::ViewSegmentsArgs now = args;
    now.segments = table_at<ViewSegmentArgs>(*memory, at);
    for (std::size_t i = 0; i < inputs; ++i) now.inputs[i] = run.inputs[i];
    now.dst = run.outputs[0];
    enqueue(run, device.kernels().view_segments, now);
  };
  return step;
}

Implementations view_chain_implementations(const OpProblem& node, const device::CudaDevice& device) {
  std::vector<TensorType> inputs;
  for (std::size_t i = 0; i < node.num_inputs(); ++i) {
    inputs.push_back(node.input(i));
    if (arithmetic_type(inputs.back()) != DType::float32)
      return rejected("view_segments", not_all_of_type(DType::float32));
  }
  ViewSegments made = view_segments(*node.node().subgraphs.at(0), inputs, node.output(0));
  if (made.segments.empty()) return rejected("view_segments", "its elements follow no strides");
  return only("view_segments", [segments = std::move(made.segments), count = inputs.size(),
                                &device](LowerContext&) { return chain_step(segments, count, device); });
}

}  // namespace

std::vector<CudaOp> cuda_view_chain_ops() {
  return {with_halves({"_mxinfer_view_chain", view_chain_implementations}, HalfForm::any_type)};
}

}  // namespace mxinfer::ops
