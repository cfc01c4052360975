// _mxinfer_elementwise_chain: what a pass makes of element-wise operators between which no value
// leaves. Its subgraph holds them as they were. They run as one loop over blocks of the output: what passes
// from instruction to instruction stays in a core's first-level cache, and memory is read and written once.
// Values of fewer elements than the output, such as the gate of each channel, are computed in full before it.
#include <algorithm>

#include "kernels/elementwise/binary.h"
#include "ops/common/broadcast.h"
#include "ops/common/scratch_layout.h"
#include "ops/elementwise/element_function.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

using kernels::ElementType;

constexpr std::int64_t kChainBlock = 1024;
/// Slots begin in different places of a page, so that reading one does not wait for a write to another.
constexpr std::int64_t kSlotStride = kChainBlock + 32;

/// Where an operand is while the loop runs.
struct Place {
  enum class Kind : std::uint8_t {
    number,
    input,
    scratch,  ///< a value computed before the loop
    slot,     ///< a block in this thread's memory
    output
  };
  Kind kind = Kind::input;
  std::size_t index = 0;  ///< of the input; of the first element in scratch memory; of the slot
  float number = 0;
  std::int64_t elements = 1;
};

/// An instruction, chosen and placed.
struct Stage {
  kernels::UnaryFn unary = nullptr;
  kernels::UnaryParams params{};
  kernels::BinaryFn binary = nullptr;
  kernels::Target target = kernels::Target::ref;  ///< whose instructions the function uses
  std::vector<Place> from;
  Place to;
  /// Set if an operand has fewer elements than the result and is repeated.
  std::optional<Broadcast<2>> walk{};

  bool follows(std::size_t i) const { return from[i].elements == to.elements; }
  void run(const RunContext& context, float* slots, std::int64_t begin, std::int64_t end) const;
};

const float* address(const Place& place, const RunContext& context, const float* slots, std::int64_t at) {
  switch (place.kind) {
    case Place::Kind::input:
      return context.input<float>(place.index) + at;
    case Place::Kind::scratch:
      return reinterpret_cast<const float*>(context.scratch) + place.index + at;
    case Place::Kind::slot:
      return slots + static_cast<std::int64_t>(place.index) * kSlotStride;
    case Place::Kind::output:
      return context.output<float>(0) + at;
    case Place::Kind::number:
      break;
  }
  return &place.number;
}

void Stage::run(const RunContext& context, float* slots, std::int64_t begin, std::int64_t end) const {
  const auto side = [&](std::size_t i) { return address(from[i], context, slots, follows(i) ? begin : 0); };
  auto* dst = const_cast<float*>(address(to, context, slots, begin));
  const float* a = side(0);
  if (unary != nullptr) {
    unary(a, dst, end - begin, params);
    return;
  }
  const float* b = side(1);
  if (!walk) {
    binary(a, b, dst, end - begin);
    return;
  }
  const bool a_follows = follows(0), b_follows = follows(1);
  walk->rows(begin, end, [&](const std::array<std::int64_t, 2>& at, std::int64_t row, std::int64_t n) {
    const std::int64_t offset = row - begin;
    binary(a + (a_follows ? offset : at[0]), b + (b_follows ? offset : at[1]), dst + offset, n);
  });
}

/// Slots for values, each free again behind the last reader.
class Slots {
 public:
  std::size_t take() {
    if (free_.empty()) return count_++;
    const std::size_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_back(std::size_t slot) { free_.push_back(slot); }
  std::size_t count() const { return count_; }

 private:
  std::vector<std::size_t> free_;
  std::size_t count_ = 0;
};

struct Loop {
  std::vector<Stage> before;
  std::vector<Stage> stages;
  std::int64_t count = 0;
  std::int64_t grain = kElementGrain;
  std::size_t scratch_bytes = 0, thread_scratch_bytes = 0;
  /// The best of the stages'.
  kernels::Target target = kernels::Target::ref;

  void run(const RunContext& context) const;
};

void Loop::run(const RunContext& context) const {
  for (const Stage& stage : before) {
    parallel_for(stage.to.elements, kElementGrain,
                 [&](std::int64_t begin, std::int64_t end) { stage.run(context, nullptr, begin, end); });
  }
  parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
    auto* slots = reinterpret_cast<float*>(context.my_scratch());
    for (std::int64_t i = begin; i < end; i += kChainBlock) {
      for (const Stage& stage : stages) stage.run(context, slots, i, std::min(i + kChainBlock, end));
    }
  });
}

