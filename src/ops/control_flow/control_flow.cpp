#include "ops/control_flow/control_flow.h"

#include <algorithm>
#include <cstring>

namespace mxinfer::ops {
namespace {

template <typename T>
bool is_true(const void* value) {
  return *static_cast<const T*>(value) != T(0);
}

template <typename T>
bool is_true_half(const void* value) {
  return static_cast<float>(*static_cast<const T*>(value)) != 0.0f;
}

}  // namespace

OpDef control_flow_op(std::string name, std::string summary, const std::vector<const char*>& locations) {
  OpDef op{.name = std::move(name), .summary = std::move(summary)};
  op.attrs = {integer_attr("num_args").at_least(1), integer_attr("num_outputs").at_least(1)};
  for (const char* attribute : locations) op.attrs.push_back(tuple_attr(attribute));
  op.inputs = [](const Attrs&) { return PortNames{{}, false}; };
  op.outputs = [](const Attrs&) { return PortNames{{}, false, "num_outputs"}; };
  return op;
}

bool are_locations(const Locations& locations, std::size_t count) {
  return std::all_of(locations.begin(), locations.end(), [&](std::int64_t location) {
    return location >= 0 && location < static_cast<std::int64_t>(count);
  });
}

void check_locations(const char* attribute, const Locations& locations, std::size_t count) {
  for (std::int64_t location : locations) {
    if (location >= 0 && location < static_cast<std::int64_t>(count)) continue;
    fail(ErrorCode::malformed, "attribute ", attribute, " holds ", location, ": expected 0 to ",
         static_cast<std::int64_t>(count) - 1);
  }
}

std::vector<TensorType> types_at(const Locations& locations, const std::vector<TensorType>& inputs) {
  std::vector<TensorType> types;
  for (std::int64_t location : locations) types.push_back(inputs[static_cast<std::size_t>(location)]);
  return types;
}

void check_state(const char* what, std::size_t index, const TensorType& before, const TensorType& after) {
  if (before == after) return;
  fail(ErrorCode::invalid_argument, what, " ", index, " is ", to_string(before), " and becomes ",
       to_string(after), "; it must keep its shape and dtype from step to step");
}

void check_condition(const std::vector<TensorType>& outputs) {
  if (outputs.size() == 1 && outputs[0].shape.elements() == 1) return;
  fail(ErrorCode::invalid_argument, "the condition gives ",
       outputs.size() == 1 ? to_string(outputs[0]) : concat(outputs.size(), " outputs"),
       "; expected one element");
}

std::size_t count_of(const Attrs& attrs, const char* attribute) {
  return static_cast<std::size_t>(attrs.integer(attribute));
}

std::vector<TensorType> input_types(const LowerContext& context) {
  std::vector<TensorType> types;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) types.push_back(context.input(i));
  return types;
}

Shape with_steps(std::int64_t steps, const Shape& shape) {
  Shape stacked{steps};
  for (std::int64_t dim : shape) stacked.push_back(dim);
  return stacked;
}

TruthFn truth_of(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return is_true<float>;
    case DType::float64:
      return is_true<double>;
    case DType::float16:
      return is_true_half<Half>;
    case DType::bfloat16:
      return is_true_half<BFloat16>;
    case DType::uint8:
    case DType::int8:
    case DType::boolean:
      return is_true<std::uint8_t>;
    case DType::int16:
    case DType::uint16:
      return is_true<std::uint16_t>;
    case DType::int32:
    case DType::uint32:
      return is_true<std::uint32_t>;
    case DType::int64:
    case DType::uint64:
      return is_true<std::uint64_t>;
  }
  fail(ErrorCode::internal, "a condition of dtype ", to_string(dtype));
}

void LoopMemory::place(std::size_t inputs, std::size_t outputs, const std::vector<TensorType>& states,
                       ScratchLayout& layout) {
  sources_ = layout.take<void*>(static_cast<std::int64_t>(inputs));
  destinations_ = layout.take<void*>(static_cast<std::int64_t>(outputs));
  for (const TensorType& type : states) {
    State state;
    state.bytes = bytes_of(type);
    for (std::size_t& buffer : state.buffers)
      buffer = layout.take<std::byte>(static_cast<std::int64_t>(state.bytes));
    states_.push_back(state);
  }
}

const void** LoopMemory::sources(const RunContext& run) const {
  return reinterpret_cast<const void**>(run.scratch + sources_);
}

void** LoopMemory::destinations(const RunContext& run) const {
  return reinterpret_cast<void**>(run.scratch + destinations_);
}

std::byte* LoopMemory::state(const RunContext& run, std::size_t index, std::int64_t step) const {
  return run.scratch + states_[index].buffers[step % 2];
}

void LoopMemory::give_states(const RunContext& run, const Locations& locations, std::size_t first) const {
  const void* const* last = sources(run);
  for (std::size_t s = 0; s < states_.size(); ++s) {
    if (states_[s].bytes > 0) std::memcpy(run.outputs[first + s], last[locations[s]], states_[s].bytes);
  }
}

}  // namespace mxinfer::ops
