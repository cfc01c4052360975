#include "fuzz/random_model.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "base/fail.h"
#include "ops/registry.h"
#include "support/files/params_writer.h"

namespace mxinfer::test {
namespace {

using nlohmann::json;

constexpr std::int64_t kIntegers[] = {1,
                                      2,
                                      0,
                                      3,
                                      -1,
                                      4,
                                      5,
                                      -2,
                                      8,
                                      16,
                                      7,
                                      -3,
                                      100,
                                      -100,
                                      1000,
                                      std::int64_t{1} << 31,
                                      (std::int64_t{1} << 31) - 1,
                                      -(std::int64_t{1} << 31),
                                      std::int64_t{1} << 40,
                                      std::int64_t{1} << 61,
                                      std::int64_t{1} << 62,
                                      std::numeric_limits<std::int64_t>::max(),
                                      std::numeric_limits<std::int64_t>::max() - 3,
                                      std::numeric_limits<std::int64_t>::min()};
constexpr const char* kNumbers[] = {"1",    "0.5", "0",      "2",    "-1",    "1e-05", "0.25",
                                    "-0.5", "16",  "100",    "1e10", "-1e10", "1e30",  "inf",
                                    "-inf", "nan", "1e-300", "3",    "1e300", "-0.0"};
// Shapes that operators know, so that many a node gets what it wants.
const std::vector<std::vector<std::int64_t>> kShapes = {
    {1, 3, 8, 8}, {2, 3},    {4},          {2, 4, 5, 5}, {1, 2, 6}, {3, 4},
    {1},          {2, 3, 4}, {8, 8, 3},    {1, 8, 8, 3}, {5, 5},    {1, 4, 8, 8},
    {3, 3},       {2},       {4, 3, 3, 3}, {8},          {16, 8},   {1, 1},
    {1, 6, 5},    {1, 8, 4}, {3},          {2, 2, 2, 2}, {6, 4},    {1, 3, 2, 4, 4},
    {4, 4},       {}};

std::string text_of(std::int64_t value) {
  return std::to_string(value);
}

// Attributes from which ports, steps or whole tensors are made: small, so that a model ends in time.
bool is_count(const std::string& name) {
  static const std::set<std::string> kNames = {
      "num_args",   "num_outputs",  "num_weights",    "num_tensors",         "num_arrays",
      "sections",   "num_out_data", "max_iterations", "num_layers",          "state_size",
      "num_filter", "num_hidden",   "num_group",      "num_deformable_group"};
  return kNames.count(name) > 0;
}

class Maker {
 public:
  explicit Maker(ByteChoices& choices) : choices_(choices) {}

  RandomModel make() {
    Body body;
    add_nodes(body, 1 + choices_.below(4), 2);
    RandomModel model;
    model.symbol = to_json(body, 1 + choices_.below(3)).dump(-1, ' ', false, json::error_handler_t::replace);
    model.params = params_.finish();
    model.inputs = std::move(inputs_);
    if (choices_.one_in(8)) model.transforms = transforms();
    return model;
  }

 private:
  struct Body {
    json nodes = json::array();
    std::vector<std::pair<std::size_t, std::size_t>> values;  ///< node, output
    bool inner = false;
  };

  // ---- attributes ----

  std::int64_t integer() {
    return kIntegers[choices_.one_in(3) ? choices_.below(std::size(kIntegers)) : choices_.below(8)];
  }
  std::string number() {
    return kNumbers[choices_.one_in(3) ? choices_.below(std::size(kNumbers)) : choices_.below(4)];
  }

  std::string tuple() {
    static constexpr std::size_t kLengths[] = {2, 2, 1, 3, 0, 4, 2, 5, 8};
    const std::size_t length = kLengths[choices_.below(std::size(kLengths))];
    std::string text = "(";
    for (std::size_t i = 0; i < length; ++i) {
      text += (i > 0 ? ", " : "") + (choices_.one_in(24) ? std::string("None") : text_of(integer()));
    }
    return text + (length == 1 ? ",)" : ")");
  }

  std::string number_tuple() {
    const std::size_t length = choices_.below(6);
    std::string text = "(";
    for (std::size_t i = 0; i < length; ++i) text += (i > 0 ? ", " : "") + number();
    return text + (length == 1 ? ",)" : ")");
  }

