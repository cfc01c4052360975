#include "ops/elementwise/promotion.h"

#include <algorithm>

#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

/// Floats are above integers, integers above booleans; 0 for other dtypes.
int rank_of(DType dtype) {
  switch (dtype) {
    case DType::float16:
    case DType::float32:
    case DType::float64:
      return 3;
    case DType::uint8:
    case DType::int8:
    case DType::int32:
    case DType::int64:
      return 2;
    case DType::boolean:
      return 1;
    default:
      return 0;
  }
}

}  // namespace

std::optional<DType> promoted_dtype(DType a, DType b) {
  if (a == b) return a;
  const int rank_a = rank_of(a), rank_b = rank_of(b);
  if (rank_a == 0 || rank_b == 0) return std::nullopt;
  if (rank_a != rank_b) return rank_a > rank_b ? a : b;
  if (size_of(a) == size_of(b)) return std::nullopt;
  return size_of(a) > size_of(b) ? a : b;
}

std::optional<DType> quotient_dtype(DType a, DType b) {
  const int rank_a = rank_of(a), rank_b = rank_of(b);
  constexpr int kFloat = 3;
  if (rank_a == kFloat && rank_b == kFloat) return a == b ? std::optional(a) : std::nullopt;
  if (rank_a == kFloat || rank_b == kFloat) return promoted_dtype(a, b);
  if (a != b) return std::nullopt;
  return rank_a == 0 ? a : DType::float32;
}

MixedDType mixed_dtype(const graph::Node& node) {
  constexpr std::string_view kPromoting[] = {"_npi_add", "_npi_subtract", "_npi_multiply", "_npi_mod",
                                             "_npi_power"};
  if (node.op == nullptr) return nullptr;
  if (node.op->name == "_npi_true_divide") return quotient_dtype;
  const bool promotes =
      std::find(std::begin(kPromoting), std::end(kPromoting), node.op->name) != std::end(kPromoting);
  return promotes ? promoted_dtype : nullptr;
}

}  // namespace mxinfer::ops