class Builder {
 public:
  Builder(const ElementProgram& program, const std::vector<Shape>& inputs, kernels::Target target)
      : program_(program), inputs_(inputs), target_(target), last_reader_(program.size(), 0) {
    for (std::size_t i = 0; i < program.size(); ++i) {
      for (const ElementOperand& operand : program[i].operands) {
        if (operand.kind == ElementOperand::Kind::result) last_reader_[operand.index] = i;
      }
    }
  }

  /// Nothing if a function has no kernel.
  std::shared_ptr<const Loop> build() {
    auto loop = std::make_shared<Loop>();
    loop->count = program_.back().shape.elements();
    for (std::size_t i = 0; i < program_.size(); ++i) {
      const bool is_before = program_[i].shape.elements() < loop->count;
      std::optional<Stage> stage = chosen(program_[i]);
      if (!stage) return nullptr;
      loop->target = std::max(loop->target, stage->target);
      if (!is_before) release_operands(i);
      stage->to = place_result(i, is_before);
      places_.push_back(stage->to);
      (is_before ? loop->before : loop->stages).push_back(std::move(*stage));
    }
    // As much work in a piece as that of one operator, but for a few blocks at least.
    const std::int64_t share = kElementGrain / static_cast<std::int64_t>(loop->stages.size());
    loop->grain = std::max(4 * kChainBlock, share / kChainBlock * kChainBlock);
    loop->scratch_bytes = scratch_.bytes();
    loop->thread_scratch_bytes = slots_.count() * static_cast<std::size_t>(kSlotStride) * sizeof(float);
    return loop;
  }

 private:
  std::optional<Stage> chosen(const ElementInstruction& instruction) const {
    Stage stage;
    for (const ElementOperand& operand : instruction.operands) stage.from.push_back(place_of(operand));
    if (stage.from.size() == 1) {
      const auto kernel = kernels::select_unary(instruction.function, ElementType::float32, target_);
      stage.unary = kernel.run;
      stage.target = kernel.target;
      stage.params = instruction.params;
      return stage.unary != nullptr ? std::optional(std::move(stage)) : std::nullopt;
    }
    const auto kernel = kernels::select_binary(instruction.function, ElementType::float32, target_);
    const auto is_number = [&](std::size_t i) { return stage.from[i].kind == Place::Kind::number; };
    bool a_advances = !is_number(0), b_advances = !is_number(1);
    const std::int64_t count = instruction.shape.elements();
    if (a_advances && b_advances && (stage.from[0].elements < count || stage.from[1].elements < count)) {
      const Shape a = shape_of(instruction.operands[0]), b = shape_of(instruction.operands[1]);
      stage.walk.emplace(std::array<const Shape*, 2>{&a, &b}, instruction.shape);
      a_advances = stage.walk->advances(0);
      b_advances = stage.walk->advances(1);
    }
    stage.binary = binary_loop(kernel, a_advances, b_advances);
    stage.target = kernel.target;
    return stage.binary != nullptr ? std::optional(std::move(stage)) : std::nullopt;
  }

  Shape shape_of(const ElementOperand& operand) const {
    return operand.kind == ElementOperand::Kind::input ? inputs_[operand.index]
                                                       : program_[operand.index].shape;
  }

  Place place_of(const ElementOperand& operand) const {
    switch (operand.kind) {
      case ElementOperand::Kind::input:
        return {Place::Kind::input, operand.index, 0, inputs_[operand.index].elements()};
      case ElementOperand::Kind::result:
        return places_[operand.index];
      case ElementOperand::Kind::number:
        break;
    }
    return {Place::Kind::number, 0, static_cast<float>(operand.number), 1};
  }

  /// The result may take the slot of an operand that no operator reads later: kernels work in place.
  void release_operands(std::size_t reader) {
    std::vector<std::size_t> ending;
    for (const ElementOperand& operand : program_[reader].operands) {
      if (operand.kind != ElementOperand::Kind::result || last_reader_[operand.index] != reader) continue;
      const Place& place = places_[operand.index];
      if (place.kind == Place::Kind::slot &&
          std::find(ending.begin(), ending.end(), place.index) == ending.end())
        ending.push_back(place.index);
    }
    for (std::size_t slot : ending) slots_.give_back(slot);
  }

