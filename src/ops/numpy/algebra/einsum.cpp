// _npi_einsum: pairs of operands are contracted one after another, as matrix products where they are large
// enough; what is not a pair, or hardly a product, is a loop.
#include "ops/numpy/algebra/einsum.h"

#include <algorithm>
#include <array>
#include <memory>

#include "kernels/linalg/einsum.h"
#include "ops/common/axes.h"
#include "ops/common/copy_step.h"
#include "ops/common/scratch_layout.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

/// Products of matrices with fewer multiplications than that are a loop.
constexpr double kSmallProduct = 16;

using Run = std::function<void(const void* const* inputs, void* output, std::byte* scratch)>;

struct EinsumKernel {
  std::string kernel{}, reason{};
  std::size_t scratch_bytes = 0;
  Run run{};
};

bool is_summed(const Einsum& einsum, int label) {
  return std::find(einsum.output.begin(), einsum.output.end(), label) == einsum.output.end();
}

double multiplications(const Einsum& einsum) {
  double count = 1;
  for (const auto& [label, size] : einsum.sizes) count *= static_cast<double>(size);
  return count;
}

EinsumKernel loop_kernel(const Einsum& einsum, const std::vector<Shape>& shapes, DType dtype) {
  std::vector<int> labels = einsum.output;
  for (const auto& [label, size] : einsum.sizes) {
    if (is_summed(einsum, label)) labels.push_back(label);
  }
  if (labels.size() > kernels::kEinsumMostDims)
    fail(ErrorCode::unsupported, labels.size(), " labels: at most ", kernels::kEinsumMostDims);
  auto sizes = std::make_shared<std::vector<std::int64_t>>();
  auto strides = std::make_shared<std::vector<std::int64_t>>();
  for (const int label : labels) sizes->push_back(einsum.sizes.at(label));
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (const int label : labels) strides->push_back(label_stride(einsum.inputs[i], shapes[i], label));
  }
  kernels::EinsumArgs args;
  args.arrays = shapes.size();
  args.kept = einsum.output.size();
  args.summed = labels.size() - args.kept;
  const std::int64_t outputs = einsum.output_shape().elements();
  const double each = multiplications(einsum) / static_cast<double>(std::max<std::int64_t>(1, outputs));
  const std::int64_t grain =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(kElementGrain / std::max(1.0, each)));
  EinsumKernel result{.kernel = ref_kernel("einsum", dtype), .reason = "one element at a time"};
  result.run = [=, fn = kernels::select_einsum(element_type(dtype))](const void* const* inputs, void* output,
                                                                     std::byte*) {
    kernels::EinsumArgs now = args;
    now.sizes = sizes->data();
    now.strides = strides->data();
    now.src = inputs;
    now.dst = output;
    parallel_for(outputs, grain, [&](std::int64_t begin, std::int64_t end) { fn(now, begin, end); });
  };
  return result;
}

bool multiplies_matrices(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float64;
}

/// numbers: which inputs of the node the two are, -1 for what was computed.
EinsumKernel pair_kernel(LowerContext& context, const Einsum& einsum, const std::vector<Shape>& shapes,
                         DType dtype, const std::array<int, 2>& numbers) {
  bool swaps = false;
  const Contraction c = pair_contraction(einsum, shapes[0], shapes[1], swaps);
  const double each = static_cast<double>(c.row_count()) * static_cast<double>(c.column_count()) *
                      static_cast<double>(c.depth_count());
  if (!multiplies_matrices(dtype) || each < kSmallProduct) return loop_kernel(einsum, shapes, dtype);
  const int right = numbers[swaps ? 0 : 1];
  const bool constant = right >= 0 && context.is_constant(static_cast<std::size_t>(right));
  ContractionKernel kernel = contraction_kernel(context, c, dtype, constant ? right : -1);
  EinsumKernel result{std::move(kernel.kernel), std::move(kernel.reason), kernel.scratch_bytes, {}};
  result.run = [swaps, run = std::move(kernel.run)](const void* const* inputs, void* output,
                                                    std::byte* scratch) {
    run(inputs[swaps ? 1 : 0], inputs[swaps ? 0 : 1], output, scratch);
  };
  return result;
}

