// RowVerdicts: remembers whether predictions on inputs of some types may run as one batch.
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
  /// nullopt if unknown.
  std::optional<bool> of(Span<const TensorView> inputs) const;
  /// Drops the oldest if there are too many.
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

/// Whether images may run together, as shown by the first list.
enum class RowsOfImages : std::uint8_t { unknown, independent, dependent };

/// Whether the numbers, dtypes and shapes of the inputs are equal.
bool are_of_same_types(Span<const TensorView> a, Span<const TensorView> b);

}  // namespace mxinfer::api
