// RowVerdicts: whether predictions on inputs of some types may run as one batch, as it was found.
#pragma once

#include <mxinfer/span.h>
#include <mxinfer/tensor.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <vector>

#include "ops/op_def.h"

namespace mxinfer::api {

/// Thread-safe.
class RowVerdicts {
 public:
  /// Nothing if it is not known.
  std::optional<bool> of(Span<const TensorView> inputs) const;
  /// The oldest goes where there are too many.
  void keep(Span<const TensorView> inputs, bool are_independent);

 private:
  static constexpr std::size_t kMost = 64;
  struct Entry {
    std::vector<ops::TensorType> types;
    bool are_independent;
  };
  mutable std::mutex mutex_{};
  std::list<Entry> entries_{};
};

/// Whether images may run together, as the first list of them has shown.
enum class RowsOfImages : std::uint8_t { unknown, independent, dependent };

/// Whether inputs are as many, of the same dtypes and shapes.
bool are_of_same_types(Span<const TensorView> a, Span<const TensorView> b);

}  // namespace mxinfer::api
