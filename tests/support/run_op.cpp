#include "support/run_op.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <list>
#include <random>
#include <set>

#include "base/fail.h"
#include "base/files/aligned_memory.h"
#include "ops/backend.h"
#include "ops/registry.h"
#include "support/networks/build_graph.h"

namespace mxinfer::test {
namespace {

class SingleOp : public ops::LowerContext {
 public:
  graph::Node node_;
  std::vector<ops::TensorType> inputs_, outputs_;
  std::vector<const Tensor*> constants_;
  kernels::Target target_ = kernels::Target::ref;
  int threads_ = 1;
  std::list<AlignedBuffer> packed_;
  std::list<std::function<void()>> packs_;  ///< run once the operator is lowered, as a plan does
  std::set<std::size_t> packed_inputs_;     ///< which a step does not find
  struct Alias {
    std::size_t output, input, offset;
  };
  std::vector<Alias> aliases_;
  std::vector<std::pair<std::size_t, std::size_t>> overwrites_;  ///< (output, input)

  const graph::Node& node() const override { return node_; }
  std::size_t num_inputs() const override { return inputs_.size(); }
  const ops::TensorType& input(std::size_t i) const override { return inputs_.at(i); }
  std::size_t num_outputs() const override { return outputs_.size(); }
  const ops::TensorType& output(std::size_t i) const override { return outputs_.at(i); }
  bool is_constant(std::size_t i) const override { return constants_.at(i) != nullptr; }
  const Tensor* constant(std::size_t i) const override { return constants_.at(i); }
  kernels::Target target() const override { return target_; }
  int threads() const override { return threads_; }
  const std::byte* packed(std::size_t i, const std::string&, std::size_t bytes, const Pack& pack) override {
    packed_inputs_.insert(i);
    packed_.emplace_back(bytes);
    packs_.emplace_back([this, pack, i, to = packed_.back().data()] { pack(*constants_.at(i), to); });
    return packed_.back().data();
  }
  void alias(std::size_t o, std::size_t i, std::size_t offset) override {
    aliases_.push_back({o, i, offset});
  }
  void may_place(std::size_t, std::size_t, std::size_t) override {}
  void may_overwrite(std::size_t o, std::size_t i) override { overwrites_.emplace_back(o, i); }
};

double as_double(const TensorView& view, std::int64_t i) {
  switch (view.dtype()) {
    case DType::float32:
      return view.data<float>()[i];
    case DType::float64:
      return view.data<double>()[i];
    case DType::float16:
      return static_cast<float>(view.data<Half>()[i]);
    case DType::bfloat16:
      return static_cast<float>(view.data<BFloat16>()[i]);
    case DType::uint8:
      return view.data<std::uint8_t>()[i];
    case DType::int8:
      return view.data<std::int8_t>()[i];
    case DType::int32:
      return view.data<std::int32_t>()[i];
    case DType::int64:
      return static_cast<double>(view.data<std::int64_t>()[i]);
    case DType::boolean:
      return view.data<bool>()[i];
    default:
      fail(ErrorCode::internal, "as_double: ", to_string(view.dtype()));
  }
}

// Whether plans are made of what the stage "bind" makes of the node, not of the node itself.
bool is_rewritten(const graph::Node& node, const std::vector<const Tensor*>& inputs) {
  if (node.op->canonicalise != nullptr) return true;
  return node.op->traits.float16 != ops::Float16::own_kernels &&
         std::any_of(inputs.begin(), inputs.end(),
                     [](const Tensor* input) { return input->dtype() == DType::float16; });
}

// As a graph of this node.
std::vector<Tensor> run_planned(graph::Node node, const std::vector<const Tensor*>& inputs,
                                const RunOpOptions& options) {
  graph::Graph graph;
  std::vector<const Tensor*> computed;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    graph::Node variable;
    variable.name = "input" + std::to_string(i);
    if (std::find(options.parameters.begin(), options.parameters.end(), i) != options.parameters.end()) {
      variable.constant = make_parameter(inputs[i]->clone());
    } else {
      variable.input_index = static_cast<std::int32_t>(computed.size());
      computed.push_back(inputs[i]);
    }
    node.inputs.push_back({graph::append(graph, std::move(variable)), 0});
  }
  node.num_outputs = static_cast<std::int32_t>(ops::output_count(*node.op, node.attrs));
  const std::string name = node.name;
  const std::int32_t id = graph::append(graph, std::move(node));
  for (std::int32_t o = 0; o < graph.nodes.back().num_outputs; ++o) graph.heads.push_back({id, o});

