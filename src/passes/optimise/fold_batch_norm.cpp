#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/optimise/affine.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

// BatchNorm_v1 and SyncBatchNorm are BatchNorm on dimension 1 at inference; only the statistics that they may
// give out differ.
void to_batch_norm(graph::Node& node) {
  if (node.num_outputs != 1 || node.attrs.flag("output_mean_var")) return;
  graph::Node modern = node;
  modern.op = ops::find_op("BatchNorm");
  modern.attrs = graph::parse_attrs(modern.op->attrs, {});
  modern.attrs.set("eps", node.attrs.number("eps"));
  modern.attrs.set("fix_gamma", node.attrs.flag("fix_gamma"));
  node = std::move(modern);
}

bool is_other_batch_norm(const graph::Node& node) {
  return node.op != nullptr && (node.op->name == "BatchNorm_v1" || node.op->name == "_contrib_SyncBatchNorm");
}

// Which output channel element i of a weight belongs to. Precondition: a Deconvolution has groups_of() the
// weight's first dimension.
class ChannelOf {
 public:
  ChannelOf(const graph::Node& node, const Shape& weight) {
    if (node.op->name == "Deconvolution") {  // (inputs, outputs / groups, spatial...)
      const std::int64_t groups = node.attrs.integer("num_group");
      inner_ = weight.elements(2, weight.rank());
      per_group_ = weight[1];
      inputs_per_group_ = weight[0] / groups;
      outputs_ = per_group_ * groups;
    } else {  // (outputs, ...)
      inner_ = weight.elements(1, weight.rank());
      outputs_ = weight[0];
    }
  }
  std::int64_t outputs() const { return outputs_; }
  /// Elements in a row that belong to one channel.
  std::int64_t inner() const { return inner_; }
  std::int64_t operator()(std::int64_t i) const {
    const std::int64_t row = i / inner_;
    if (per_group_ == 0) return row;
    return row / per_group_ / inputs_per_group_ * per_group_ + row % per_group_;
  }

 private:
  std::int64_t inner_ = 1, per_group_ = 0, inputs_per_group_ = 1, outputs_ = 0;
};

// Channels are dimension 1 of what it makes; of a product of rows alone (flatten=False) they need not be.
bool is_foldable(const graph::Node& node, const Affine& affine) {
  if (node.op == nullptr || !node.post_ops.empty()) return false;
  if (node.op->name == "FullyConnected") return node.attrs.flag("flatten") || affine.is_uniform();
  return node.op->name == "Convolution" || node.op->name == "Deconvolution";
}

using Uses = std::vector<std::vector<int>>;

// Whether one node alone reads a parameter; those that this pass has made are read once.
bool has_one_reader(const Uses& uses, graph::Value parameter) {
  const auto id = static_cast<std::size_t>(parameter.node);
  return id >= uses.size() || uses[id][0] == 1;
}

void scale_channels(const ChannelOf& channel, const Affine& affine, std::int64_t elements, float* weights) {
  // A channel at a time: a division for each of millions of weights is a good part of loading a model.
  for (std::int64_t begin = 0; begin < elements; begin += channel.inner()) {
    const double scale = affine.scale_of(static_cast<std::size_t>(channel(begin)));
    for (std::int64_t i = begin; i < begin + channel.inner(); ++i)
      weights[i] = static_cast<float>(weights[i] * scale);
  }
}

/// The weights times the scales: in their place if nothing else reads them, otherwise whenever they are
/// asked for, so that memory never holds both.
std::shared_ptr<const Parameter> scaled(std::shared_ptr<const Parameter> weight, const ChannelOf& channel,
                                        const Affine& affine) {
  if (weight->in_memory() && weight.use_count() == 1) {
    Tensor own = Parameter::take(std::move(weight));
    scale_channels(channel, affine, own.elements(), own.data<float>());
    return make_parameter(std::move(own));
  }
  const Shape shape = weight->shape();
  return std::make_shared<Parameter>(
      DType::float32, shape,
      [weight, channel, affine](void* dst) {
        weight->copy_to(dst);
        scale_channels(channel, affine, weight->elements(), static_cast<float*>(dst));
      },
      [weight] { return weight->is_at_hand(); });
}

