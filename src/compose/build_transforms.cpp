#include "compose/build_transforms.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/checked.h"
#include "base/fail.h"
#include "compose/columns/row_constant.h"
#include "compose/transform_steps.h"
#include "ops/registry.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using ops::TensorType;

constexpr std::size_t kTrials = 3;
constexpr std::int64_t kHeights[kTrials] = {320, 448, 320};
constexpr std::int64_t kWidths[kTrials] = {416, 352, 416};
constexpr std::int64_t kBatches[kTrials] = {1, 1, 3};

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool is_image_operator(std::string_view op) {
  const ops::OpDef* known = ops::find_op(op);
  if (known != nullptr && known->traits.part != ops::ModelPart::image_transforms) return false;
  return starts_with(op, "_image_") || starts_with(op, "_cv") || starts_with(op, "_mxinfer_") ||
         starts_with(op, "_npx__image_");
}

// The operator with the step's name, with or without the prefix "_image_".
const ops::OpDef* find_operator(const std::string& name) {
  const ops::OpDef* op = ops::find_op(name);
  if (op == nullptr) op = ops::find_op("_image_" + name);
  return op == nullptr || op->made_by_passes ? nullptr : op;
}

// The base for a node's name: "random_crop" for "_image_random_crop".
std::string short_name(std::string name) {
  for (std::string_view prefix :
       {"_npx__image_", "_image_", "_mxinfer_", "_contrib_", "_npx_", "_npi_", "_"}) {
    if (starts_with(name, prefix)) return name.substr(prefix.size());
  }
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return name;
}

std::string describe_types(const Trials& types) {
  return ops::to_string(common_type(types));
}

void require_wanted(const Chain& chain, Wants wants) {
  const std::string given = describe_types(chain.types());
  if (chain.is_column() && (wants == Wants::pixels || wants == Wants::bytes)) {
    fail(ErrorCode::invalid_argument, "it is for images, but this is a column of a table, ", given);
  }
  const std::size_t rank = chain.types().front().shape.rank();
  if (wants == Wants::pixels && chain.layout() == Layout::chw) {
    fail(ErrorCode::invalid_argument, "it takes pixels with the channels last, (N, H, W, C), but gets ",
         given, " with the channels first; put it in front of to_tensor");
  }
  if (wants == Wants::pixels && rank != 4) {
    fail(ErrorCode::invalid_argument, "it takes pixels, (N, H, W, C), but gets ", given);
  }
  if (wants == Wants::channels_first && chain.layout() == Layout::hwc) {
    fail(ErrorCode::invalid_argument, "it takes pixels with the channels first, (N, C, H, W), but gets ",
         given, " with the channels last; put to_tensor in front of it");
  }
}

void refuse_unknown_attributes(const StepDef& kind, const Transform& step) {
  for (const auto& [name, value] : step.attrs) {
    std::string known;
    bool found = false;
    for (const graph::AttrSpec& spec : kind.attrs) {
      found = found || spec.name == name;
      known += (known.empty() ? "" : ", ") + spec.name;
    }
    if (found) continue;
    fail(ErrorCode::malformed, "it has no attribute '", printable(name), "'; it has ",
         known.empty() ? "none" : known);
  }
}

}  // namespace

TensorType common_type(const Trials& trials) {
  TensorType type = trials.front();
  for (const TensorType& other : trials) {
    if (other.shape.rank() != type.shape.rank()) return {type.dtype, {}};
    for (std::size_t i = 0; i < type.shape.rank(); ++i) {
      if (other.shape[i] != type.shape[i]) type.shape[i] = -1;
    }
  }
  return type;
}

Trials trials_of(const DataDesc& desc, int scale) {
  Trials trials;
  const auto batch = batch_axis(desc);
  const std::size_t rank = desc.shape.rank();
  const bool channels_last = rank > 0 && !desc.layout.empty() && desc.layout.back() == 'C';
  const std::size_t height = channels_last ? rank - 3 : rank - 2;
  for (std::size_t t = 0; t < kTrials; ++t) {
    Shape shape = desc.shape;
    for (std::size_t i = 0; i < rank; ++i) {
      if (shape[i] >= 0) continue;
      shape[i] = batch == i ? kBatches[t] : (rank > 2 && i == height ? kHeights[t] : kWidths[t]) * scale;
    }
    trials.push_back({desc.dtype, shape});
  }
  return trials;
}

Chain::Chain(Trials types, Layout layout) : start_(types), current_(std::move(types)), layout_(layout) {}

