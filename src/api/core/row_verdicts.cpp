#include "api/core/row_verdicts.h"

#include <algorithm>
#include <utility>

#include "runtime/input_types.h"

namespace mxinfer::api {

std::optional<bool> RowVerdicts::of(Span<const TensorView> inputs) const {
  const std::lock_guard lock(mutex_);
  for (const Entry& entry : entries_) {
    if (runtime::are_of_types(inputs, entry.types)) return entry.are_independent;
  }
  return std::nullopt;
}

void RowVerdicts::keep(Span<const TensorView> inputs, bool are_independent) {
  std::vector<ops::TensorType> types = runtime::types_of(inputs);
  const std::lock_guard lock(mutex_);
  const auto known = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.types == types; });
  if (known != entries_.end()) {
    known->are_independent = known->are_independent && are_independent;
    return;
  }
  if (entries_.size() >= kMost) entries_.pop_front();
  entries_.push_back({std::move(types), are_independent});
}

bool are_of_same_types(Span<const TensorView> a, Span<const TensorView> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const TensorView& x, const TensorView& y) {
    return x.dtype() == y.dtype() && x.shape() == y.shape();
  });
}

}  // namespace mxinfer::api
