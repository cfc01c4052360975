#include "ops/cuda/cuda_backend.h"

#include <map>
#include <mutex>

#include "ops/backend.h"
#include "ops/cuda/cuda_op.h"

namespace mxinfer::ops {

Implementations only(std::string name, LowerFn lower) {
  return {{}, {{.name = std::move(name), .lower = std::move(lower)}}};
}

Implementations only(std::string name, CudaLowerFn lower, const device::CudaDevice& device) {
  return only(std::move(name), [lower, &device](LowerContext& context) { return lower(context, device); });
}

Implementations rejected(std::string name, std::string why) {
  return {{}, {{.name = std::move(name), .rejects = std::move(why)}}};
}

CudaImplementationsFn one_kernel(std::string name, CudaLowerFn lower) {
  return [name = std::move(name), lower](const OpProblem&, const device::CudaDevice& device) {
    return only(name, lower, device);
  };
}

CudaImplementationsFn float32_kernel(std::string name, CudaLowerFn lower) {
  return [name = std::move(name), lower](const OpProblem& node, const device::CudaDevice& device) {
    if (!all_of_type(node, DType::float32)) return rejected(name, not_all_of_type(DType::float32));
    return only(name, lower, device);
  };
}

CudaImplementationsFn float_kernel(std::string name, CudaLowerFn lower) {
  return [name = std::move(name), lower](const OpProblem& node, const device::CudaDevice& device) {
    if (!has_one_data_type(node)) return rejected(name, not_all_of_type(DType::float32));
    return only(of_data_type(name, node), lower, device);
  };
}

bool has_one_data_type(const OpProblem& node) {
  const DType stored = node.input(0).dtype;
  if (arithmetic_type(node.input(0)) != DType::float32) return false;
  for (std::size_t i = 1; i < node.num_inputs(); ++i) {
    if (node.input(i).dtype != DType::float32) return false;
  }
  for (std::size_t o = 0; o < node.num_outputs(); ++o) {
    if (arithmetic_type(node.output(o)) != DType::float32 || node.output(o).dtype != stored) return false;
  }
  return true;
}

std::optional<kernels::FloatType> float_type(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return kernels::FloatType::float32;
    case DType::float16:
      return kernels::FloatType::float16;
    case DType::bfloat16:
      return kernels::FloatType::bfloat16;
    default:
      return std::nullopt;
  }
}

kernels::FloatType data_type(const OpProblem& node) {
  return float_type(node.input(0).dtype).value_or(kernels::FloatType::float32);
}

std::string of_data_type(std::string_view kernel, const OpProblem& node) {
  return concat(kernel, "_", kernels::short_name(data_type(node)));
}

CudaOp with_halves(CudaOp op, HalfForm form, bool (*reads)(const graph::Node&, std::size_t)) {
  op.halves.form = form;
  op.halves.reads = reads;
  return op;
}

bool reads_first(const graph::Node&, std::size_t input) {
  return input == 0;
}

bool all_of_type(const OpProblem& node, DType dtype) {
  for (std::size_t i = 0; i < node.num_inputs(); ++i) {
    if (node.input(i).dtype != dtype) return false;
  }
  for (std::size_t o = 0; o < node.num_outputs(); ++o) {
    if (node.output(o).dtype != dtype) return false;
  }
  return true;
}

std::string not_all_of_type(DType dtype) {
  return concat("its inputs and outputs are not all ", to_string(dtype));
}

bool strided_input_as_on_cpu(const graph::Node& node, const TensorType& type, std::int64_t row_stride) {
  return cpu_backend().takes_strided_input(node, type, row_stride);
}
bool strided_output_as_on_cpu(const graph::Node& node, const TensorType& type, std::int64_t row_stride) {
  return cpu_backend().takes_strided_output(node, type, row_stride);
}

#define MXINFER_CUDA_OPS(family) std::vector<CudaOp> family();
#include "ops/cuda/cuda_op_list.inc"
#undef MXINFER_CUDA_OPS

namespace {

using CudaOps = std::map<std::string, CudaOp>;

/// The operators that read and write values in 16 bits on tensor cores, if their kernels take the node.
constexpr const char* kProducts[] = {"Convolution",
                                     "_mxinfer_convolution_nhwc",
                                     "Deconvolution",
                                     "FullyConnected",
                                     "dot",
                                     "batch_dot",
                                     "_linalg_gemm2",
                                     "_npi_matmul",
                                     "_np_dot",
                                     "_npi_tensordot",
                                     "_npi_tensordot_int_axes"};

/// Both factors, and what is added behind them; not the bias.
bool reads_operands(const graph::Node& node, std::size_t input) {
  return input < 2 || (node.post_ops.residual && input + 1 == node.inputs.size());
}

void add(CudaOps& all, const std::vector<CudaOp>& family) {
  for (const CudaOp& op : family) all.emplace(op.name, op);
}

const CudaOps& cuda_ops() {
  // Never destroyed: destructors of a program's static objects may still predict.
  static const CudaOps& all = *[] {
    auto* ops = new CudaOps;
#define MXINFER_CUDA_OPS(family) add(*ops, family());
#include "ops/cuda/cuda_op_list.inc"
#undef MXINFER_CUDA_OPS
    for (const char* name : kProducts)
      ops->at(name) = with_halves(ops->at(name), HalfForm::product, reads_operands);
    return ops;
  }();
  return all;
}

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(const device::CudaDevice& device) : device_(device) {}
  std::string_view name() const override { return "cuda"; }
  Implementations implementations(const OpProblem& node) const override {
    const CudaOp* op = find(node.node());
    return op == nullptr ? Implementations{} : op->implementations(node, device_);
  }
  bool takes_strided_input(const graph::Node& node, const TensorType& type,
                           std::int64_t row_stride) const override {
    const CudaOp* op = find(node);
    return op != nullptr && op->strided_input != nullptr && op->strided_input(node, type, row_stride);
  }
  bool takes_strided_output(const graph::Node& node, const TensorType& type,
                            std::int64_t row_stride) const override {
    const CudaOp* op = find(node);
    return op != nullptr && op->strided_output != nullptr && op->strided_output(node, type, row_stride);
  }
  HalfSupport half_support(const graph::Node& node) const override {
    const CudaOp* op = find(node);
    return op == nullptr ? HalfSupport{} : op->halves;
  }

 private:
  static const CudaOp* find(const graph::Node& node) {
    const auto found = cuda_ops().find(node.op->name);
    return found == cuda_ops().end() ? nullptr : &found->second;
  }

  const device::CudaDevice& device_;
};

}  // namespace

std::vector<std::string> cuda_operators() {
  std::vector<std::string> names;
  for (const auto& [name, op] : cuda_ops()) names.push_back(name);
  return names;
}

const Backend& cuda_backend(const device::CudaDevice& device) {
  static std::mutex& mutex = *new std::mutex;
  static auto& backends = *new std::map<const device::CudaDevice*, std::unique_ptr<CudaBackend>>;
  const std::lock_guard lock(mutex);
  auto& backend = backends[&device];
  if (!backend) backend = std::make_unique<CudaBackend>(device);
  return *backend;
}

}  // namespace mxinfer::ops
