// _mxinfer_attention: one kernel.
#include <array>

#include "kernels/attention/attention_cuda.h"
#include "ops/cuda/cuda_op.h"
#include "ops/cuda/float_operands.h"
#include "ops/fused/attention_node.h"

namespace mxinfer::ops {
namespace {

namespace cuda = kernels::cuda;

cuda::AttentionPlan attention_plan(const AttentionNode& node, kernels::Precision precision,
                                   const device::CudaDevice& device) {
  const auto& gpu = device.properties();
  return cuda::plan_attention(node.args, precision, {gpu.shared_bytes, gpu.major});
}

std::string why_kernel(const cuda::AttentionPlan& plan, const kernels::AttentionArgs& args) {
  const std::string lines = concat(args.batch * args.heads, " heads of ", args.queries, " queries and ",
                                   args.keys, " keys, ", args.width, " wide");
  return plan.kernel == cuda::AttentionKernel::tile ? concat(lines, ": scores stay in registers")
                                                    : concat(lines, ": there are no tiles for that");
}

/// A node whose projections are of that type: queries, keys and values are its first inputs.
Step attention_step_of(LowerContext& context, AttentionNode node, kernels::FloatType type,
                       const device::CudaDevice& device) {
  node.args.type = type;
  const cuda::AttentionPlan plan = attention_plan(node, context.precision(), device);
  const kernels::AttentionArgs& all = node.args;
  std::vector<StoredOperand> projections;
  for (std::size_t i = 0; i < attention_projections(context.attrs()); ++i)
    projections.push_back(stored_operand(context, i, type));
  Step step{.kernel = cuda::name_of(plan, all), .reason = why_kernel(plan, all)};
  step.flops =
      2.0 * static_cast<double>(all.lines() * all.keys) * static_cast<double>(all.width + all.value_width);
  step.run = [=, launcher = device.kernels().attention](const RunContext& run) {
    std::array<const void*, 4> inputs{};
    for (std::size_t i = 0; i < projections.size(); ++i) inputs[i] = projections[i].data(run);
    if (node.mask) inputs[*node.mask] = run.inputs[*node.mask];
    kernels::AttentionArgs args = node.args;
    node.set_data(args, inputs.data(), kernels::bytes_of(type));
    args.dst = run.outputs[0];
    enqueue(run, launcher, args, plan);
  };
  return step;
}

bool reads_projections(const graph::Node& node, std::size_t input) {
  return input < attention_projections(node.attrs);
}

Implementations attention_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  FloatRoles roles{.weights = {0, 1, 2}, .others = {attention_projections(node.attrs())}};
  roles.weights.resize(attention_projections(node.attrs()));
  const NodeFloats floats = node_floats(node, device, roles);
  if (!floats.rejects.empty()) return rejected("attention", floats.rejects);
  const AttentionNode attention = attention_node(node);
  const kernels::AttentionArgs& args = attention.args;
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  if (args.queries >= kMost || args.keys >= kMost ||
      args.batch * args.heads * ((args.queries + 63) / 64) >= kMost)
    return rejected("attention", "it has 2^31 words or more");
  if (args.width == 0 || args.value_width == 0) return rejected("attention", "its heads are 0 wide");
  if (attention.mask && !kernels::is_mask_type(args.mask.type)) {
    return rejected("attention", concat("its mask is ", to_string(node.input(*attention.mask).dtype)));
  }
  return only("attention", [attention, type = floats.type, &device](LowerContext& context) {
    return attention_step_of(context, attention, type, device);
  });
}

}  // namespace

std::vector<CudaOp> cuda_attention_ops() {
  return {with_halves({"_mxinfer_attention", attention_on_cuda}, HalfForm::product, reads_projections)};
}

}  // namespace mxinfer::ops
