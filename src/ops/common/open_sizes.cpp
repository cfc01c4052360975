#include "ops/common/open_sizes.h"

#include <algorithm>
#include <utility>

namespace mxinfer::ops {

std::vector<OpDef> open_and_bounded(OpDef op, const char* bounded_name, LowerFn lower) {
  OpDef bounded = op;
  bounded.name = bounded_name;
  bounded.aliases = {};
  bounded.made_by_passes = true;
  bounded.summary = concat(op.name, " with room for the most there can be, and the sizes.");
  bounded.outputs = [outputs = op.outputs](const Attrs& attrs) {
    PortNames ports;
    ports.count = outputs ? std::max<std::size_t>(outputs(attrs).count, outputs(attrs).names.size()) : 1;
    ++ports.count;
    return ports;
  };
  bounded.infer = [infer = op.infer](const InferContext& context) {
    std::vector<TensorType> types = infer(context);
    types.push_back(sizes_type(types.size()));
    return types;
  };
  bounded.lower = std::move(lower);
  op.bounded_form = bounded_name;
  op.lower = [](LowerContext&) -> Step {
    fail(ErrorCode::internal, "the size of its output depends on data, and the graph was not cut behind it");
  };
  return {std::move(op), std::move(bounded)};
}

}  // namespace mxinfer::ops
