// SequenceMask, SequenceLast, SequenceReverse: sequences of different lengths in one tensor.

#include <algorithm>
#include <cstring>

#include "ops/common/axes.h"
#include "ops/common/constant_step.h"
#include "ops/common/copy_step.h"
#include "ops/elementwise/indices.h"
#include "ops/nn/kernel_args.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kSequenceBytes = 1 << 16;

PortNames sequence_inputs(const Attrs& attrs) {
  return has_lengths(attrs) ? PortNames{{"data", "sequence_length"}} : PortNames{{"data"}};
}

// Checks axis and lengths; data is (steps, batch, ...) for axis 0, (batch, steps, ...) for axis 1.
void check_sequence(const InferContext& context) {
  const std::int64_t axis = context.attrs.integer("axis");
  const Shape& data = context.shape(0);
  require_rank_at_least(data, 2);
  if (axis != 0 && axis != 1) fail(ErrorCode::malformed, "attribute axis=", axis, ": expected 0 or 1");
  if (!has_lengths(context.attrs)) return;
  const std::int64_t batch = data[axis == 0 ? 1 : 0];
  if (context.shape(1) != Shape{batch}) {
    fail(ErrorCode::invalid_argument, "sequence_length has the shape ", to_string(context.shape(1)),
         "; an input of shape ", to_string(data), " needs (", batch, ",)");
  }
}

using SequenceFn = void (*)(const kernels::SequenceArgs&, const std::int64_t*, const std::byte*, std::byte*,
                            std::int64_t, std::int64_t);

Step sequence_step(LowerContext& context, const kernels::SequenceArgs& args, SequenceFn function,
                   const char* name) {
  const bool lengths = has_lengths(context.attrs());
  const IndexInput index = lengths ? IndexInput(context, 1) : IndexInput();
  const std::int64_t row_bytes =
      std::max<std::int64_t>(1, args.inner * static_cast<std::int64_t>(args.element_bytes));
  Step step{.kernel = concat(name, " [ref]"), .reason = "moves elements only"};
  step.scratch_bytes = index.scratch_bytes();
  step.run = [=](const RunContext& run) {
    const std::int64_t* of = lengths ? index.read(run) : nullptr;
    parallel_for(args.inner == 0 ? 0 : args.steps * args.batch,
                 std::max<std::int64_t>(1, kSequenceBytes / row_bytes),
                 [&](std::int64_t begin, std::int64_t end) {
                   function(args, of, run.input<std::byte>(0), run.output<std::byte>(0), begin, end);
                 });
  };
  return step;
}

Step lower_mask(LowerContext& context) {
  if (!has_lengths(context.attrs())) return alias_step(context);
  return sequence_step(context, sequence_args(context), kernels::sequence_mask, "sequence_mask");
}

std::vector<TensorType> infer_reverse(const InferContext& context) {
  check_sequence(context);
  if (context.attrs.integer("axis") != 0) {
    fail(ErrorCode::unsupported, "axis=1: MXNet's SequenceReverse takes axis 0 only");
  }
  return {context.inputs[0]};
}

std::vector<TensorType> infer_last(const InferContext& context) {
  check_sequence(context);
  Shape shape = context.shape(0);
  const auto axis = static_cast<std::size_t>(context.attrs.integer("axis"));
  if (shape[axis] == 0)
    fail(ErrorCode::invalid_argument, "an input of shape ", to_string(shape), " has no last step");
  shape.erase(axis);
  return {{context.dtype(0), shape}};
}

// Without lengths the last step is a slice.
Step lower_last_slice(LowerContext& context, const kernels::SequenceArgs& args) {
  Walk walk;
  const std::int64_t row = args.inner;
  walk.add(args.batch, args.batch_first ? args.steps * row : row, row);
  walk.add(row, 1, 1);
  walk.src_offset = (args.steps - 1) * row * (args.batch_first ? 1 : args.batch);
  return copy_step(context, {{0, 0, walk}});
}

Step lower_last(LowerContext& context) {
  const kernels::SequenceArgs args = sequence_args(context);
  if (!has_lengths(context.attrs())) return lower_last_slice(context, args);
  const IndexInput index(context, 1);
  const kernels::PickArgs pick = last_step_args(args);
  Step step{.kernel = "pick_rows [ref]", .reason = "moves elements only"};
  step.scratch_bytes = static_cast<std::size_t>(index.count()) * sizeof(std::int64_t);
  step.run = [=](const RunContext& run) {
    const std::int64_t* lengths = index.read(run);
    auto* last = reinterpret_cast<std::int64_t*>(run.scratch);
    // Lengths outside of the sequence are cut to it, the smallest number there is included.
    for (std::int64_t b = 0; b < index.count(); ++b) last[b] = std::max<std::int64_t>(lengths[b], 0) - 1;
    kernels::pick_rows(pick, last, run.input<std::byte>(0), run.output<std::byte>(0), 0, index.count());
  };
  return step;
}

OpDef sequence_op(std::string name, std::string summary) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .attrs = {flag_attr("use_sequence_length", false), integer_attr("axis", 0)},
          .inputs = sequence_inputs};
}

}  // namespace

bool has_lengths(const Attrs& attrs) {
  return attrs.flag("use_sequence_length");
}

kernels::SequenceArgs sequence_args(const OpProblem& node) {
  const Shape& data = node.input(0).shape;
  kernels::SequenceArgs args;
  args.batch_first = node.attrs().integer("axis") == 1;
  args.steps = data[args.batch_first ? 1 : 0];
  args.batch = data[args.batch_first ? 0 : 1];
  args.inner = data.elements(2, data.rank());
  args.element_bytes = size_of(node.input(0).dtype);
  if (node.node().op->name == "SequenceMask") {
    const StoredNumber value = stored_number(node.input(0).dtype, node.attrs().number32("value"));
    std::memcpy(args.value, value.bytes, sizeof args.value);
  }
  return args;
}

kernels::PickArgs last_step_args(const kernels::SequenceArgs& args) {
  return {.size = args.steps,
          .mid = args.batch_first ? 1 : args.batch,
          .row_bytes = static_cast<std::size_t>(args.inner) * args.element_bytes};
}

std::vector<OpDef> sequence_ops() {
  OpDef mask = sequence_op("SequenceMask", "data, with `value` in all steps from sequence_length on.");
  mask.aliases = {"_npx_sequence_mask"};
  mask.attrs.push_back(number_attr("value", 0));
  mask.infer = [](const InferContext& context) -> std::vector<TensorType> {
    check_sequence(context);
    return {context.inputs[0]};
  };
  mask.lower = lower_mask;
  mask.unify = unify_first;

  OpDef last = sequence_op("SequenceLast", "The last step of each sequence.");
  last.infer = infer_last;
  last.lower = lower_last;

  OpDef reverse = sequence_op("SequenceReverse",
                              "The first sequence_length steps in reverse order, and the others unchanged.");
  reverse.infer = infer_reverse;
  reverse.unify = unify_first;
  reverse.lower = [](LowerContext& context) {
    return sequence_step(context, sequence_args(context), kernels::sequence_reverse, "sequence_reverse");
  };

  return {mask, last, reverse};
}

}  // namespace mxinfer::ops