void Chain::warn(std::string text) {
  text = concat("step ", step_, ": ", text);
  if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end()) warnings_.push_back(text);
}

Chain::Link Chain::make_link(const std::string& op, std::map<std::string, std::string> attrs,
                             std::vector<double> row) const {
  Link link;
  link.row = std::move(row);
  link.name = step_;
  link.op = op;
  link.attrs = std::move(attrs);
  link.input = static_cast<int>(links_.size()) - 1;
  const ops::OpDef* def = ops::find_op(op);
  if (def == nullptr) fail(ErrorCode::unsupported, "operator ", printable(op), " is not supported");
  const graph::Attrs parsed = graph::parse_attrs(def->attrs, link.attrs);
  const ops::PortNames ports = ops::input_ports(*def, parsed);
  const std::size_t inputs = link.row.empty() ? 1 : 2;
  if (ports.names.size() != inputs) {
    fail(ErrorCode::invalid_argument, "operator ", printable(op), " takes ", ports.names.size(),
         " inputs; a step takes one");
  }
  link.outputs.resize(ops::output_count(*def, parsed));
  for (const TensorType& type : current_) {
    std::vector<TensorType> given(inputs, type);
    if (inputs > 1) given[1].shape = {1, static_cast<std::int64_t>(link.row.size())};
    const std::vector<TensorType> outputs = def->infer({parsed, given});
    for (std::size_t o = 0; o < link.outputs.size(); ++o) {
      (void)outputs.at(o).shape.elements();
      link.outputs[o].push_back(outputs[o]);
    }
  }
  return link;
}

void Chain::append(const std::string& op, std::map<std::string, std::string> attrs) {
  append(make_link(op, std::move(attrs)));
}

void Chain::append_with_row(const std::string& op, std::vector<double> row) {
  append(make_link(op, {}, std::move(row)));
}

void Chain::append(Link link) {
  const bool same = link.outputs[0].front().shape == current_.front().shape;
  if (!same && !is_image_operator(link.op)) layout_ = Layout::unknown;
  current_ = link.outputs[0];
  links_.push_back(std::move(link));
  ends_ = {links_.size() - 1};
  meanings_.clear();
}

void Chain::append_reader(const std::string& op, std::map<std::string, std::string> attrs) {
  if (!links_.empty()) {
    fail(ErrorCode::invalid_argument, "it takes the bytes of a file, so it must be the first step");
  }
  const ops::OpDef* def = ops::find_op(op);
  if (def == nullptr) fail(ErrorCode::unsupported, "operator ", printable(op), " is not supported");
  (void)graph::parse_attrs(def->attrs, attrs);
  Link link;
  link.name = step_;
  link.op = op;
  link.attrs = std::move(attrs);
  link.outputs = {current_};
  links_.push_back(std::move(link));
  ends_ = {0};
}

void Chain::split(const std::vector<Branch>& branches) {
  std::vector<Link> links;
  const int input = static_cast<int>(links_.size()) - 1;
  for (const Branch& branch : branches) {
    links.push_back(make_link(branch.op, branch.attrs));
    links.back().name = branch.name;
    links.back().input = input;
  }
  ends_.clear();
  meanings_.clear();
  current_ = links.front().outputs[0];
  for (std::size_t i = 0; i < links.size(); ++i) {
    links_.push_back(std::move(links[i]));
    ends_.push_back(links_.size() - 1);
    meanings_.push_back(branches[i].meaning);
  }
}

void Chain::add(const Transform& step) {
  const bool several = ends_.size() > 1 || (!links_.empty() && links_[ends_[0]].outputs.size() > 1);
  if (several) {
    fail(ErrorCode::invalid_argument, "step ", step_, " gives several values, so it must be the last one");
  }
  const StepDef* kind = find_step(step.op);
  if (kind != nullptr) {
    step_ = step.op;
    refuse_unknown_attributes(*kind, step);
    require_wanted(*this, kind->wants);
    kind->expand(graph::parse_attrs(kind->attrs, step.attrs), *this);
    return;
  }
  const ops::OpDef* op = find_operator(step.op);
  if (op == nullptr) {
    fail(ErrorCode::invalid_argument, "there is no such step; the steps are ", step_names(),
         ", and every operator with one input in docs/reference/operators.md");
  }
  step_ = short_name(step.op);
  if (ops::reads_file(op->traits.image_source)) return append_reader(op->name, step.attrs);
  append(op->name, step.attrs);
  if (starts_with(op->name, "_image_random_")) {
    warn("it draws random numbers at inference too; to load the model, set LoadOptions::random_transforms");
  }
  if (op->name == "_image_to_tensor") layout_ = Layout::chw;
}

