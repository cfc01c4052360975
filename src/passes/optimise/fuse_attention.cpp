#include <optional>
#include <string>
#include <vector>

#include "graph/node_of.h"
#include "ops/is_op.h"
#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using ops::is_op;

constexpr const char* kSelfScores = "_contrib_interleaved_matmul_selfatt_qk";
constexpr const char* kSelfMix = "_contrib_interleaved_matmul_selfatt_valatt";
constexpr const char* kEncdecScores = "_contrib_interleaved_matmul_encdec_qk";
constexpr const char* kEncdecMix = "_contrib_interleaved_matmul_encdec_valatt";

/// One operator that computes scores, and the one that sums values by them.
struct AttentionFound {
  std::string layout, mask = "none";
  std::int64_t heads = 1;
  double scale = 1, fill = 0;
  bool multiplies = false;
  bool has_split_heads = false;  ///< weights went to four dimensions and back to three
  std::vector<Value> projections;
  std::optional<Value> mask_value;
  std::vector<Value> fused;  ///< what goes, from the sum of values back
};

/// Follows attention back from the product that sums values.
class AttentionFinder {
 public:
  explicit AttentionFinder(const Graph& graph) : graph_(graph), uses_(graph::count_uses(graph)) {}

  std::optional<AttentionFound> behind(const Node& mix) const {
    AttentionFound found;
    if (!is_plain(mix)) return std::nullopt;
    Value weights;
    if (is_op(mix, kSelfMix) || is_op(mix, kEncdecMix)) {
      found.layout = is_op(mix, kSelfMix) ? "self" : "encdec";
      found.heads = mix.attrs.integer("heads");
      weights = mix.inputs[1];
    } else if (is_op(mix, "batch_dot") && !mix.attrs.flag("transpose_a") && !mix.attrs.flag("transpose_b")) {
      found.layout = "matrices";
      weights = mix.inputs[0];
    } else {
      return std::nullopt;
    }
    const bool is_found = take_softmax(found, weights) && take_products(found, mix);
    return is_found ? std::optional(std::move(found)) : std::nullopt;
  }