/// An operand of the chain: an input of the node or a product.
struct Operand {
  Labels labels{};
  Shape shape{};
  int input = -1;
  std::size_t at = 0;  ///< in scratch
};

/// The einsum of operands i and j alone, which keeps what the others and the output need.
Einsum of_pair(const Einsum& whole, const std::vector<Operand>& operands, std::size_t i, std::size_t j) {
  Einsum pair;
  pair.inputs = {operands[i].labels, operands[j].labels};
  const auto is_needed = [&](int label) {
    const auto has = [&](const Labels& labels) {
      return std::find(labels.begin(), labels.end(), label) != labels.end();
    };
    if (has(whole.output)) return true;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (k != i && k != j && has(operands[k].labels)) return true;
    }
    return false;
  };
  for (const std::size_t k : {i, j}) {
    for (std::size_t d = 0; d < operands[k].labels.size(); ++d) {
      const int label = operands[k].labels[d];
      std::int64_t& size = pair.sizes.try_emplace(label, 1).first->second;
      if (operands[k].shape[d] != 1) size = operands[k].shape[d];
      const bool is_new = std::find(pair.output.begin(), pair.output.end(), label) == pair.output.end();
      if (is_new && is_needed(label)) pair.output.push_back(label);
    }
  }
  if (operands.size() == 2) pair.output = whole.output;
  return pair;
}

struct Chosen {
  std::size_t i = 0, j = 1;
  double cost = 0;
};

Chosen cheapest_pair(const Einsum& einsum, const std::vector<Operand>& operands) {
  Chosen best{0, 1, -1};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (std::size_t j = i + 1; j < operands.size(); ++j) {
      const double cost = multiplications(of_pair(einsum, operands, i, j));
      if (best.cost < 0 || cost < best.cost) best = {i, j, cost};
    }
  }
  return best;
}

struct Link {
  EinsumKernel kernel{};
  std::array<Operand, 2> operands{};
  std::size_t output_at = 0;
};

struct Chain {
  std::vector<Link> links{};
  std::size_t scratch_bytes = 0;
  std::size_t work = 0;  ///< where in scratch the links work
};

Chain chain_of(LowerContext& context, const Einsum& einsum, DType dtype) {
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < context.num_inputs(); ++i)
    operands.push_back({einsum.inputs[i], context.input(i).shape, static_cast<int>(i), 0});
  Chain chain;
  ScratchLayout layout;
  std::size_t most = 0;
  while (operands.size() > 1) {
    const Chosen chosen = cheapest_pair(einsum, operands);
    const Einsum pair = of_pair(einsum, operands, chosen.i, chosen.j);
    const Operand left = operands[chosen.i], right = operands[chosen.j];
    Link link;
    link.operands = {left, right};
    link.kernel = pair_kernel(context, pair, {left.shape, right.shape}, dtype, {left.input, right.input});
    most = std::max(most, link.kernel.scratch_bytes);
    Operand product{pair.output, pair.output_shape(), -1, 0};
    if (operands.size() > 2) {
      const auto bytes = checked_mul(product.shape.elements(), static_cast<std::int64_t>(size_of(dtype)));
      product.at = layout.take<std::byte>(bytes.value_or(std::int64_t{1} << 62));
    }
    link.output_at = product.at;
    chain.links.push_back(std::move(link));
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(chosen.j));
    operands[chosen.i] = std::move(product);
  }
  chain.work = layout.take<std::byte>(static_cast<std::int64_t>(most));
  chain.scratch_bytes = layout.bytes();
  return chain;
}

