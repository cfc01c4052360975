// What the operators that run subgraphs share: _foreach, _while_loop, _cond.
#pragma once

#include "ops/common/scratch_layout.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Which input an input of a subgraph is, or the other way round: indices out of a tuple attribute.
using Locations = std::vector<std::int64_t>;

/// An operator with num_args, num_outputs and these tuples of locations.
OpDef control_flow_op(std::string name, std::string summary, const std::vector<const char*>& locations);

/// Whether all are below `count`.
bool are_locations(const Locations& locations, std::size_t count);
/// Refuses those that are not.
void check_locations(const char* attribute, const Locations& locations, std::size_t count);
std::vector<TensorType> types_at(const Locations& locations, const std::vector<TensorType>& inputs);
/// Refuses a state or variable that does not keep its type from step to step.
void check_state(const char* what, std::size_t index, const TensorType& before, const TensorType& after);
/// Refuses what is not one output of one element.
void check_condition(const std::vector<TensorType>& outputs);

std::size_t count_of(const Attrs& attrs, const char* attribute);
std::vector<TensorType> input_types(const LowerContext& context);
/// (2, 3) and 8: (8, 2, 3). (The way back is without_batch of tensor/data_desc.h.)
Shape with_steps(std::int64_t steps, const Shape& shape);

/// Whether an element of some dtype is not 0; NaN is not.
using TruthFn = bool (*)(const void* value);
TruthFn truth_of(DType dtype);

/// Where a loop keeps its pointers and its states, of which each has two buffers in turn, so that a body
/// never writes what it reads.
class LoopMemory {
 public:
  void place(std::size_t inputs, std::size_t outputs, const std::vector<TensorType>& states,
             ScratchLayout& layout);

  const void** sources(const RunContext& run) const;  ///< of the body
  void** destinations(const RunContext& run) const;
  std::byte* state(const RunContext& run, std::size_t index, std::int64_t step) const;
  /// Copies the last states, which are the body's sources at `locations`, to the outputs from `first` on.
  void give_states(const RunContext& run, const Locations& locations, std::size_t first) const;

 private:
  struct State {
    std::size_t bytes = 0;
    std::size_t buffers[2] = {};
  };
  std::vector<State> states_;
  std::size_t sources_ = 0, destinations_ = 0;
};

}  // namespace mxinfer::ops