std::string Chain::trace() const {
  std::string text = describe_types(start_);
  for (const Link& link : links_) text += concat(", ", link.name, ": ", describe_types(link.outputs[0]));
  return text;
}

void Chain::add_all(const std::vector<Transform>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    try {
      add(steps[i]);
    } catch (const Error& e) {
      throw Error(e.code(), concat("step ", i + 1, " of ", steps.size(), " (", printable(steps[i].op), ")",
                                   kTrail, e.what(), " (its input: ", trace(), ")"));
    }
  }
}

void Chain::set_column(bool is_text) {
  is_column_ = true;
  is_text_ = is_text;
}

void Chain::end_column(DType dtype) {
  const TensorType type = common_type(current_);
  const std::size_t rank = type.shape.rank();
  if (ends_.size() > 1 || rank < 1 || rank > 2 || (rank == 2 && type.shape[1] < 0)) {
    fail(ErrorCode::invalid_argument, "it becomes ", describe_types(current_),
         is_text() ? "; lookup turns each text into a number" : "; a column must end as (N) or (N, k)",
         " (its input: ", trace(), ")");
  }
  if (type.dtype != dtype) {
    step_ = "cast";
    append("Cast", {{"dtype", to_string(dtype)}});
  }
  if (rank == 2) return;
  step_ = "expand_dims";
  append("expand_dims", {{"axis", "1"}});
}

std::vector<ChainResult> Chain::append_to(Graph& graph, Value start, const std::string& prefix,
                                          std::vector<std::int32_t>* nodes) const {
  std::vector<Value> values;
  for (const Link& link : links_) {
    std::vector<Value> inputs = {link.input < 0 ? start : values[static_cast<std::size_t>(link.input)]};
    const std::string name = prefix + "_" + link.name;
    if (!link.row.empty()) inputs.push_back(append_row(graph, name, link.row, link.outputs[0].front().dtype));
    Node node = ops::make_node(fresh_name(graph, name), link.op, link.attrs, inputs);
    node.num_outputs = static_cast<std::int32_t>(link.outputs.size());
    values.push_back({graph::append(graph, std::move(node)), 0});
    if (nodes != nullptr) nodes->push_back(values.back().node);
  }
  if (links_.empty()) return {{start, start_, Meaning::unspecified}};
  std::vector<ChainResult> results;
  for (std::size_t end : ends_) {
    const std::size_t outputs = links_[end].outputs.size();
    for (std::size_t o = 0; o < outputs; ++o) {
      const std::size_t i = results.size();
      results.push_back({{values[end].node, static_cast<std::int32_t>(o)},
                         links_[end].outputs[o],
                         i < meanings_.size() ? meanings_[i] : Meaning::unspecified});
    }
  }
  return results;
}

bool is_for_images(const std::vector<Transform>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Transform& step) {
    if (const StepDef* kind = find_step(step.op)) {
      return kind->wants == Wants::pixels || kind->wants == Wants::bytes;
    }
    const ops::OpDef* op = find_operator(step.op);
    return op != nullptr && is_image_operator(op->name) && op->name != "_image_normalize";
  });
}

Reading reading_of(const std::vector<Transform>& steps) {
  Reading reading;
  if (steps.empty()) return reading;
  const Transform& first = steps.front();
  const ops::OpDef* op = find_step(first.op) != nullptr ? nullptr : find_operator(first.op);
  const ops::ImageSource source = op != nullptr ? op->traits.image_source : ops::ImageSource::none;
  if (first.op == "decode" || source == ops::ImageSource::encoded) reading.meaning = Meaning::encoded_image;
  if (first.op == "read_image" || source == ops::ImageSource::path) reading.meaning = Meaning::image_path;
  const auto flag = first.attrs.find("flag");
  if (flag != first.attrs.end() && (flag->second == "0" || flag->second == "False")) reading.channels = 1;
  return reading;
}

std::string fresh_name(const Graph& graph, const std::string& stem) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [&](const Node& node) { return node.name == name; });
  };
  std::size_t number = 0;
  while (taken(stem + std::to_string(number))) ++number;
  return stem + std::to_string(number);
}

}  // namespace mxinfer::api