 private:
  static bool is_plain(const Node& node) {
    return node.op != nullptr && node.post_ops.empty() && node.control_deps.empty();
  }
  const Node& node(Value value) const { return node_of(graph_, value); }
  int uses(Value value) const {
    return uses_[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)];
  }
  /// Whether a value comes from such an operator, and is read so many times.
  bool is_made_by(Value value, const char* name, int times = 1) const {
    return is_op(node(value), name) && is_plain(node(value)) && uses(value) == times;
  }

  /// The weights: softmax of scores, masked or not.
  bool take_softmax(AttentionFound& found, Value weights) const {
    weights = behind_split_heads(found, weights);
    Value softmax = weights;
    std::optional<Value> factor;
    if (is_made_by(weights, "elemwise_mul")) {
      found.fused.push_back(weights);
      const std::vector<Value>& sides = node(weights).inputs;
      const std::size_t side = is_op(node(sides[0]), "softmax") ? 0 : 1;
      softmax = sides[side];
      factor = sides[1 - side];
    }
    if (!is_made_by(softmax, "softmax") || !is_usual(node(softmax).attrs)) return false;
    found.fused.push_back(softmax);
    const std::vector<Value>& inputs = node(softmax).inputs;
    if (inputs.size() == 2) {
      found.mask = "lengths";
      found.mask_value = inputs[1];
      scores_ = inputs[0];
    } else {
      take_mask(found, inputs[0]);
    }
    found.multiplies = factor.has_value();
    return !factor || (found.mask == "where" && found.mask_value == factor);
  }

  // GluonNLP's cells give their weights by sample and head, (-1, heads, 0, 0), and multiply (-1, 0, 0).
  Value behind_split_heads(AttentionFound& found, Value weights) const {
    if (found.layout != "matrices" || !is_made_by(weights, "Reshape") || !merges_heads(node(weights)))
      return weights;
    const Value split = node(weights).inputs[0];
    if (!is_made_by(split, "Reshape") || !node(split).attrs.flag("reverse")) return weights;
    const std::vector<std::int64_t> shape = node(split).attrs.tuple("shape");
    if (shape.size() != 4 || shape[0] != -1 || shape[1] < 1 || shape[2] != 0 || shape[3] != 0) return weights;
    found.has_split_heads = true;
    found.fused.insert(found.fused.end(), {weights, split});
    return node(split).inputs[0];
  }
  /// Whether its results have three dimensions.
  static bool merges_heads(const Node& node) {
    return is_op(node, "Reshape") && node.attrs.flag("reverse") &&
           node.attrs.tuple("shape") == std::vector<std::int64_t>{-1, 0, 0};
  }

  static bool is_usual(const graph::Attrs& attrs) {
    const bool is_warm = attrs.has("temperature") && attrs.number("temperature") != 1;
    const bool is_cast = attrs.has("dtype") && attrs.dtype("dtype") != DType::float32;
    return attrs.integer("axis") == -1 && !is_warm && !is_cast;
  }

  /// What softmax reads: scores, or those that a mask has changed.
  void take_mask(AttentionFound& found, Value value) const {
    scores_ = value;
    if (is_made_by(value, "where")) {
      const std::vector<Value>& inputs = node(value).inputs;
      if (const auto fill = fill_of(inputs[2], inputs[1])) {
        found.fused.push_back(value);
        found.mask = "where";
        found.mask_value = inputs[0];
        found.fill = *fill;
        scores_ = inputs[1];
      }
      return;
    }
    const bool broadcasts = is_made_by(value, "broadcast_add") && found.layout != "matrices";
    if (!broadcasts && !is_made_by(value, "elemwise_add")) return;
    const std::vector<Value>& inputs = node(value).inputs;
    const std::size_t side = is_score(inputs[0]) ? 0 : 1;
    if (inputs[0] == inputs[1] || !is_score(inputs[side])) return;
    found.fused.push_back(value);
    found.mask = "add";
    found.mask_value = inputs[1 - side];
    scores_ = inputs[side];
  }

  /// The number that is everywhere in a value of the shape of the scores.
  std::optional<double> fill_of(Value value, Value scores) const {
    double number = 1;
    if (is_made_by(value, "_mul_scalar")) {
      number = node(value).attrs.number("scalar");
      value = node(value).inputs[0];
    }
    if (!is_made_by(value, "ones_like")) return std::nullopt;
    const bool of_scores = node(value).inputs[0] == scores;
    if (uses(scores) != (of_scores ? 2 : 1)) return std::nullopt;
    return number;
  }

  bool is_score(Value value) const {
    const Node& from = node(value);
    const bool is_scaled =
        is_op(from, "_mul_scalar") || is_op(from, "_div_scalar") || is_op(from, "_npi_true_divide_scalar");
    if (is_scaled) return is_product(node(from.inputs[0]));
    return is_product(from);
  }
  static bool is_product(const Node& node) {
    return is_op(node, kSelfScores) || is_op(node, kEncdecScores) || is_op(node, "batch_dot");
  }

  /// From the scores, scaled or not, to what they are the product of.
  bool take_products(AttentionFound& found, const Node& mix) const {
    Value scores = scores_;
    const int times = found.mask == "where" ? uses(scores) : 1;
    const bool multiplied = is_made_by(scores, "_mul_scalar", times);
    const bool divided =
        is_made_by(scores, "_div_scalar", times) || is_made_by(scores, "_npi_true_divide_scalar", times);
    if (multiplied || divided) {
      const double number = node(scores).attrs.number("scalar");
      found.scale = multiplied ? number : 1 / number;
      found.fused.push_back(scores);
      scores = node(scores).inputs[0];
      if (uses(scores) != 1) return false;
    } else if (uses(scores) != times) {
      return false;
    }
    const Node& product = node(scores);
    if (!is_plain(product)) return false;
    found.fused.push_back(scores);
    found.projections = product.inputs;
    if (found.layout == "matrices") {
      found.projections.push_back(mix.inputs[1]);
      // Else the weights might have had four dimensions before.
      if (found.has_split_heads && !merges_heads(node(product.inputs[1]))) return false;
      return is_op(product, "batch_dot") && !product.attrs.flag("transpose_a") &&
             product.attrs.flag("transpose_b");
    }
    return is_op(product, found.layout == "self" ? kSelfScores : kEncdecScores) &&
           product.attrs.integer("heads") == found.heads && product.inputs.back() == mix.inputs[0];
  }

  const Graph& graph_;
  const std::vector<std::vector<int>> uses_;
  mutable Value scores_;  ///< found last
};

Node fused_attention(const Graph& graph, const AttentionFound& found, const Node& mix) {
  std::vector<Value> inputs = found.projections;
  if (found.mask_value) inputs.push_back(*found.mask_value);
  Node fused = ops::make_node(
      mix.name, "_mxinfer_attention",
      {{"layout", found.layout}, {"heads", std::to_string(found.heads)}, {"mask", found.mask}}, inputs);
  fused.attrs.set("scale", found.scale);
  fused.attrs.set("fill", found.fill);
  fused.attrs.set("multiplies", found.multiplies);
  fused.value_names = mix.value_names;
  fused.notes = mix.notes;
  for (auto value = found.fused.rbegin(); value != found.fused.rend(); ++value) {
    const Node& node = node_of(graph, *value);
    fused.notes.insert(fused.notes.end(), node.notes.begin(), node.notes.end());
    fused.notes.push_back("'" + node.name + "' (" + node.op->name + ") fused in");
  }
  return fused;
}

}  // namespace

// For GPUs: scores, their mask, softmax and the sum of values by these weights become one _mxinfer_attention,
// if nothing else reads what is between them, and products are not computed in float32.
void fuse_attention(Graph& graph, const Goal& goal) {
  if (goal.precision == kernels::Precision::float32 && !graph.was_halves) return;
  const AttentionFinder finder(graph);
  bool is_changed = false;
  for (Node& node : graph.nodes) {
    const auto found = finder.behind(node);
    if (!found) continue;
    node = fused_attention(graph, *found, node);
    is_changed = true;
  }
  if (is_changed) graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
