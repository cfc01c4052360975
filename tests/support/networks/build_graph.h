// Builds small graphs in tests, and runs them.
//
//   test::GraphBuilder b;
//   auto x = b.input("data");
//   auto y = b.op("Activation", {{"act_type", "relu"}}, {x});
//   b.head(y);
//   auto outputs = test::run_graph(b.graph(), {&data});
#pragma once

#include <mxinfer/tensor.h>

#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "kernels/common/target.h"
#include "plan/schedule/branches.h"

namespace mxinfer::test {

class GraphBuilder {
 public:
  graph::Value input(const std::string& name);
  graph::Value parameter(const std::string& name, Tensor value);
  /// The name of a node is that of its operator and its id, unless one is given.
  graph::Value op(const std::string& op, const std::map<std::string, std::string>& attrs,
                  const std::vector<graph::Value>& inputs, const std::string& name = "");
  void head(graph::Value value) { graph_.heads.push_back(value); }
  graph::Graph& graph() { return graph_; }

 private:
  graph::Graph graph_;
  std::int32_t inputs_ = 0;
};

struct RunGraphOptions {
  kernels::Target target = kernels::best_target();
  int threads = 1;
  plan::Branches branches = plan::Branches::where_it_pays;
  /// Filled with the chosen kernel of each node, by its name, if not null.
  std::map<std::string, std::string>* kernels = nullptr;
};

/// Makes a plan and runs it once.
std::vector<Tensor> run_graph(const graph::Graph& graph, const std::vector<const Tensor*>& inputs,
                              const RunGraphOptions& options = {});

/// The nodes that are operators, by MXNet's names, in order.
std::vector<std::string> op_names(const graph::Graph& graph);

}  // namespace mxinfer::test
