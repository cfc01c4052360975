#include "ops/cuda/view_segments.h"

#include <algorithm>

#include "ops/cuda/element_code.h"

namespace mxinfer::ops {
namespace {

namespace cuda = kernels::cuda;
using cuda::ViewSegmentArgs;

/// A segment's dimensions: those that its program walks, and those that repeat its values.
struct SegmentWalk {
  std::vector<std::size_t> walked, repeated;
};

SegmentWalk walk_of(const ViewSegment& segment) {
  SegmentWalk walk;
  for (std::size_t d = 0; d < segment.sizes.size(); ++d) {
    const bool repeats = std::all_of(segment.loads.begin(), segment.loads.end(),
                                     [&](const ViewLoad& load) { return load.strides[d] == 0; });
    // Numbers alone are computed by as many threads as there are elements.
    const bool loops = repeats && !segment.loads.empty() && segment.dst_strides[d] != 1 &&
                       walk.repeated.size() < cuda::kViewRepeats;
    (loops ? walk.repeated : walk.walked).push_back(d);
  }
  return walk;
}

bool divides_four(std::int64_t number) {
  return number % 4 == 0;
}

/// Whether four neighbours are read and stored at once.
bool fits_vectors(const ViewSegmentArgs& args) {
  const auto last = static_cast<std::size_t>(args.program.rank - 1);
  if (!divides_four(args.program.sizes[last]) || args.dst_strides[last] != 1) return false;
  bool fits = divides_four(args.dst_offset);
  for (std::size_t d = 0; d < last; ++d) fits = fits && divides_four(args.dst_strides[d]);
  for (const std::int64_t stride : args.repeat_strides) fits = fits && divides_four(stride);
  for (int i = 0; i < args.program.inputs; ++i) {
    const cuda::ElementwiseInput& input = args.program.input[static_cast<std::size_t>(i)];
    if (input.strides[last] == 0) continue;
    const std::size_t bytes = input.type == kernels::ElementType::float32 ? 16 : 8;
    fits = fits && input.strides[last] == 1 && reinterpret_cast<std::uintptr_t>(input.data) % bytes == 0;
    for (std::size_t d = 0; d < last; ++d) fits = fits && divides_four(input.strides[d]);
  }
  for (int k = 0; k < args.program.instructions; ++k)
    fits = fits && is_common(args.program.program[static_cast<std::size_t>(k)].op);
  return fits;
}

/// Nothing if the kernel has no room for it.
std::optional<ViewSegmentArgs> segment_args(const ViewSegment& segment, const std::vector<TensorType>& inputs,
                                            const TensorType& out) {
  std::vector<ElementCodeInput> loads;
  for (const ViewLoad& load : segment.loads) {
    ElementCodeInput from;
    from.dtype = inputs[load.input].dtype;
    loads.push_back(from);
  }
  TensorType one = out;
  one.shape = Shape{1};
  const ElementCode code = element_code(segment.program, loads, DType::float32, one);
  if (!code.rejects.empty()) return std::nullopt;
  const SegmentWalk walk = walk_of(segment);
  if (walk.walked.size() > static_cast<std::size_t>(cuda::kElementwiseRank)) return std::nullopt;
  ViewSegmentArgs args;
  args.program = *code.args;
  args.program.rank = std::max(1, static_cast<int>(walk.walked.size()));
  args.program.sizes[0] = 1;
  args.dst_offset = segment.dst_offset;
  args.dst_strides[0] = 1;
  for (std::size_t d = 0; d < walk.walked.size(); ++d) {
    args.program.sizes[d] = segment.sizes[walk.walked[d]];
    args.dst_strides[d] = segment.dst_strides[walk.walked[d]];
  }
  for (std::size_t r = 0; r < walk.repeated.size(); ++r) {
    args.repeats[r] = segment.sizes[walk.repeated[r]];
    args.repeat_strides[r] = segment.dst_strides[walk.repeated[r]];
  }
  for (std::size_t i = 0; i < segment.loads.size(); ++i) {
    const ViewLoad& load = segment.loads[i];
    cuda::ElementwiseInput& input = args.program.input[i];
    const auto bytes = static_cast<std::int64_t>(size_of(inputs[load.input].dtype));
    // The kernel adds it to the address of the input.
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    input.data = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(load.offset * bytes));
    args.source[i] = static_cast<std::uint8_t>(load.input);
    for (std::size_t d = 0; d < walk.walked.size(); ++d) input.strides[d] = load.strides[walk.walked[d]];
  }
  args.vectors = fits_vectors(args);
  return args;
}

/// The value that the output reads first: without it, less is left.
std::int32_t first_value(const graph::Graph& graph) {
  const std::int32_t head = graph.heads.at(0).node;
  for (const graph::Value input : graph.nodes[static_cast<std::size_t>(head)].inputs) {
    if (!graph.nodes[static_cast<std::size_t>(input.node)].is_variable()) return input.node;
  }
  return head;
}

}  // namespace

ViewSegments view_segments(const graph::Graph& graph, const std::vector<TensorType>& inputs,
                           const TensorType& out) {
  if (inputs.size() > static_cast<std::size_t>(cuda::kElementwiseInputs)) return {{}, first_value(graph)};
  const ViewProgramOrObstacle made = view_program(graph, inputs);
  if (made.program.empty()) return {{}, made.obstacle};
  ViewSegments result;
  for (const ViewSegment& segment : made.program) {
    const auto args = segment_args(segment, inputs, out);
    if (!args) return {{}, first_value(graph)};
    result.segments.push_back(*args);
  }
  return result;
}

}  // namespace mxinfer::ops
