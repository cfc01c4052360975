// Multi-head attention: for each head of each sample, and each query,
//
//   scores[j] = masked(scale * sum over d of query[d] * key[j][d]),        j < keys, d < width
//   weights = softmax(scores), times the mask if that says so
//   dst[d] = sum over j of weights[j] * value[j][d],                       d < value_width
//
//   attention_ref(args, scratch, 0, args.lines());            // scratch: args.keys numbers
//
// Strides say where queries, keys and values are, so that heads of interleaved projections are read where
// they lie.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/element_type.h"
#include "kernels/common/float_type.h"

namespace mxinfer::kernels {

/// The rows (words) of all heads; strides in elements. The elements of a row are side by side.
struct AttentionRows {
  const void* data = nullptr;
  std::int64_t batch = 0, head = 0, word = 0;
};

enum class AttentionMasking : std::uint8_t {
  none,
  lengths,  ///< weights of keys from the length of the query on are 0; lengths are integers
  where,    ///< the score is AttentionMask::fill where the mask is 0
  add,      ///< the mask, of float32, is added
};

/// Its element for a key of a query; strides in elements, 0 where all have the same.
struct AttentionMask {
  AttentionMasking masking = AttentionMasking::none;
  ElementType type = ElementType::float32;
  bool multiplies = false;  ///< weights are multiplied by the mask (`where`, float32), behind softmax
  float fill = 0;
  const void* data = nullptr;
  std::int64_t batch = 0, head = 0, query = 0, key = 0;
};

struct AttentionArgs {
  std::int64_t batch = 0, heads = 0, queries = 0, keys = 0, width = 0, value_width = 0;
  FloatType type = FloatType::float32;  ///< of q, k, v and out
  float scale = 1;
  AttentionRows q, k, v;
  AttentionRows out;  ///< written at dst
  void* dst = nullptr;
  AttentionMask mask;

  std::int64_t lines() const { return batch * heads * queries; }
};

/// Queries [begin, end) of lines(), of T: float or double.
template <typename T>
void attention_ref(const AttentionArgs& args, T* scratch, std::int64_t begin, std::int64_t end);

/// Calls body with a null pointer to elements of the mask's type, if masks may have it.
template <typename Body>
constexpr void with_mask_elements(ElementType type, const Body& body) {
  switch (type) {
    case ElementType::float32:
      return body(static_cast<const float*>(nullptr));
    case ElementType::float64:
      return body(static_cast<const double*>(nullptr));
    case ElementType::int32:
      return body(static_cast<const std::int32_t*>(nullptr));
    case ElementType::int64:
      return body(static_cast<const std::int64_t*>(nullptr));
    case ElementType::int8:
      return body(static_cast<const std::int8_t*>(nullptr));
    case ElementType::uint8:
    case ElementType::boolean:
      return body(static_cast<const std::uint8_t*>(nullptr));
    default:
      return;
  }
}
constexpr bool is_mask_type(ElementType type) {
  bool is_one = false;
  with_mask_elements(type, [&](auto) { is_one = true; });
  return is_one;
}

constexpr std::size_t mask_bytes(ElementType type) {
  std::size_t bytes = 0;
  with_mask_elements(type, [&](auto elements) { bytes = sizeof *elements; });
  return bytes;
}

}  // namespace mxinfer::kernels
