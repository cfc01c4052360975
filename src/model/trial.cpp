#include "model/trial.h"

#include <algorithm>
#include <utility>

#include "passes/infer_outputs.h"

namespace mxinfer::api {
namespace {

using graph::Graph;

// The inputs' types; nullopt unless all shapes are known. Those of optional inputs are inferred from the
// others.
std::optional<std::vector<ops::TensorType>> input_types(const Graph& graph,
                                                        const std::vector<DataDesc>& inputs,
                                                        std::int64_t batch, std::int64_t side) {
  ops::PartialShapes shapes;
  std::vector<DType> dtypes;
  for (const DataDesc& input : inputs) {
    dtypes.push_back(input.dtype);
    if (input.shape.rank() == 0) {
      shapes.emplace_back();
    } else {
      shapes.emplace_back(input.is_optional ? input.shape : concrete_shape(input, batch, side));
    }
  }
  if (std::any_of(inputs.begin(), inputs.end(), [](const DataDesc& input) { return input.is_optional; }))
    shapes = passes::complete_inputs(graph, std::move(shapes), dtypes);
  std::vector<ops::TensorType> types;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!ops::is_known(shapes[i])) return std::nullopt;
    types.push_back({dtypes[i], *shapes[i]});
  }
  return types;
}

}  // namespace

Shape concrete_shape(const DataDesc& desc, std::int64_t batch, std::int64_t side) {
  Shape shape = desc.shape;
  const auto axis = batch_axis(desc);
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    if (shape[i] < 0) shape[i] = axis == i ? batch : side;
  }
  return shape;
}

std::optional<Trial> try_shapes(const Graph& graph, const std::vector<DataDesc>& inputs, std::int64_t batch,
                                std::int64_t side) {
  auto types = input_types(graph, inputs, batch, side);
  if (!types) return std::nullopt;
  try {
    std::vector<ops::TensorType> outputs = passes::infer_outputs(graph, *types);
    return Trial{std::move(*types), std::move(outputs)};
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string objection_to(const Graph& graph, const std::vector<DataDesc>& inputs, std::int64_t batch,
                         std::int64_t side) {
  const auto types = input_types(graph, inputs, batch, side);
  if (!types) return "";
  try {
    (void)passes::infer_outputs(graph, *types);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

Shape common_shape(const Shape& a, const Shape& b) {
  Shape shape = a;
  if (a.rank() != b.rank()) return {};
  for (std::size_t i = 0; i < a.rank(); ++i) {
    if (a[i] != b[i]) shape[i] = -1;
  }
  return shape;
}

}  // namespace mxinfer::api
