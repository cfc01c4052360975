// Lowers the nodes of a graph to steps: chooses an implementation for each, and records its requests in the
// plan.
//
//   std::vector<Lowered> steps = lower_graph(placement, options, weights, storage, plan);
#pragma once

#include <set>
#include <vector>

#include "plan/lower/device_placement.h"
#include "plan/memory/storage.h"
#include "plan/plan.h"

namespace mxinfer::plan {

/// A step and the node it came from, until storage has decided where its operands are.
struct Lowered {
  std::size_t node;
  std::size_t info;  ///< its index in PlanInfo::steps
  std::size_t cost;  ///< its index in Plan::costs
  ops::Step step;
  std::set<std::size_t> packed_inputs;
};

/// In the order of the nodes. Sets row strides in placement.types. Throws what implementations throw, with
/// the node in front.
std::vector<Lowered> lower_graph(Placement& placement, const PlanOptions& options, WeightStore& weights,
                                 Storage& storage, Plan& plan);

/// The rates of one core for predicting times; nullptr for Target::ref, which is not measured.
const kernels::MachineRates* rates_for(const PlanOptions& options);

}  // namespace mxinfer::plan
