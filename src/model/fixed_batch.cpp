#include "model/fixed_batch.h"

#include "tensor/data_desc.h"

namespace mxinfer::api {

std::optional<std::int64_t> fixed_batch(const std::vector<DataDesc>& inputs) {
  std::optional<std::int64_t> batch;
  for (const DataDesc& input : inputs) {
    const bool has_batch_in_front = input.shape.rank() > 0 && batch_axis(input) == std::size_t{0};
    if (is_file(input.meaning) || !has_batch_in_front || input.shape[0] < 1) return std::nullopt;
    if (batch && *batch != input.shape[0]) return std::nullopt;
    batch = input.shape[0];
  }
  return batch;
}

DataDesc with_any_batch(DataDesc desc) {
  const auto axis = desc.shape.rank() > 0 && !is_file(desc.meaning) ? batch_axis(desc) : std::nullopt;
  if (axis) desc.shape[*axis] = -1;
  return desc;
}

}  // namespace mxinfer::api