EinsumKernel chain_kernel(Chain chain) {
  EinsumKernel result;
  result.kernel = chain.links.back().kernel.kernel;
  result.reason = chain.links.size() == 1
                      ? chain.links.front().kernel.reason
                      : concat(chain.links.size(), " products of two, the cheapest first");
  result.scratch_bytes = chain.scratch_bytes;
  result.run = [chain = std::make_shared<Chain>(std::move(chain))](const void* const* inputs, void* output,
                                                                   std::byte* scratch) {
    for (std::size_t k = 0; k < chain->links.size(); ++k) {
      const Link& link = chain->links[k];
      const auto place = [&](const Operand& operand) -> const void* {
        return operand.input >= 0 ? inputs[operand.input] : scratch + operand.at;
      };
      const std::array<const void*, 2> pair = {place(link.operands[0]), place(link.operands[1])};
      const bool last = k + 1 == chain->links.size();
      link.kernel.run(pair.data(), last ? output : scratch + link.output_at, scratch + chain->work);
    }
  };
  return result;
}

EinsumKernel kernel_of(LowerContext& context, const Einsum& einsum) {
  const DType dtype = context.input(0).dtype;
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) shapes.push_back(context.input(i).shape);
  if (shapes.size() == 1 || context.output(0).shape.elements() == 0 ||
      (dtype == DType::float16 && shapes.size() > 2))
    return loop_kernel(einsum, shapes, dtype);
  Chain chain = chain_of(context, einsum, dtype);
  return chain_kernel(std::move(chain));
}

Step lower_einsum(LowerContext& context) {
  const Einsum einsum = einsum_of(context);
  const bool sums = std::any_of(einsum.sizes.begin(), einsum.sizes.end(),
                                [&](const auto& entry) { return is_summed(einsum, entry.first); });
  if (context.num_inputs() == 1 && !sums) {
    Walk walk;
    const std::vector<std::int64_t> dense = row_major_strides(context.output(0).shape);
    for (std::size_t d = 0; d < einsum.output.size(); ++d) {
      const int label = einsum.output[d];
      walk.add(einsum.sizes.at(label), label_stride(einsum.inputs[0], context.input(0).shape, label),
               dense[d]);
    }
    return copy_step(context, {{0, 0, walk}});
  }
  EinsumKernel kernel = kernel_of(context, einsum);
  Step step{.kernel = std::move(kernel.kernel), .reason = std::move(kernel.reason)};
  step.scratch_bytes = kernel.scratch_bytes;
  step.flops = 2 * multiplications(einsum);
  step.run = [run = std::move(kernel.run)](const RunContext& now) {
    run(now.inputs, now.outputs[0], now.scratch);
  };
  return step;
}

std::vector<TensorType> infer_einsum(const InferContext& context) {
  if (context.count() == 0 || context.count() > kernels::kEinsumMostArrays)
    fail(ErrorCode::unsupported, context.count(), " arrays: expected 1 to ", kernels::kEinsumMostArrays);
  const DType dtype = context.dtype(0);
  if (kernels::select_einsum(element_type(dtype)) == nullptr)
    fail(ErrorCode::unsupported, "input of ", to_string(dtype), ": expected numbers or booleans");
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < context.count(); ++i) {
    shapes.push_back(context.shape(i));
    if (context.dtype(i) != dtype)
      fail(ErrorCode::invalid_argument, "input ", i, " is ", to_string(context.dtype(i)), ", input 0 ",
           to_string(dtype), ": expected the same dtype");
  }
  return {{dtype, parse_einsum(context.attrs.text("subscripts"), shapes).output_shape()}};
}

}  // namespace

std::vector<OpDef> numpy_einsum_ops() {
  OpDef op{.name = "_npi_einsum"};
  op.summary =
      "Sums products of the inputs' elements as the subscripts say (\"ij,jk->ik\"), with implied outputs, "
      "repeated labels and ....";
  op.attrs = {integer_attr("num_args").at_least(1), text_attr("subscripts", ""),
              integer_attr("optimize", 0).without_effect()};
  op.inputs = counted_ports("num_args");
  op.infer = infer_einsum;
  op.lower = lower_einsum;
  return {op};
}

}  // namespace mxinfer::ops
