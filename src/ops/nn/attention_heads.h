// Where the heads of multi-head attention lie in interleaved projections, (length, batch, heads * parts *
// head_dim).
//
//   const auto [queries, keys] = scores_sides(attrs, shapes);    // matrices of length x head_dim
//   const float* head = data + queries.at(i);                    // i < queries.count()
#pragma once

#include "ops/op_def.h"

namespace mxinfer::ops {

/// One head's part of a projection: a matrix (length x head_dim) whose rows are `step` elements apart.
struct Heads {
  std::int64_t length = 0, batch = 0, heads = 0, head_dim = 0;
  std::int64_t parts = 1;  ///< what lies side by side for a head
  std::int64_t part = 0;   ///< which of them this is

  std::int64_t step() const { return batch * heads * parts * head_dim; }
  /// Where the matrix of a head begins, with index = image * heads + head.
  std::int64_t at(std::int64_t index) const {
    const std::int64_t image = index / heads, head = index % heads;
    return ((image * heads + head) * parts + part) * head_dim;
  }
  std::int64_t count() const { return batch * heads; }
};

inline Heads heads_of(const Attrs& attrs, const Shape& shape, const char* name, std::int64_t parts,
                      std::int64_t part) {
  if (shape.rank() != 3) {
    fail(ErrorCode::invalid_argument, name, " has shape ", to_string(shape),
         ": expected (length, batch, projection)");
  }
  const std::int64_t heads = attrs.integer("heads");
  if (shape[2] % parts != 0 || shape[2] / parts % heads != 0) {
    fail(ErrorCode::invalid_argument, name, " has shape ", to_string(shape), ": its last dimension is not ",
         parts, " times a multiple of heads=", heads);
  }
  if (!checked_mul(shape[1], heads)) {
    fail(ErrorCode::invalid_argument, name, " has shape ", to_string(shape), ": a batch of ", shape[1],
         " times heads=", heads, " is too many");
  }
  return {shape[0], shape[1], heads, shape[2] / parts / heads, parts, part};
}

/// The left and right sides of queries times keys.
inline std::pair<Heads, Heads> scores_sides(const Attrs& attrs, const std::vector<Shape>& shapes) {
  if (shapes.size() == 1) {
    return {heads_of(attrs, shapes[0], "queries_keys_values", 3, 0),
            heads_of(attrs, shapes[0], "queries_keys_values", 3, 1)};
  }
  const Heads queries = heads_of(attrs, shapes[0], "queries", 1, 0);
  const Heads keys = heads_of(attrs, shapes[1], "keys_values", 2, 0);
  if (queries.batch != keys.batch || queries.head_dim != keys.head_dim) {
    fail(ErrorCode::invalid_argument, "queries of shape ", to_string(shapes[0]),
         " do not fit keys_values of shape ", to_string(shapes[1]),
         ": expected one batch, and keys_values twice as wide as queries");
  }
  return {queries, keys};
}

inline Heads values_side(const Attrs& attrs, const Shape& shape, bool self) {
  return self ? heads_of(attrs, shape, "queries_keys_values", 3, 2)
              : heads_of(attrs, shape, "keys_values", 2, 1);
}

}  // namespace mxinfer::ops
