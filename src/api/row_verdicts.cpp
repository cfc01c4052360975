#include "api/row_verdicts.h"

#include <algorithm>

namespace mxinfer::api {

std::optional<bool> RowVerdicts::of(Span<const TensorView> inputs) const {
  const auto is_of = [](const ops::TensorType& type, const TensorView& input) {
    return type.dtype == input.dtype() && type.shape == input.shape();
  };
  const std::lock_guard lock(mutex_);
  for (const Entry& entry : entries_) {
    if (std::equal(entry.types.begin(), entry.types.end(), inputs.begin(), inputs.end(), is_of))
      return entry.are_independent;
  }
  return std::nullopt;
}

void RowVerdicts::keep(Span<const TensorView> inputs, bool are_independent) {
  std::vector<ops::TensorType> types;
  for (const TensorView& input : inputs) types.push_back({input.dtype(), input.shape()});
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
