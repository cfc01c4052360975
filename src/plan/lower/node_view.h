// NodeView: a node of a graph with its types, as implementations see it (ops::OpProblem), and as they lower
// it (ops::LowerContext).
//
//   const NodeProblem problem(graph, types, id, options);
//   ops::Implementations all = ops::cpu_backend().implementations(problem);
#pragma once

#include "graph/graph.h"
#include "ops/op_def.h"
#include "plan/plan.h"
#include "shapes/infer.h"

namespace mxinfer::plan {

/// All that is given must outlive it.
template <typename Base>
class NodeView : public Base {
 public:
  NodeView(const graph::Graph& graph, const shapes::ValueTypes& types, std::size_t id,
           const PlanOptions& options)
      : graph_(graph), types_(types), id_(id), options_(options) {}

  const graph::Node& node() const override { return graph_.nodes[id_]; }
  std::size_t num_inputs() const override { return node().inputs.size(); }
  const ops::TensorType& input(std::size_t i) const override {
    const graph::Value value = node().inputs.at(i);
    return types_[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)];
  }
  std::size_t num_outputs() const override { return types_[id_].size(); }
  const ops::TensorType& output(std::size_t o) const override { return types_[id_].at(o); }
  bool is_constant(std::size_t i) const override { return parameter(i) != nullptr; }
  kernels::Target target() const override { return options_.target; }
  int threads() const override { return options_.threads; }
  kernels::Precision precision() const override { return options_.precision; }

 protected:
  const PlanOptions& options() const { return options_; }
  std::int32_t id() const { return static_cast<std::int32_t>(id_); }
  const std::shared_ptr<const Parameter>& parameter(std::size_t i) const {
    return graph_.nodes[static_cast<std::size_t>(node().inputs.at(i).node)].constant;
  }

 private:
  const graph::Graph& graph_;
  const shapes::ValueTypes& types_;
  std::size_t id_;
  const PlanOptions& options_;
};

using NodeProblem = NodeView<ops::OpProblem>;

}  // namespace mxinfer::plan
