// The context of an implementation that lowers a node (ops::LowerContext). Records packed weights, subplans
// and aliases in the plan.
//
//   NodeLowering context(graph, types, id, options, device, strides, weights, storage, plan);
//   ops::Step step = implementation.lower(context);
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "plan/lower/node_view.h"
#include "plan/memory/storage.h"
#include "plan/memory/strided_views.h"

namespace mxinfer::plan {

/// The value of a parameter, which the plan keeps from now on.
const Tensor* keep_value(const Parameter& parameter, Plan& plan);

/// All that is given must outlive it.
class NodeLowering : public NodeView<ops::LowerContext> {
 public:
  /// `device` is where the node runs, null: on the CPU.
  NodeLowering(const graph::Graph& graph, const shapes::ValueTypes& types, std::size_t id,
               const PlanOptions& options, std::shared_ptr<device::Device> device, StridedViews& strides,
               WeightStore& weights, Storage& storage, Plan& plan)
      : NodeView(graph, types, id, options),
        device_(std::move(device)),
        strides_(strides),
        weights_(weights),
        storage_(storage),
        plan_(plan) {}

  bool is_on_device() const override { return device_ != nullptr; }
  const Tensor* constant(std::size_t i) const override {
    return is_constant(i) ? keep_value(*parameter(i), plan_) : nullptr;
  }
  const std::byte* packed(std::size_t i, const std::string& packing, std::size_t bytes,
                          const Pack& pack) override {
    return packed_on_device(i, packing, bytes, pack, nullptr);
  }
  const std::byte* packed_on_device(std::size_t i, const std::string& packing, std::size_t bytes,
                                    const Pack& pack, const DevicePack& on_device) override;
  std::shared_ptr<const ops::Subplan> subplan(std::size_t k,
                                              const std::vector<ops::TensorType>& inputs) override;
  void alias(std::size_t o, std::size_t i, std::size_t offset) override {
    storage_.alias(id(), o, i, offset);
    ++aliased_;
  }
  bool alias_strided(std::size_t o, std::size_t i, std::size_t offset, std::int64_t row_stride) override;
  void may_place(std::size_t o, std::size_t i, std::size_t offset) override {
    storage_.may_place_input(id(), o, i, offset);
  }
  void may_overwrite(std::size_t o, std::size_t i) override { storage_.may_overwrite(id(), o, i); }
  void take_zeroed(std::size_t bytes) override { plan_.zeroed_bytes = std::max(plan_.zeroed_bytes, bytes); }

  /// Whether the node has nothing to compute.
  bool all_aliased() const { return aliased_ == num_outputs(); }
  /// The inputs that the step reads in packed form.
  const std::set<std::size_t>& packed_inputs() const { return packed_inputs_; }

 private:
  std::shared_ptr<device::Device> device_;
  StridedViews& strides_;
  WeightStore& weights_;
  Storage& storage_;
  Plan& plan_;
  std::size_t aliased_ = 0;
  std::set<std::size_t> packed_inputs_;
};

}  // namespace mxinfer::plan
