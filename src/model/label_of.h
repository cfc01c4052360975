// The name of a class.
#pragma once

#include <mxinfer/model.h>

#include <cstdint>
#include <string>

namespace mxinfer::api {

/// The label at `index`; the index as text if the model has none there.
inline std::string label_of(const Model& model, std::int64_t index) {
  const auto& labels = model.labels();
  if (index < 0 || index >= static_cast<std::int64_t>(labels.size())) return std::to_string(index);
  return labels[static_cast<std::size_t>(index)];
}

}  // namespace mxinfer::api