bool fold(graph::Graph& graph, const Uses& uses, std::size_t producer_id, std::size_t norm_id,
          const Affine& affine) {
  const Parameter* weight = float_parameter(graph, graph.nodes[producer_id], 1);
  const bool no_bias = graph.nodes[producer_id].attrs.flag("no_bias");
  const Parameter* bias = no_bias ? nullptr : float_parameter(graph, graph.nodes[producer_id], 2);
  if (weight == nullptr || weight->shape().rank() < 2 || weight->elements() == 0 ||
      (!no_bias && bias == nullptr)) {
    return false;
  }
  const graph::Node& scales = graph.nodes[producer_id];
  if (scales.op->name == "Deconvolution" && !groups_of(scales, weight->shape()[0])) return false;
  const ChannelOf channel(scales, weight->shape());
  const std::int64_t channels = channel.outputs();
  const bool fits = affine.is_uniform() || static_cast<std::int64_t>(affine.channels()) == channels;
  if (!fits || (bias != nullptr && bias->elements() != channels)) return false;

  graph::Node producer = std::move(graph.nodes[producer_id]);  // the norm alone reads it
  // Without readers the old parameter goes.
  auto& held = graph.nodes[static_cast<std::size_t>(producer.inputs[1].node)].constant;
  auto new_weight =
      scaled(has_one_reader(uses, producer.inputs[1]) ? std::move(held) : held, channel, affine);
  const auto old_bias = bias != nullptr ? bias->value() : nullptr;
  Tensor new_bias = Tensor::uninitialized(DType::float32, {channels});
  for (std::int64_t c = 0; c < channels; ++c) {
    const auto k = static_cast<std::size_t>(c);
    const double old = bias != nullptr ? old_bias->data<float>()[c] : 0.0;
    new_bias.data<float>()[c] = static_cast<float>(old * affine.scale_of(k) + affine.shift_of(k));
  }

  const graph::Node& norm = graph.nodes[norm_id];
  const std::string note =
      (norm.op->name == "BatchNorm" ? "batch norm '" : "arithmetic '") + norm.name + "' folded in";
  producer.inputs.resize(1);
  producer.inputs.push_back(append_parameter(graph, producer.name + "_folded_weight", std::move(new_weight)));
  producer.inputs.push_back(append_parameter(graph, producer.name + "_folded_bias", std::move(new_bias)));
  producer.attrs.set("no_bias", false);
  producer.raw_attrs["no_bias"] = "False";
  producer.notes.push_back(note);
  graph.nodes[norm_id] = std::move(producer);
  return true;
}

}  // namespace

// Convolution, Deconvolution or FullyConnected, then BatchNorm on channels or arithmetic with one number: it
// goes into weight and bias. weight'[o] = weight[o] * s[o], bias'[o] = (bias[o] - mean[o]) * s[o] + beta[o],
// s = gamma / sqrt(var + eps).
void fold_batch_norm(graph::Graph& graph, const Goal& /*goal*/) {
  for (graph::Node& node : graph.nodes) {
    if (is_other_batch_norm(node)) to_batch_norm(node);
  }
  const auto uses = graph::count_uses(graph);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const auto affine = affine_of(graph, graph.nodes[i], 1);
    if (!affine) continue;
    const bool only_data = uses[i].size() == 1 || (uses[i][1] == 0 && uses[i].back() == 0);
    const graph::Value data = graph.nodes[i].inputs[0];
    const auto producer = static_cast<std::size_t>(data.node);
    if (!only_data || !is_foldable(graph.nodes[producer], *affine) || uses[producer][0] != 1) continue;
    fold(graph, uses, producer, i, *affine);
  }
  graph::sort_topologically(graph);
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
