// CudaOp: how a GPU computes an operator: the list of its implementations there, by the operator's name. One
// .cpp file in this folder holds those of one operator or a family, as a function that returns a list of
// CudaOp; cuda_op_list.inc names the function. Their kernels are in kernels/<family>/<family>.cu.
//
//   std::vector<CudaOp> cuda_softmax_ops() {
//     return {{"softmax", softmax_implementations}, {"log_softmax", softmax_implementations}};
//   }
#pragma once

#include "device/cuda/cuda_device.h"
#include "kernels/common/element_type.h"
#include "kernels/common/float_type.h"
#include "ops/half_form.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Those of a node on a device; of several, each states its work. The node's operator is the one that the
/// list names; its types were inferred and have elements.
using CudaImplementationsFn =
    std::function<Implementations(const OpProblem& node, const device::CudaDevice& device)>;
using CudaLowerFn = Step (*)(LowerContext& context, const device::CudaDevice& device);

/// Whether lower() takes an input 0, or writes an output 0, of that shape with rows so far apart.
using CudaStridesFn = bool (*)(const graph::Node& node, const TensorType& type, std::int64_t row_stride);

struct CudaOp {
  std::string name;  ///< OpDef::name
  CudaImplementationsFn implementations;
  CudaStridesFn strided_input = nullptr, strided_output = nullptr;  ///< null: no
  HalfSupport halves{};
};

/// The same with values that are stored in 16 bits.
CudaOp with_halves(CudaOp op, HalfForm form,
                   bool (*reads)(const graph::Node& node, std::size_t input) = nullptr);
/// For HalfSupport::reads: the first input alone.
bool reads_first(const graph::Node& node, std::size_t input);

/// What the operator's traits say of the CPU.
bool strided_input_as_on_cpu(const graph::Node& node, const TensorType& type, std::int64_t row_stride);
bool strided_output_as_on_cpu(const graph::Node& node, const TensorType& type, std::int64_t row_stride);

/// The only implementation of a node. `lower` gets the context alone: what else it needs it captures by
/// value; a device outlives the plans that are made for it.
Implementations only(std::string name, LowerFn lower);
Implementations only(std::string name, CudaLowerFn lower, const device::CudaDevice& device);

/// A node that the device does not compute: it runs on the CPU, and explain says why.
Implementations rejected(std::string name, std::string why);

/// One implementation of every node; of nodes whose inputs and outputs are all float32.
CudaImplementationsFn one_kernel(std::string name, CudaLowerFn lower);
CudaImplementationsFn float32_kernel(std::string name, CudaLowerFn lower);

/// As float32_kernel, but input 0 and the outputs may all be stored in the same 16 bits.
CudaImplementationsFn float_kernel(std::string name, CudaLowerFn lower);

/// As the kernels have it; nothing if it is none of float32, float16 and bfloat16.
std::optional<kernels::FloatType> float_type(DType dtype);
/// That of input 0. Precondition: it has one.
kernels::FloatType data_type(const OpProblem& node);
/// "pool_f16": a kernel of the node's data_type.
std::string of_data_type(std::string_view kernel, const OpProblem& node);

/// Whether the node computes float32, and input 0 and its outputs are stored in one type, the other inputs in
/// float32.
bool has_one_data_type(const OpProblem& node);

bool all_of_type(const OpProblem& node, DType dtype);
/// "its inputs and outputs are not all float32".
std::string not_all_of_type(DType dtype);

/// Calls a launcher with the stream of the run behind the other arguments. Throws if that fails.
template <typename... Params, typename... Args>
void enqueue(const RunContext& run, kernels::cuda::Status (*launcher)(Params...), const Args&... args) {
  const auto& stream = *static_cast<const device::CudaStream*>(run.stream);
  stream.device().check(launcher(args..., stream.native()), "starting a kernel");
}

inline bool has_index_type(const OpProblem& node, std::size_t input) {
  const DType dtype = node.input(input).dtype;
  return dtype == DType::float32 || dtype == DType::int32 || dtype == DType::int64;
}

/// Why another one is rejected.
inline std::string no_index_type(const OpProblem& node, std::size_t input) {
  return concat("indices are ", to_string(node.input(input).dtype), ", not float32, int32 or int64");
}

/// Precondition: has_index_type.
inline kernels::ElementType index_type(const OpProblem& node, std::size_t input) {
  return static_cast<kernels::ElementType>(node.input(input).dtype);
}

}  // namespace mxinfer::ops
