#include "model/complete_optional.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "passes/infer_outputs.h"

namespace mxinfer::api {

using ops::PartialShape;

void complete_optional(const ModelData& model, std::vector<PartialShape>& shapes) {
  const auto& descs = model.signature.inputs;
  if (std::all_of(shapes.begin(), shapes.end(), [](const PartialShape& shape) { return shape.has_value(); }))
    return;
  std::vector<DType> dtypes;
  for (std::size_t i = 0; i < descs.size(); ++i) {
    dtypes.push_back(descs[i].dtype);
    if (!shapes[i] && descs[i].shape.rank() > 0) shapes[i] = descs[i].shape;  // completion infers -1
  }
  shapes = passes::complete_inputs(model.graph, std::move(shapes), dtypes);
  for (std::size_t i = 0; i < descs.size(); ++i) {
    if (ops::is_known(shapes[i])) continue;
    fail(ErrorCode::invalid_argument, "input '", printable(descs[i].name),
         "' was not given, and the shape of its default, zeros, does not follow from the other inputs; give "
         "the input, or its shape in LoadOptions::inputs (--describe)");
  }
}

}  // namespace mxinfer::api
