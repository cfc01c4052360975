// What an operator sees when a node of it is lowered (ops::LowerContext); packed weights, subplans and wishes
// for memory are noted in the plan.
//
//   NodeLowering context(graph, types, id, variant, rows, options, weights, storage, plan);
//   ops::Step step = node.op->lower(context);
#pragma once

#include <set>

#include "ops/op_def.h"
#include "plan/memory/join_rows.h"
#include "plan/memory/storage.h"
#include "plan/plan.h"
#include "plan/shapes/infer.h"

namespace mxinfer::plan {

/// The value of a parameter, which the plan keeps from now on.
const Tensor* keep_value(const Parameter& parameter, Plan& plan);

/// All that is given must outlive it.
class NodeLowering : public ops::LowerContext {
 public:
  NodeLowering(const graph::Graph& graph, const ValueTypes& types, std::size_t id,
               const ops::Variant* variant, RowStrides& rows, const PlanOptions& options,
               WeightStore& weights, Storage& storage, Plan& plan)
      : graph_(graph),
        types_(types),
        id_(id),
        variant_(variant),
        rows_(rows),
        options_(options),
        weights_(weights),
        storage_(storage),
        plan_(plan) {}

  const graph::Node& node() const override { return graph_.nodes[id_]; }
  std::size_t num_inputs() const override { return node().inputs.size(); }
  const ops::TensorType& input(std::size_t i) const override {
    const graph::Value value = node().inputs.at(i);
    return types_[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)];
  }
  std::size_t num_outputs() const override { return types_[id_].size(); }
  const ops::TensorType& output(std::size_t i) const override { return types_[id_].at(i); }
  bool is_constant(std::size_t i) const override { return parameter(i) != nullptr; }
  const Tensor* constant(std::size_t i) const override {
    return is_constant(i) ? keep_value(*parameter(i), plan_) : nullptr;
  }
  kernels::Target target() const override { return options_.target; }
  int threads() const override { return options_.threads; }
  const ops::Variant* variant() const override { return variant_; }

  const std::byte* packed(std::size_t i, const std::string& packing, std::size_t bytes,
                          const Pack& pack) override;
  std::shared_ptr<const ops::Subplan> subplan(std::size_t k,
                                              const std::vector<ops::TensorType>& inputs) override;
  void alias(std::size_t o, std::size_t i, std::size_t offset) override {
    storage_.alias(static_cast<std::int32_t>(id_), o, i, offset);
    ++aliased_;
  }
  void may_hold(std::size_t o, std::size_t i, std::size_t offset) override {
    storage_.may_hold(static_cast<std::int32_t>(id_), o, i, offset);
  }
  void may_overwrite(std::size_t o, std::size_t i) override {
    storage_.may_overwrite(static_cast<std::int32_t>(id_), o, i);
  }
  std::int64_t row_stride() const override { return rows_.of(output_value(0)); }
  std::int64_t input_row_stride() const override { return rows_.of(node().inputs.at(0)); }
  bool alias_rows(std::size_t o, std::size_t i, std::size_t offset, std::int64_t stride) override;
  /// Whether nothing is left to compute.
  bool all_aliased() const { return aliased_ == num_outputs(); }
  /// The inputs that the step reads in packed form.
  const std::set<std::size_t>& packed_inputs() const { return packed_inputs_; }

 private:
  graph::Value output_value(std::size_t o) const {
    return {static_cast<std::int32_t>(id_), static_cast<std::int32_t>(o)};
  }
  const std::shared_ptr<const Parameter>& parameter(std::size_t i) const {
    return graph_.nodes[static_cast<std::size_t>(node().inputs.at(i).node)].constant;
  }

  const graph::Graph& graph_;
  const ValueTypes& types_;
  std::size_t id_;
  const ops::Variant* variant_;
  RowStrides& rows_;
  const PlanOptions& options_;
  WeightStore& weights_;
  Storage& storage_;
  Plan& plan_;
  std::size_t aliased_ = 0;
  std::set<std::size_t> packed_inputs_;
};

}  // namespace mxinfer::plan
