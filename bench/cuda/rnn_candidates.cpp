// The steps of LSTM layers: in one launch for each layer, or kernels for each step.
#include "cuda/candidates.h"
#include "cuda/layer_memory.h"
#include "kernels/gemm/gemm_cuda.h"
#include "kernels/rnn/rnn_persistent_cuda.h"

namespace mxinfer::bench {
namespace {

namespace cuda = kernels::cuda;
using kernels::FloatType;
using kernels::Precision;

constexpr std::int64_t kGates = 4;

/// Operands and results of a layer's whole sequence, in float32: each layer computes the same.
cuda::RnnArgs sequence_of(const LstmLayer& layer, Memory& memory) {
  const std::int64_t rows = layer.steps * layer.batch, states = layer.batch * layer.hidden;
  cuda::RnnArgs args;
  args.batch = layer.batch;
  args.hidden = args.out_stride = layer.hidden;
  cuda::RnnDirection& all = args.direction[0];
  all.projected = memory.take_floats(rows * kGates * layer.hidden);
  all.w_bias = memory.take_floats(kGates * layer.hidden);
  all.r_bias = memory.take_floats(kGates * layer.hidden);
  all.r = memory.take_floats(kGates * layer.hidden * layer.hidden);
  all.state = memory.take_floats(states);
  all.cell = memory.take_floats(states);
  all.next_state = memory.take_floats(states);
  all.next_cell = memory.take_floats(states);
  all.out = memory.take_floats(rows * layer.hidden);
  return args;
}

Candidate candidate_of(const LstmLayer& layer, const Memory& memory, std::string kernel,
                       Precision precision) {
  Candidate c;
  c.kernel = std::move(kernel);
  c.precision = precision;
  c.flops = 2.0 * static_cast<double>(layer.layers * layer.steps * layer.batch * kGates * layer.hidden *
                                      layer.hidden);
  c.bytes = memory.bytes() * static_cast<double>(layer.layers);
  return c;
}

std::optional<cuda::PersistentRnn> plan_of(const LstmLayer& layer, FloatType type, const Gpu& gpu) {
  const cuda::PersistentSizes sizes{.batch = layer.batch, .hidden = layer.hidden};
  const auto& properties = gpu.properties();
  return cuda::plan_persistent_rnn(sizes, type, {properties.multiprocessors, properties.shared_bytes});
}

Candidate persistent(const LstmLayer& layer, const cuda::PersistentRnn& plan, Precision precision, Gpu& gpu) {
  Memory memory(gpu, FloatType::float32);
  const cuda::RnnArgs args = sequence_of(layer, memory);
  Candidate c =
      candidate_of(layer, memory, std::string("rnn_persistent_") + short_name(plan.type), precision);
  c.is_planned = true;
  c.scratch_bytes = plan.scratch_bytes;
  c.launch = [layer, args, plan, memory, launcher = gpu.kernels().rnn_persistent](
                 void* scratch, const cuda::Stream& stream) {
    cuda::Status status = cuda::kSuccess;
    for (std::int64_t i = 0; i < layer.layers && status == cuda::kSuccess; ++i)
      status = launcher(args, plan, layer.steps, scratch, stream);
    return status;
  };
  return c;
}

/// Calls advance(args) for each step of each layer, with the pointers of that step.
template <typename Advance>
cuda::Status for_steps(const LstmLayer& layer, const cuda::RnnArgs& whole, const Advance& advance) {
  cuda::Status status = cuda::kSuccess;
  for (std::int64_t i = 0; i < layer.layers * layer.steps && status == cuda::kSuccess; ++i) {
    cuda::RnnArgs args = whole;
    cuda::RnnDirection& direction = args.direction[0];
    direction.step = i % layer.steps;
    direction.projected += direction.step * layer.batch * kGates * layer.hidden;
    direction.out += direction.step * layer.batch * layer.hidden;
    status = advance(args);
  }
  return status;
}

Candidate by_step(const LstmLayer& layer, Gpu& gpu) {
  Memory memory(gpu, FloatType::float32);
  const cuda::RnnArgs args = sequence_of(layer, memory);
  Candidate c = candidate_of(layer, memory, "rnn_step_f32", Precision::float32);
  c.launch = [layer, args, memory, launcher = gpu.kernels().rnn_step](void*, const cuda::Stream& stream) {
    return for_steps(layer, args, [&](const cuda::RnnArgs& step) { return launcher(step, stream); });
  };
  return c;
}

Candidate by_gemm(const LstmLayer& layer, Gpu& gpu) {
  Memory memory(gpu, FloatType::float32);
  cuda::RnnArgs args = sequence_of(layer, memory);
  float* const gates = memory.take_floats(layer.batch * kGates * layer.hidden);
  args.direction[0].gates = gates;
  cuda::GemmArgs product;
  product.rows = layer.batch;
  product.columns = product.dst_row = kGates * layer.hidden;
  product.depth = product.a.row = product.b.row = layer.hidden;
  product.a.data = args.direction[0].state;
  product.b.data = args.direction[0].r;
  product.dst = gates;
  const auto& properties = gpu.properties();
  const cuda::GemmPlan plan = cuda::plan_gemm(
      product, {properties.multiprocessors, properties.shared_bytes, properties.major, properties.minor});
  Candidate c = candidate_of(layer, memory, "rnn_gemm_f32", Precision::float32);
  c.scratch_bytes = plan.scratch_bytes;
  c.launch = [layer, args, product, plan, memory, &library = gpu.kernels()](void* scratch,
                                                                            const cuda::Stream& stream) {
    return for_steps(layer, args, [&](const cuda::RnnArgs& step) {
      const cuda::Status status = library.gemm(product, plan, static_cast<float*>(scratch), stream);
      return status != cuda::kSuccess ? status : library.rnn_cells(step, stream);
    });
  };
  return c;
}

}  // namespace

std::vector<Candidate> candidates(const LstmLayer& layer, const Precisions& precisions, Gpu& gpu) {
  std::vector<Candidate> all;
  for (const Precision precision : precisions) {
    if (precision == Precision::tf32) continue;  // float32 but for the products of the inputs
    if (const auto plan = plan_of(layer, stored_type(precision), gpu))
      all.push_back(persistent(layer, *plan, precision, gpu));
    if (precision != Precision::float32) continue;
    all.push_back(by_step(layer, gpu));
    all.push_back(by_gemm(layer, gpu));
  }
  return all;
}

}  // namespace mxinfer::bench
