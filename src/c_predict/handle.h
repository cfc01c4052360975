// A PredictorHandle: its own inputs and outputs, and a shared network.
#pragma once

#include <mxinfer/tensor.h>
#include <mxinfer/tools/stepwise_run.h>
#include <mxnet/c_predict_api.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "c_predict/network.h"

namespace mxinfer::c_predict {

/// An NDArrayHandle, for a monitor.
struct Array {
  explicit Array(Tensor of);
  Tensor tensor;
  std::vector<int> shape;
};

class Handle {
 public:
  /// Creates inputs of these shapes, set to zeros. Throws Error(invalid_argument) for shapes that the network
  /// rejects.
  Handle(std::shared_ptr<const Network> network, std::map<std::string, Shape> shapes);

  /// Creates another handle with some changed shapes; other inputs keep their values.
  std::unique_ptr<Handle> reshaped(const std::map<std::string, Shape>& shapes) const;
  void set_input(const std::string& key, const void* data, std::size_t elements);
  void forward();
  /// Runs up to a step in MXNet's sense; returns how many steps are left.
  int forward_until(int step);
  void get_output(std::size_t index, void* data, std::size_t elements) const;
  DType output_dtype(std::size_t index) const;
  /// Lives until the next call.
  const std::vector<std::uint32_t>& output_shape(std::size_t index);
  void set_monitor(PredMonitorCallback callback, void* user, bool all);

 private:
  std::vector<TensorView> views() const;
  const DataDesc& output_desc(std::size_t index) const;
  void forward_monitored();
  void tell(const std::string& name, const TensorView& value);

  std::shared_ptr<const Network> network_;
  std::map<std::string, Shape> shapes_;
  std::map<std::string, Tensor> inputs_;  ///< by name
  std::vector<DataDesc> output_descs_;
  bool has_fixed_outputs_ = true;  ///< no size depends on values
  std::vector<Tensor> outputs_;
  bool has_outputs_ = false;
  std::vector<std::uint32_t> shape_buffer_;
  std::optional<StepwiseRun> run_;

  PredMonitorCallback monitor_ = nullptr;
  void* monitor_user_ = nullptr;
  bool monitors_all_ = false;
  std::vector<std::unique_ptr<Array>> monitored_;
};

}  // namespace mxinfer::c_predict