  Place place_result(std::size_t i, bool is_before) {
    const std::int64_t elements = program_[i].shape.elements();
    if (is_before) {
      return {Place::Kind::scratch, scratch_.take<float>(elements) / sizeof(float), 0, elements};
    }
    if (i + 1 == program_.size()) return {Place::Kind::output, 0, 0, elements};
    return {Place::Kind::slot, slots_.take(), 0, elements};
  }

  const ElementProgram& program_;
  const std::vector<Shape>& inputs_;
  kernels::Target target_;
  std::vector<std::size_t> last_reader_;
  std::vector<Place> places_;
  Slots slots_;
  ScratchLayout scratch_;
};

bool all_float32(const LowerContext& ctx) {
  for (std::size_t i = 0; i < ctx.num_inputs(); ++i) {
    if (ctx.input(i).dtype != DType::float32) return false;
  }
  return ctx.output(0).dtype == DType::float32;
}

/// The loop; nothing if it cannot compute these.
std::optional<Step> lower_loop(LowerContext& ctx) {
  if (!all_float32(ctx) || ctx.num_outputs() != 1) return std::nullopt;
  std::vector<Shape> inputs;
  for (std::size_t i = 0; i < ctx.num_inputs(); ++i) inputs.push_back(ctx.input(i).shape);
  const auto program = element_program(*ctx.node().subgraphs.at(0), inputs);
  if (!program) return std::nullopt;
  const auto loop = Builder(*program, inputs, ctx.target()).build();
  if (!loop) return std::nullopt;
  // Such an input is read at the place that is written next, and nowhere else.
  allow_overwriting(ctx, inputs.size());
  Step step{.kernel = labelled("elementwise_chain_f32", loop->target)};
  step.reason = concat(program->size(), " functions, block by block: ", to_text(*program));
  step.scratch_bytes = loop->scratch_bytes;
  step.thread_scratch_bytes = loop->thread_scratch_bytes;
  for (const ElementInstruction& instruction : *program)
    step.flops += static_cast<double>(instruction.shape.elements());
  step.run = [loop](const RunContext& run) { loop->run(run); };
  return step;
}

/// The operators as they were, one after another.
Step lower_each(LowerContext& ctx) {
  std::vector<TensorType> inputs;
  for (std::size_t i = 0; i < ctx.num_inputs(); ++i) inputs.push_back(ctx.input(i));
  const auto body = ctx.subplan(0, inputs);
  Step step{.kernel = "one operator after another", .reason = "the loop over blocks is for float32"};
  step.scratch_bytes = body->workspace_bytes();
  step.thread_scratch_bytes = body->thread_scratch_bytes();
  step.flops = body->flops();
  step.run = [body](const RunContext& run) { body->run(run.inputs, run.outputs, run.scratch, run); };
  return step;
}

bool chain_follows_bfloat16(const graph::Node& node) {
  const std::vector<graph::Node>& nodes = node.subgraphs.at(0)->nodes;
  return std::all_of(nodes.begin(), nodes.end(),
                     [](const graph::Node& inner) { return inner.op == nullptr || follows_bfloat16(inner); });
}

// What the operators of its subgraph tell of each other.
void unify_chain(const graph::Node& node, PartialShapes& inputs, PartialShapes& outputs,
                 CompleteSubgraph complete) {
  const graph::Graph& body = *node.subgraphs.at(0);
  if (body.heads.size() == 1 && outputs.size() == 1) complete(body, inputs, outputs);
}

}  // namespace

std::vector<OpDef> elementwise_chain_ops() {
  OpDef op{.name = "_mxinfer_elementwise_chain", .made_by_passes = true};
  op.summary = "Made by a pass: runs the element-wise operators of its subgraph as one loop.";
  op.inputs = any_ports();
  op.subgraphs = 1;
  op.traits.elementwise = Elementwise::broadcast;
  op.traits.channels_last = [](LayoutRewriter&, std::size_t) { return false; };  // made behind that pass
  op.traits.follows_bfloat16 = chain_follows_bfloat16;
  op.unify_subgraphs = unify_chain;
  op.infer = [](const InferContext& ctx) { return ctx.infer_subgraph(0, ctx.inputs); };
  op.lower = [](LowerContext& ctx) {
    if (auto step = lower_loop(ctx)) return *std::move(step);
    return lower_each(ctx);
  };
  return {std::move(op)};
}

}  // namespace mxinfer::ops