  std::string value_of(const graph::AttrSpec& spec) {
    if (spec.nullable && choices_.one_in(4)) return "None";
    if (choices_.one_in(64)) return choices_.pick<const char*>({"", "None", "(", "x", "1.5", "True", "(1,2"});
    switch (spec.kind) {
      case graph::AttrKind::integer:
        return text_of(is_count(spec.name) ? static_cast<std::int64_t>(1 + choices_.below(4)) : integer());
      case graph::AttrKind::number:
        return number();
      case graph::AttrKind::flag:
        return choices_.pick<const char*>({"True", "False"});
      case graph::AttrKind::text:
        return choices_.pick<const char*>({"", "float32", "x", "ij,jk->ik", "{}", "(1, 2)"});
      case graph::AttrKind::choice:
        return spec.choices.empty() ? std::string() : choices_.of(spec.choices);
      case graph::AttrKind::int_tuple:
        return tuple();
      case graph::AttrKind::number_tuple:
        return number_tuple();
    }
    return "";
  }

  std::map<std::string, std::string> attributes(const ops::OpDef& op) {
    std::map<std::string, std::string> attrs;
    for (const graph::AttrSpec& spec : op.attrs) {
      if (spec.required ? !choices_.one_in(32) : choices_.one_in(3)) attrs[spec.name] = value_of(spec);
    }
    return attrs;
  }

  // ---- tensors ----

  std::vector<std::int64_t> shape() {
    if (!choices_.one_in(4)) return choices_.of(kShapes);
    std::vector<std::int64_t> dims(choices_.below(7));
    std::int64_t elements = 1;
    for (std::int64_t& dim : dims) {
      dim = static_cast<std::int64_t>(choices_.below(6));
      elements *= dim;
    }
    // A tensor without elements may have sides of any length.
    if (elements == 0 && choices_.one_in(2)) {
      for (std::int64_t& dim : dims) {
        if (dim > 0) dim = choices_.pick<std::int64_t>({1, 3, 1 << 20, 1ll << 31, 1ll << 40, 1ll << 62});
      }
    }
    return dims;
  }

  // Whether the sides can be multiplied, in any order.
  static bool count(const std::vector<std::int64_t>& dims) {
    double elements = 1;
    for (const std::int64_t dim : dims) elements *= static_cast<double>(std::max<std::int64_t>(dim, 1));
    return elements < 9e18;
  }

  DType dtype() {
    if (!choices_.one_in(4)) return DType::float32;
    return static_cast<DType>(choices_.below(13));
  }

  double element() {
    switch (choices_.below(8)) {
      case 0:
        return 1;
      case 1:
        return static_cast<double>(choices_.below(256)) / 64 - 2;
      case 2:
        return static_cast<double>(choices_.below(8));
      case 3:
        return 0;
      case 4:
        return -static_cast<double>(choices_.below(8));
      case 5:
        return choices_.pick<double>(
            {NAN, INFINITY, -INFINITY, 1e-40, 1e38, -1e38, 2147483647.0, -2147483648.0, 1e19});
      default:
        return static_cast<double>(choices_.below(256)) / 256;
    }
  }

  template <typename T>
  void fill(Tensor& tensor) {
    // A few values are drawn; the rest repeats them.
    double drawn[5];
    for (double& value : drawn) value = element();
    T* out = tensor.data<T>();
    for (std::int64_t i = 0; i < tensor.shape().elements(); ++i) out[i] = as<T>(drawn[i * 7 % 5]);
  }

