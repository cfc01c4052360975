// Runs operators and graphs on a GPU, or on its emulator, and compares with the CPU's reference.
//
//   expect_as_on_cpu("softmax", {{"axis", "1"}}, {&data});
//   expect_as_on_cpu("FullyConnected", {{"num_hidden", "4"}}, {&data, &weight, &bias}, {.parameters = {1, 2}});
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/cuda/cuda_device.h"
#include "plan/plan.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::test {

struct OnCudaOptions {
  /// Inputs that are parameters of the model (weights), by index.
  std::vector<std::size_t> parameters{};
  bool numpy_shapes = false;  ///< as in a file with is_np_shape
  graph::PostOps post_ops{};
  /// The largest difference of floats, relative to the largest value of the output. 0: the same bits, but of
  /// NaN.
  double tolerance = 1e-5;
  kernels::Precision precision = kernels::Precision::float32;
  std::string kernel{};  ///< the implementation that must compute it; empty: the one that is planned
};
inline const OnCudaOptions kSameBits{.tolerance = 0};

/// One operator as a graph. Fails unless its step runs on cuda:0, with the CPU's results on every schedule of
/// the emulator (one run on a GPU). Floats are compared by tolerance, all other elements by their bits.
void expect_as_on_cpu(const std::string& op, const std::map<std::string, std::string>& attrs,
                      const std::vector<const Tensor*>& inputs, const OnCudaOptions& options = {});

/// A graph as it is. `device_steps` gets how many steps run on the device, if it is not null.
void expect_graph_as_on_cpu(const graph::Graph& graph, const std::vector<const Tensor*>& inputs,
                            double tolerance = 1e-5, int* device_steps = nullptr);

/// Outputs of a type that is not of floats are compared by their bits.
void expect_close(const Tensor& expected, const Tensor& actual, double tolerance, std::size_t output);

/// The operator as a graph, named "test", and the inputs that are no parameters.
struct OneOperator {
  graph::Graph graph;
  std::vector<const Tensor*> inputs;
};
OneOperator one_operator(const std::string& op, const std::map<std::string, std::string>& attrs,
                         const std::vector<const Tensor*>& inputs, const OnCudaOptions& options = {});

/// Whether the node "test" runs on cuda:0.
bool runs_on_cuda(const plan::Plan& plan);

/// tf32, float16 and bfloat16, but for those that cuda:0 lacks.
std::vector<kernels::Precision> lower_precisions();

/// How far the sums of rounded operands may be from those of float32, relative to the largest.
double rounding_tolerance(kernels::Precision precision);

/// Options of a plan whose nodes run on cuda:0 where it has an implementation.
plan::PlanOptions cuda_plan_options();

/// The plan's outputs, after two runs in one executor.
std::vector<Tensor> run_on(const std::shared_ptr<const plan::Plan>& plan,
                           const std::vector<const Tensor*>& inputs);

/// How many recordings were replayed so far, if the emulator counts them.
std::optional<unsigned long long> graph_launches();

/// Copies to a device so far, if the emulator counts them.
struct CopiesToDevice {
  unsigned long long count, bytes;
};
std::optional<CopiesToDevice> copies_to_device();
/// Launches of a kernel, or of all instances of a template ("chain_pixels"), likewise.
std::optional<unsigned long long> launches_of(const char* kernel);

/// Launches of all kernels, and copies and fills of memory, likewise.
std::optional<unsigned long long> all_launches();

/// Sets options of the emulator ("memory=1000"). False if the library is of a GPU, which has none.
bool set_emulator(const char* options);

/// Calls body once for each schedule of the emulator, with the schedule set; once if the library is of a GPU.
void for_each_schedule(const std::function<void()>& body);

}  // namespace mxinfer::test