  std::map<std::string, std::string> kernels;
  RunGraphOptions how{options.target, options.threads};
  how.kernels = &kernels;
  std::vector<Tensor> outputs = run_graph(graph, computed, how);
  if (options.kernel != nullptr && kernels.count(name) > 0) *options.kernel = kernels.at(name);
  return outputs;
}

std::vector<Tensor> run_one_op(const std::string& op_name, const std::map<std::string, std::string>& attrs,
                               const std::vector<const Tensor*>& inputs, const RunOpOptions& options) {
  const ops::OpDef* op = ops::find_op(op_name);
  if (op == nullptr) fail(ErrorCode::unsupported, "operator ", op_name, " is not there");
  SingleOp context;
  context.node_.name = "test";
  context.node_.op_name = op_name;
  context.node_.op = op;
  context.node_.raw_attrs = attrs;
  context.node_.attrs = graph::parse_attrs(op->attrs, attrs);
  if (options.numpy_shapes) context.node_.attrs.set(ops::kNumpyShape, true);
  context.node_.post_ops = options.post_ops;
  context.node_.inner_post_ops = options.inner_post_ops;
  context.target_ = options.target;
  context.threads_ = options.threads;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    context.inputs_.push_back({inputs[i]->dtype(), inputs[i]->shape()});
    const bool parameter =
        std::find(options.parameters.begin(), options.parameters.end(), i) != options.parameters.end();
    context.constants_.push_back(parameter ? inputs[i] : nullptr);
  }
  // What post-ops read are the last inputs; the operator itself does not know them.
  auto own_inputs = context.inputs_;
  own_inputs.resize(own_inputs.size() - graph::post_op_inputs(context.node_));
  context.outputs_ = op->infer(ops::InferContext{context.node_.attrs, own_inputs});
  if (is_rewritten(context.node_, inputs)) return run_planned(context.node_, inputs, options);
  const ops::Implementations implementations = ops::cpu_backend().implementations(context);
  ops::Step step = ops::cheapest(implementations, kernels::kDefaultRates).lower(context);
  if (options.kernel != nullptr) *options.kernel = step.kernel;

  std::vector<Tensor> outputs;
  for (const auto& type : context.outputs_) outputs.push_back(Tensor(type.dtype, type.shape));
  for (const auto& [o, i, offset] : context.aliases_) {
    const auto* from = static_cast<const std::byte*>(inputs[i]->raw()) + offset;
    if (outputs[o].bytes() > 0) std::memcpy(outputs[o].raw(), from, outputs[o].bytes());
  }
  if (!step.run) return outputs;
  std::vector<const void*> in;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    in.push_back(context.packed_inputs_.count(i) > 0 ? nullptr : inputs[i]->raw());
  std::vector<void*> out;
  for (Tensor& tensor : outputs) out.push_back(tensor.raw());
  if (options.overwrites != nullptr) *options.overwrites = static_cast<int>(context.overwrites_.size());
  if (options.overwrite >= 0) {
    const auto [o, i] = context.overwrites_.at(static_cast<std::size_t>(options.overwrite));
    if (outputs[o].bytes() == inputs[i]->bytes()) {
      std::memcpy(out[o], in[i], outputs[o].bytes());
      in[i] = out[o];
    }
  }
  AlignedBuffer scratch(step.scratch_bytes);
  const std::size_t stride = aligned_size(step.thread_scratch_bytes);
  AlignedBuffer thread_scratch(stride * static_cast<std::size_t>(options.threads));
  ThreadArena arena(options.threads);
  arena.execute([&] {
    for (const auto& pack : context.packs_) pack();
    step.run(ops::RunContext{in.data(), out.data(), scratch.data(), thread_scratch.data(), stride,
                             &device::cpu_stream()});
  });
  return outputs;
}

}  // namespace

std::vector<Tensor> run_op(const std::string& op_name, const std::map<std::string, std::string>& attrs,
                           const std::vector<const Tensor*>& inputs, const RunOpOptions& options) {
  const ops::OpDef* op = ops::find_op(op_name);
  if (op == nullptr || op->bounded_form == nullptr) return run_one_op(op_name, attrs, inputs, options);
  // As a cut graph does it.
  std::vector<Tensor> room = run_one_op(op->bounded_form, attrs, inputs, options), outputs;
  for (std::size_t o = 0; o + 1 < room.size(); ++o) {
    Shape shape = room[o].shape();
    const std::int64_t* sizes = room.back().data<std::int64_t>() + o * Shape::kMaxRank;
    for (std::size_t d = 0; d < shape.rank(); ++d) shape[d] = sizes[d];
    outputs.emplace_back(room[o].dtype(), shape);
    if (outputs[o].bytes() > 0) std::memcpy(outputs[o].raw(), room[o].raw(), outputs[o].bytes());
  }
  return outputs;
}

std::vector<kernels::Target> targets() {
  std::vector<kernels::Target> result;
  for (auto target :
       {kernels::Target::ref, kernels::Target::baseline, kernels::Target::avx2, kernels::Target::avx512}) {
    if (kernels::is_supported(target)) result.push_back(target);
  }
  return result;
}

Tensor random_tensor(const Shape& shape, unsigned seed, float low, float high) {
  Tensor tensor(DType::float32, shape);
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> distribution(low, high);
  float* out = tensor.data<float>();
  for (std::int64_t i = 0; i < tensor.elements(); ++i) out[i] = distribution(generator);
  return tensor;
}

double relative_difference(const TensorView& a, const TensorView& b) {
  if (a.shape() != b.shape() || a.dtype() != b.dtype()) return std::numeric_limits<double>::infinity();
  double difference = 0, scale = 0;
  for (std::int64_t i = 0; i < a.shape().elements(); ++i) {
    const double x = as_double(a, i), y = as_double(b, i);
    if (x == y || (std::isnan(x) && std::isnan(y))) {
      if (std::isfinite(y)) scale = std::max(scale, std::abs(y));
      continue;
    }
    if (!std::isfinite(x) || !std::isfinite(y)) return std::numeric_limits<double>::infinity();
    difference = std::max(difference, std::abs(x - y));
    scale = std::max(scale, std::abs(y));
  }
  return scale > 0 ? difference / scale : difference;
}

}  // namespace mxinfer::test
