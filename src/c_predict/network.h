// Network: shared by handles. It holds a model, the file's names of values, and the caller's request.
#pragma once

#include <mxinfer/predictor.h>
#include <mxinfer/tools/inspect.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mxinfer::c_predict {

/// The arguments that a caller creates predictors from.
struct Request {
  std::string symbol_json;
  std::string params;
  std::map<std::string, Shape> shapes;  ///< by key
  std::map<std::string, DType> dtypes;  ///< by key
  /// Inner values: the names of nodes, with an index if several nodes have the name ("conv0#1").
  std::vector<std::string> output_keys;
};

/// Immutable except for lazily created members; thread-safe.
class Network {
 public:
  /// Errors as Model::load_memory, and (invalid_argument) an input that has no shape.
  explicit Network(Request request);

  const Predictor& predictor() const { return *predictor_; }
  const std::vector<DataDesc>& inputs() const { return predictor_->model().signature().inputs; }
  /// Whether the file has a variable of that name.
  bool has_variable(const std::string& name) const { return variables_.count(name) > 0; }
  bool is_parameter(const std::string& name) const { return parameters_.count(name) > 0; }
  /// The number of nodes in the file, including variables, which MXNet counts as steps.
  int nodes() const { return nodes_; }

  /// A predictor that outputs every inner value, followed by the network's outputs, and the nodes of the
  /// values, in order.
  struct Monitored {
    std::optional<Predictor> predictor;
    std::vector<std::string> names;  ///< of the inner values
    std::vector<NodeInfo> nodes;
    std::map<std::string, Tensor> parameters;  ///< by the names of their variables
  };
  const Monitored& monitored() const;

 private:
  /// Those of the file, by name, where the caller's keys make it matter.
  std::set<std::string> stored_parameters() const;
  LoadOptions load_options(const Inspection& report) const;
  void require_shapes() const;

  Request request_;
  std::vector<std::string> outputs_;  ///< requested inner values; empty: the network's own outputs
  std::set<std::string> variables_;
  std::set<std::string> parameters_;
  int nodes_ = 0;
  LoadOptions options_;
  std::optional<Predictor> predictor_;
  mutable std::once_flag once_;
  mutable Monitored monitored_;
};

}  // namespace mxinfer::c_predict
