#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/checked.h"
#include "graph/node_of.h"
#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::IntTuple;
using graph::Node;
using graph::Value;

constexpr std::int64_t kUnknown = -1;

IntTuple int_tuple_of(const std::vector<std::int64_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// width and height; one number is both.
std::optional<std::vector<std::int64_t>> two_sides(const Node& node) {
  auto size = node.attrs.tuple("size");
  if (size.size() == 1) size.push_back(size[0]);
  if (size.size() != 2) return std::nullopt;
  return size;
}

/// What a chain of operators does so far, as the attributes of _mxinfer_image_chain. Operators are added in
/// the order in which they run; one that does not fit is refused and changes nothing.
class Chain {
 public:
  /// `constant` is the parameter that a broadcast reads besides the image.
  bool add(const Node& node, const Parameter* constant);

  /// Whether what was added can be one operator by itself.
  bool is_complete() const {
    const bool ranks_fit = constant_rank_ <= (rank_ == 0 ? 3 : rank_);
    return ranks_fit && (first_ != "none" || (!planar_ && steps_.empty() && channels_ == "own"));
  }
  /// Whether some operator takes nothing but images.
  bool is_of_images() const { return of_images_; }
  bool is_planar() const { return planar_; }

  void write_to(graph::Attrs& attrs) const;

 private:
  bool add_geometry(const Node& node);
  bool add_arithmetic(const Node& node, const Parameter* constant);
  bool resize(std::vector<std::int64_t> size, bool keep_ratio, std::int64_t interp);
  bool crop(std::vector<std::int64_t> region);
  bool center_crop(const Node& node);
  bool convert_color(const std::string& code);
  bool transpose(const Node& node);
  bool normalize(const Node& node);
  bool broadcast(const std::string& step, const Parameter* constant);
  bool cast_to_float();
  void add_step(const char* name, const std::vector<double>& numbers);
  bool moves_no_more() const { return planar_ || mirror_ || flip_; }
  bool may_resize() const {
    return !moves_no_more() && first_ == "none" && steps_.empty() && channels_ == "own" && !size_ &&
           !center_ && !crop_ && !center_crop_;
  }

  using Numbers = std::optional<std::vector<std::int64_t>>;
  Numbers region_, center_, size_, crop_, center_crop_;
  bool keep_ratio_ = false;
  std::int64_t interp_ = 1;
  /// What the resized image measures at least; kUnknown without a resize.
  std::int64_t least_width_ = kUnknown, least_height_ = kUnknown;
  bool mirror_ = false, flip_ = false, planar_ = false, of_images_ = false;
  std::string channels_ = "own";
  std::string first_ = "none";
  std::string steps_;
  std::vector<std::int64_t> counts_;
  std::vector<double> numbers_;
  std::int64_t rank_ = 0;
  std::int64_t constant_rank_ = 0;
};

bool Chain::add(const Node& node, const Parameter* constant) {
  if (node.op == nullptr || !node.post_ops.empty() || !node.control_deps.empty()) return false;
  return add_geometry(node) || add_arithmetic(node, constant);
}

bool Chain::add_geometry(const Node& node) {
  const std::string& name = node.op->name;
  const graph::Attrs& attrs = node.attrs;
  bool added = false;
  if (name == "_image_resize") {
    added = resize(attrs.tuple("size"), attrs.flag("keep_ratio"), attrs.integer("interp"));
  } else if (name == "_mxinfer_resize_short") {
    added = resize({attrs.integer("size")}, true, attrs.integer("interp"));
  } else if (name == "_cvimresize") {
    added = resize({attrs.integer("w"), attrs.integer("h")}, false, attrs.integer("interp"));
  } else if (name == "_image_crop") {
    added = crop({attrs.integer("x"), attrs.integer("y"), attrs.integer("width"), attrs.integer("height")});
  } else if (name == "_mxinfer_center_crop") {
    added = center_crop(node);
  } else if (name == "_image_flip_left_right" && !planar_) {
    mirror_ = !mirror_;
    added = true;
  } else if (name == "_image_flip_top_bottom" && !planar_) {
    flip_ = !flip_;
    added = true;
  }
  of_images_ = of_images_ || added;
  return added;
}

bool Chain::resize(std::vector<std::int64_t> size, bool keep_ratio, std::int64_t interp) {
  if (!may_resize() || size.empty() || size.size() > 2) return false;
  size_ = std::move(size);
  keep_ratio_ = keep_ratio;
  interp_ = interp;
  // With keep_ratio the shorter side is the number, the other one no less.
  least_width_ = size_->front();
  least_height_ = size_->back();
  return true;
}

bool Chain::crop(std::vector<std::int64_t> region) {
  if (moves_no_more() || center_crop_) return false;
  const bool before_resize = !size_ && !center_;
  Numbers& last = before_resize ? region_ : crop_;
  if (last) {  // a part of a part
    const auto& outer = *last;
    const bool inside = region[0] >= 0 && region[1] >= 0 && region[0] <= outer[2] && region[1] <= outer[3] &&
                        region[2] <= outer[2] - region[0] && region[3] <= outer[3] - region[1];
    const auto x = checked_add(region[0], outer[0]), y = checked_add(region[1], outer[1]);
    if (!inside || !x || !y) return false;
    region[0] = *x;
    region[1] = *y;
  }
  last = std::move(region);
  return true;
}

bool Chain::center_crop(const Node& node) {
  const auto size = two_sides(node);
  if (!size || moves_no_more()) return false;
  if (may_resize() && !region_) {
    center_ = size;
    interp_ = node.attrs.integer("interp");
    return true;
  }
  // Behind a resize only if it need not enlarge.
  const bool cuts_only =
      size_ && !crop_ && !center_crop_ && (*size)[0] <= least_width_ && (*size)[1] <= least_height_;
  if (cuts_only) center_crop_ = size;
  return cuts_only;
}

bool Chain::add_arithmetic(const Node& node, const Parameter* constant) {
  const std::string& name = node.op->name;
  if (name == "Cast") return node.attrs.dtype("dtype") == DType::float32 && cast_to_float();
  if (name == "_mxinfer_convert_color") return convert_color(node.attrs.choice("code"));
  if (name == "transpose") return transpose(node);
  if (name == "_image_normalize") return normalize(node);
  if (name == "_image_to_tensor") {
    if (planar_) return false;
    if (first_ == "none") {
      first_ = "to_tensor";
    } else {
      add_step("div", {255.0});
    }
    return planar_ = of_images_ = true;
  }
  constexpr const char* kSteps[][3] = {{"broadcast_add", "_plus_scalar", "add"},
                                       {"broadcast_sub", "_minus_scalar", "sub"},
                                       {"broadcast_mul", "_mul_scalar", "mul"},
                                       {"broadcast_div", "_div_scalar", "div"}};
  for (const auto& [by_channel, by_scalar, step] : kSteps) {
    if (name == by_channel) return broadcast(step, constant);
    // A number has no dtype of its own: what it does to bytes is another thing.
    if (name != by_scalar || first_ == "none") continue;
    add_step(step, {node.attrs.number("scalar")});
    return true;
  }
  return false;
}

bool Chain::cast_to_float() {
  if (first_ == "none") first_ = "cast";
  return true;
}

// Only what takes one channel as well as three. A resize has done with the source's channels before.
bool Chain::convert_color(const std::string& code) {
  if (planar_ || first_ != "none" || !steps_.empty() || channels_ != "own") return false;
  if (code != "rgb" && code != "bgr") return false;
  channels_ = code;
  return of_images_ = true;
}

// To channels-first and back: arithmetic by channel is the same in both.
bool Chain::transpose(const Node& node) {
  using Axes = std::vector<std::int64_t>;
  const Axes axes = node.attrs.tuple("axes");
  const bool to_first = axes == Axes{0, 3, 1, 2} || axes == Axes{2, 0, 1};
  const bool to_last = axes == Axes{0, 2, 3, 1} || axes == Axes{1, 2, 0};
  const auto rank = static_cast<std::int64_t>(axes.size());
  if (!(planar_ ? to_last : to_first) || (rank_ != 0 && rank_ != rank)) return false;
  rank_ = rank;
  planar_ = to_first;
  return true;
}

bool Chain::normalize(const Node& node) {
  if (!planar_ || first_ == "none") return false;
  const graph::Attrs& attrs = node.attrs;
  for (const char* name : {"mean", "std"}) {
    if (attrs.given(name) && attrs.number_tuple(name).empty()) return false;
  }
  if (attrs.given("mean")) add_step("mean", attrs.number_tuple("mean"));
  if (attrs.given("std")) add_step("std", attrs.number_tuple("std"));
  return of_images_ = true;
}

bool Chain::broadcast(const std::string& step, const Parameter* constant) {
  if (constant == nullptr || constant->dtype() != DType::float32) return false;
  const Shape& shape = constant->shape();
  const std::size_t from_end = planar_ ? 3 : 1;
  const std::int64_t count = shape.rank() >= from_end ? shape[shape.rank() - from_end] : 1;
  constexpr std::int64_t kMostChannels = 512;
  if (shape.rank() > 4 || count < 1 || count > kMostChannels || count != constant->elements()) return false;
  if (first_ == "none") first_ = "float32";  // both operands have one dtype
  const auto tensor = constant->value();
  const float* values = tensor->data<float>();
  add_step(step.c_str(), {values, values + count});
  constant_rank_ = std::max(constant_rank_, static_cast<std::int64_t>(shape.rank()));
  return true;
}

void Chain::add_step(const char* name, const std::vector<double>& numbers) {
  if (!steps_.empty()) steps_ += ' ';
  steps_ += name;
  counts_.push_back(static_cast<std::int64_t>(numbers.size()));
  numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
}

void Chain::write_to(graph::Attrs& attrs) const {
  const auto set_tuple = [&](const char* name, const Numbers& numbers) {
    if (numbers) attrs.set(name, int_tuple_of(*numbers));
  };
  set_tuple("region", region_);
  set_tuple("center", center_);
  set_tuple("size", size_);
  set_tuple("crop", crop_);
  set_tuple("center_crop", center_crop_);
  attrs.set("keep_ratio", keep_ratio_);
  attrs.set("interp", interp_);
  attrs.set("mirror", mirror_);
  attrs.set("flip", flip_);
  attrs.set("channels", channels_);
  attrs.set("first", first_);
  attrs.set("planar", planar_);
  attrs.set("steps", steps_);
  attrs.set("counts", int_tuple_of(counts_));
  attrs.set("numbers", numbers_);
  attrs.set("rank", rank_);
}

/// More than images are prepared with. Every node may begin a chain, and a long one is looked at from each
/// of its own.
constexpr std::size_t kMostChained = 64;

/// The nodes of a chain, and what they do together.
struct Found {
  std::vector<std::int32_t> nodes;
  Chain chain;
};

// What behind these operators begins a chain is as much an image's as at an input.
bool makes_images(const Node& node) {
  return node.op != nullptr &&
         (node.op->name == "_mxinfer_convert_color" || node.op->name == "_mxinfer_letterbox");
}

class Finder {
 public:
  explicit Finder(const Graph& graph) : graph_(graph), uses_(graph::count_uses(graph)) {
    readers_.assign(graph.nodes.size(), -1);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      for (Value input : graph.nodes[i].inputs)
        readers_[static_cast<std::size_t>(input.node)] = static_cast<std::int32_t>(i);
    }
  }

  /// The longest chain that begins with a node; fewer than two nodes if there is none.
  Found from(std::int32_t first) const {
    Found found;
    std::vector<std::int32_t> nodes;
    Chain chain;
    Value image = graph_.nodes[static_cast<std::size_t>(first)].inputs.empty()
                      ? Value{-1, 0}
                      : image_input(first).value_or(Value{-1, 0});
    if (image.node < 0) return found;
    const Node& source = node_of(graph_, image);
    const bool of_input = source.input_index >= 0 || makes_images(source);
    for (std::int32_t id = first; id >= 0 && nodes.size() < kMostChained; id = only_reader(id)) {
      const Node& node = graph_.nodes[static_cast<std::size_t>(id)];
      if (!nodes.empty() && !reads_image(node, nodes.back())) break;
      if (!chain.add(node, constant_of(node))) break;
      nodes.push_back(id);
      // A transpose and arithmetic alone may stand anywhere; they are an image's where the network begins.
      const bool is_image = chain.is_of_images() || (of_input && chain.is_planar());
      if (chain.is_complete() && is_image) found = {nodes, chain};
    }
    return found;
  }

  /// The input that the image comes from: the first that is not a parameter.
  std::optional<Value> image_input(std::int32_t id) const {
    for (Value input : graph_.nodes[static_cast<std::size_t>(id)].inputs) {
      if (!is_constant(input)) return input;
    }
    return std::nullopt;
  }

 private:
  bool is_constant(Value value) const { return node_of(graph_, value).constant != nullptr; }

  /// a - b and a / b have their parameter on the right; a + b and a * b on either side.
  const Parameter* constant_of(const Node& node) const {
    if (node.op == nullptr || node.inputs.size() != 2) return nullptr;
    const bool commutes = node.op->name == "broadcast_add" || node.op->name == "broadcast_mul";
    const std::size_t last = commutes && !is_constant(node.inputs[1]) ? 0 : 1;
    if (is_constant(node.inputs[1 - last])) return nullptr;
    return node_of(graph_, node.inputs[last]).constant.get();
  }

  bool reads_image(const Node& node, std::int32_t producer) const {
    return std::count_if(node.inputs.begin(), node.inputs.end(),
                         [&](Value input) { return input.node == producer; }) == 1;
  }

  std::int32_t only_reader(std::int32_t id) const {
    const auto& uses = uses_[static_cast<std::size_t>(id)];
    return uses.size() == 1 && uses[0] == 1 ? readers_[static_cast<std::size_t>(id)] : -1;
  }

  const Graph& graph_;
  std::vector<std::vector<int>> uses_;
  std::vector<std::int32_t> readers_;
};