  template <typename T>
  static T as(double value) {
    if constexpr (std::is_integral_v<T>) {
      if (std::isnan(value)) return 0;
      if (value >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
      if (value <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
      return static_cast<T>(value);
    } else {
      return static_cast<T>(static_cast<float>(value));
    }
  }

  Tensor tensor() {
    const auto dims = shape();
    Shape shape;
    for (const std::int64_t dim : dims) shape.push_back(dim);
    Tensor made(dtype(), count(dims) ? shape : Shape{2});
    switch (made.dtype()) {
      case DType::float32:
        fill<float>(made);
        break;
      case DType::float64:
        fill<double>(made);
        break;
      case DType::float16:
        fill<Half>(made);
        break;
      case DType::bfloat16:
        fill<BFloat16>(made);
        break;
      case DType::uint8:
        fill<std::uint8_t>(made);
        break;
      case DType::int8:
        fill<std::int8_t>(made);
        break;
      case DType::int32:
        fill<std::int32_t>(made);
        break;
      case DType::int64:
        fill<std::int64_t>(made);
        break;
      default:
        std::memset(made.raw(), 1, made.bytes());
    }
    return made;
  }

  static Record record(const Tensor& tensor) {
    const auto* first = static_cast<const std::byte*>(tensor.raw());
    const Dims dims(tensor.shape().begin(), tensor.shape().end());
    return dense_v3(tensor.dtype(), dims, {first, first + tensor.bytes()});
  }

  // ---- nodes ----

  std::pair<std::size_t, std::size_t> variable(Body& body, const std::string& port) {
    const std::size_t id = body.nodes.size();
    const std::string name =
        (body.inner ? "b" : "v") + std::to_string(variables_++) + (port.empty() ? "" : "_" + port);
    json node{{"op", "null"}, {"name", name}, {"inputs", json::array()}};
    if (!body.inner) {
      Tensor value = tensor();
      // Weights are mostly parameters, data mostly inputs.
      const bool is_data = port.empty() || port == "data" || port == "lhs" || port == "rhs";
      if (choices_.one_in(3) == is_data) {
        params_.add("arg:" + name, record(value));
      } else {
        node["attrs"]["__dtype__"] = std::to_string(static_cast<int>(value.dtype()));
        if (!choices_.one_in(8))
          node["attrs"]["__shape__"] = choices_.one_in(8) ? tuple() : to_string(value.shape());
        inputs_.emplace(name, std::move(value));
      }
    }
    body.nodes.push_back(std::move(node));
    body.values.emplace_back(id, 0);
    return {id, 0};
  }

  std::pair<std::size_t, std::size_t> value(Body& body, const std::string& port) {
    if (body.values.empty() || choices_.one_in(3)) return variable(body, port);
    if (choices_.one_in(2)) return body.values.back();
    return choices_.of(body.values);
  }

  static ops::PortNames ports_of(const ops::OpDef& op, const std::map<std::string, std::string>& attrs,
                                 bool outputs) {
    try {
      const graph::Attrs parsed = graph::parse_attrs(op.attrs, attrs);
      return outputs ? ops::output_ports(op, parsed) : ops::input_ports(op, parsed);
    } catch (const Error&) {
      return {{"data"}};
    }
  }

  const ops::OpDef& operator_of(std::size_t depth) {
    while (true) {
      const ops::OpDef& op = *choices_.of(ops::all_ops());
      if (!op.made_by_passes && (op.subgraphs == 0 || depth > 0)) return op;
      if (op.made_by_passes || op.subgraphs > 0) return *ops::find_op("relu");
    }
  }

  void add_nodes(Body& body, std::size_t count, std::size_t depth) {
    for (std::size_t n = 0; n < count; ++n) {
      if (depth > 0 && choices_.one_in(12)) {
        add_loop(body, depth);
      } else {
        add_operator(body, depth);
      }
    }
  }

  void add_operator(Body& body, std::size_t depth) {
    const ops::OpDef& op = operator_of(depth);
    auto attrs = attributes(op);
    const ops::PortNames ports = ports_of(op, attrs, false);
    json inputs = json::array();
    std::size_t count = ports.names.size();
    if (!ports.fixed) count = std::max<std::size_t>(count, 1 + choices_.below(3));
    if (!ports.fixed && op.attrs.size() > 0) attrs["num_args"] = std::to_string(count);
    if (choices_.one_in(64)) ++count;
    for (std::size_t i = 0; i < count; ++i) {
      const auto from = value(body, i < ports.names.size() ? ports.names[i] : "");
      inputs.push_back({from.first, from.second, 0});
    }
    if (!ports.fixed && !has_attribute(op, "num_args")) attrs.erase("num_args");
    json node{{"op", op.name},
              {"name", "n" + std::to_string(names_++)},
              {"inputs", std::move(inputs)},
              {"attrs", attrs}};
    if (choices_.one_in(24)) mark_connector(node);
    for (std::size_t k = 0; k < op.subgraphs; ++k)
      node["subgraphs"].push_back(subgraph(1 + choices_.below(3), depth));
    push(body, std::move(node), ports_of(op, attrs, true).names.size());
  }

  // As attaching transforms marks the places between them and the network.
  void mark_connector(json& node) {
    node["attrs"]["__mxinfer_connector__"] =
        choices_.pick<const char*>({"batchify", "columns", "no_op", "x"});
    node["attrs"]["__mxinfer_index__"] = choices_.pick<const char*>({"0", "1", "2", "-1", "999999"});
    if (choices_.one_in(2))
      node["attrs"]["__mxinfer_name__"] = choices_.pick<const char*>({"v0_data", "v1", "x", ""});
  }

  static bool has_attribute(const ops::OpDef& op, const std::string& name) {
    for (const graph::AttrSpec& spec : op.attrs) {
      if (spec.name == name) return true;
    }
    return false;
  }

  void push(Body& body, json node, std::size_t outputs) {
    const std::size_t id = body.nodes.size();
    body.nodes.push_back(std::move(node));
    for (std::size_t o = 0; o < std::max<std::size_t>(outputs, 1); ++o) body.values.emplace_back(id, o);
  }

  json subgraph(std::size_t heads, std::size_t depth, std::size_t variables = 2) {
    Body body;
    body.inner = true;
    for (std::size_t i = 0; i < variables; ++i) variable(body, "");
    add_nodes(body, 1 + choices_.below(2), depth - 1);
    return to_json(body, heads);
  }

  static std::string locations(std::size_t first, std::size_t count) {
    std::string text = "(";
    for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + std::to_string(first + i);
    return text + (count == 1 ? ",)" : ")");
  }

  // A loop or a branch whose places fit, so that its body is run.
  void add_loop(Body& body, std::size_t depth) {
    json node{{"name", "n" + std::to_string(names_++)}, {"inputs", json::array()}};
    const std::size_t outs = 1 + choices_.below(2);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto from = value(body, "data");
      node["inputs"].push_back({from.first, from.second, 0});
    }
    std::size_t outputs = outs;
    switch (choices_.below(3)) {
      case 0:
        outputs = outs + 1;
        node["op"] = "_foreach";
        node["attrs"] = {{"num_args", "3"},
                         {"num_outputs", std::to_string(outputs)},
                         {"num_out_data", std::to_string(outs)},
                         {"in_data_locs", "(0,)"},
                         {"in_state_locs", "(1,)"},
                         {"remain_locs", "()"}};
        node["subgraphs"] = {subgraph(outputs, depth)};
        break;
      case 1:
        outputs = outs + 1;
        node["op"] = "_while_loop";
        node["attrs"] = {{"num_args", "4"},
                         {"num_outputs", std::to_string(outputs)},
                         {"num_out_data", std::to_string(outs)},
                         {"max_iterations", std::to_string(1 + choices_.below(5))},
                         {"cond_input_locs", "(0, 1)"},
                         {"func_input_locs", "(0, 1)"},
                         {"func_var_locs", "(0,)"}};
        node["subgraphs"] = {subgraph(1, depth), subgraph(outputs, depth)};
        break;
      default:
        node["op"] = "_cond";
        node["attrs"] = {{"num_args", "5"},
                         {"num_outputs", std::to_string(outs)},
                         {"cond_input_locs", "(0,)"},
                         {"then_input_locs", "(0, 1)"},
                         {"else_input_locs", "(0, 1)"}};
        node["subgraphs"] = {subgraph(1, depth, 1), subgraph(outs, depth), subgraph(outs, depth)};
    }
    // Now and then a place that does not fit.
    if (choices_.one_in(16)) node["attrs"]["num_outputs"] = std::to_string(choices_.below(4));
    push(body, std::move(node), outputs);
  }

  json to_json(Body& body, std::size_t heads) {
    json arguments = json::array(), outputs = json::array();
    for (std::size_t id = 0; id < body.nodes.size(); ++id) {
      if (body.nodes[id]["op"] == "null") arguments.push_back(id);
    }
    for (std::size_t h = 0; h < heads; ++h) {
      const auto head = h == 0 ? body.values.back() : choices_.of(body.values);
      outputs.push_back({head.first, head.second, 0});
    }
    return {{"nodes", std::move(body.nodes)},
            {"arg_nodes", std::move(arguments)},
            {"heads", std::move(outputs)},
            {"attrs", {{"mxnet_version", {"int", 10901}}}}};
  }

  std::vector<Transform> transforms() {
    static constexpr const char* kNames[] = {
        "to_tensor",   "resize",    "normalize",     "cast",   "resize_short",
        "center_crop", "letterbox", "pad",           "decode", "flip_left_right",
        "scale",       "transpose", "convert_color", "crop",   "softmax"};
    std::vector<Transform> steps;
    for (std::size_t i = choices_.below(4); i < 4; ++i) {
      Transform step{choices_.of(kNames), {}};
      if (choices_.one_in(8)) step.op = choices_.of(ops::all_ops())->name;
      for (const char* name :
           {"size", "mean", "std", "dtype", "code", "axes", "value", "factor", "width", "height"}) {
        if (!choices_.one_in(3)) continue;
        step.attrs[name] =
            choices_.pick<std::string>({"(8, 8)", "8", "(0.5, 0.5, 0.5)", "float32", "rgb2bgr",
                                        "(0, 3, 1, 2)", number(), tuple(), text_of(integer())});
      }
      steps.push_back(std::move(step));
    }
    return steps;
  }

  ByteChoices& choices_;
  ParamsWriter params_;
  std::map<std::string, Tensor> inputs_;
  std::size_t variables_ = 0, names_ = 0;
};

}  // namespace

RandomModel random_model(ByteChoices& choices) {
  return Maker(choices).make();
}

}  // namespace mxinfer::test
