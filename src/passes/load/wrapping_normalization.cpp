#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "base/fail.h"
#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Node;
using MaybeDType = std::optional<DType>;

/// Operators between an input and its normalisation that give their input's dtype.
bool keeps_dtype(std::string_view op) {
  static const std::set<std::string_view>& kOthers = *new std::set<std::string_view>{
      "_copy",         "transpose",   "SwapAxis",    "expand_dims", "squeeze",
      "Reshape",       "slice",       "slice_axis",  "_cvimresize", "_cvcopyMakeBorder",
      "_np_transpose", "_np_squeeze", "_np_reshape", "_npx_reshape"};
  return op.starts_with("_image_") || op.starts_with("_mxinfer_") || kOthers.count(op) > 0;
}

using InputDTypes = std::map<std::string_view, DType>;

// Of several inputs of a name, the first.
InputDTypes by_name(const std::vector<DataDesc>& inputs) {
  InputDTypes dtypes;
  for (const DataDesc& desc : inputs) dtypes.emplace(desc.name, desc.dtype);
  return dtypes;
}

MaybeDType dtype_of_variable(const Node& node, const InputDTypes& inputs) {
  if (node.constant) return node.constant->dtype();
  const auto found = inputs.find(node.name);
  return found == inputs.end() ? MaybeDType() : found->second;
}

MaybeDType dtype_of_output(const Node& node, MaybeDType input) {
  if (node.op == nullptr) return std::nullopt;
  const std::string& op = node.op->name;
  if (ops::reads_file(node.op->traits.image_source) || op == "_cvimread") return DType::uint8;
  if (op == "Cast") return node.attrs.dtype("dtype");
  if (op == "_image_to_tensor") return DType::float32;
  const bool keeps = node.op->op_class == ops::OpClass::identity || keeps_dtype(op);
  return keeps ? input : MaybeDType();
}

bool is_whole(MaybeDType dtype) {
  return dtype == DType::uint8 || dtype == DType::int8 || dtype == DType::int32 || dtype == DType::int64;
}

}  // namespace

std::vector<std::string> find_wrapping_normalization(const graph::Graph& graph,
                                                     const std::vector<DataDesc>& inputs) {
  std::vector<std::string> warnings;
  const InputDTypes of_inputs = by_name(inputs);
  std::vector<MaybeDType> dtypes;
  for (const Node& node : graph.nodes) {
    const auto input =
        node.inputs.empty() ? MaybeDType() : dtypes[static_cast<std::size_t>(node.inputs[0].node)];
    dtypes.push_back(node.is_variable() ? dtype_of_variable(node, of_inputs) : dtype_of_output(node, input));
    if (node.op == nullptr || node.op->name != "_image_normalize" || !is_whole(input)) continue;
    warnings.push_back(
        concat(graph::describe(node), " normalises ", to_string(*input),
               " values, so its results are truncated to whole numbers and wrap around, as in MXNet; if that "
               "is not intended, put _image_to_tensor or a Cast to float32 in front of it"));
  }
  return warnings;
}

}  // namespace mxinfer::passes