Node fused_node(const Graph& graph, const Found& found, Value image) {
  const Node& last = graph.nodes[static_cast<std::size_t>(found.nodes.back())];
  Node fused = ops::make_node(last.name, "_mxinfer_image_chain", {}, {image});
  found.chain.write_to(fused.attrs);
  for (std::int32_t id : found.nodes) {
    const Node& node = graph.nodes[static_cast<std::size_t>(id)];
    fused.notes.insert(fused.notes.end(), node.notes.begin(), node.notes.end());
    fused.notes.push_back("'" + node.name + "' (" + node.op->name + ") fused in");
  }
  return fused;
}

}  // namespace

// Operators on images in a row (resize, crops, flips, cast, to_tensor, transpose to channels-first,
// normalize and other arithmetic with one number or one for each channel) become one _mxinfer_image_chain,
// with the same bits, if nothing else reads what is between them.
void fuse_image_chain(Graph& graph, const Goal& /*goal*/) {
  const Finder finder(graph);
  std::vector<bool> taken(graph.nodes.size(), false);
  std::vector<std::pair<std::int32_t, Node>> fused;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (taken[i] || graph.nodes[i].op == nullptr) continue;
    const auto id = static_cast<std::int32_t>(i);
    const Found found = finder.from(id);
    if (found.nodes.size() < 2) continue;
    for (std::int32_t node : found.nodes) taken[static_cast<std::size_t>(node)] = true;
    fused.emplace_back(found.nodes.back(), fused_node(graph, found, *finder.image_input(id)));
  }
  for (auto& [id, node] : fused) graph.nodes[static_cast<std::size_t>(id)] = std::move(node);
  if (!fused.empty()) graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
