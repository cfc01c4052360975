// _linalg_extractdiag, makediag, extracttrian, maketrian: between matrices and rows of their elements.
#include <algorithm>
#include <cmath>

#include "ops/common/axes.h"
#include "ops/common/copy_step.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 30;

/// A stretch of consecutive elements that belongs to a diagonal or triangle: `count` elements from `first`,
/// `step` apart in the matrix and side by side in the row.
struct Stretch {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t step = 1;
};

/// A diagonal or triangle of matrices of n x n: how many elements it has, and where they lie. Precondition:
/// n >= magnitude(offset); for stretches(), which lists them, also that n * n is a number.
struct Part {
  std::int64_t (*elements)(const Attrs&, std::int64_t n);
  std::vector<Stretch> (*stretches)(const Attrs&, std::int64_t n);
};

std::int64_t magnitude(std::int64_t offset) {
  if (offset < -kMostRows || offset > kMostRows)
    fail(ErrorCode::invalid_argument, "offset=", offset, " is outside of any matrix");
  return std::abs(offset);
}

std::int64_t diagonal_elements(const Attrs& attrs, std::int64_t n) {
  return n - magnitude(attrs.integer("offset"));
}

std::vector<Stretch> diagonal_stretches(const Attrs& attrs, std::int64_t n) {
  const std::int64_t offset = attrs.integer("offset");
  return {{offset >= 0 ? offset : -offset * n, diagonal_elements(attrs, n), n + 1}};
}

std::int64_t triangle_elements(const Attrs& attrs, std::int64_t n) {
  const std::int64_t size = n - magnitude(attrs.integer("offset"));
  const auto elements = checked_mul(size % 2 == 0 ? size / 2 : size, size % 2 == 0 ? size + 1 : size / 2 + 1);
  if (!elements) fail(ErrorCode::invalid_argument, "a triangle of ", size, " rows has too many elements");
  return *elements;
}

/// The triangle beyond the offset's diagonal: the lower one row by row, the upper one column by column. With
/// offset 0 `lower` says which.
std::vector<Stretch> triangle_stretches(const Attrs& attrs, std::int64_t n) {
  const std::int64_t offset = attrs.integer("offset"), size = n - magnitude(offset);
  const bool lower = offset < 0 || (offset == 0 && attrs.flag("lower"));
  std::vector<Stretch> stretches;
  for (std::int64_t i = 0; i < size; ++i)
    stretches.push_back(lower ? Stretch{(i - offset) * n, i + 1, 1} : Stretch{i + offset, i + 1, n});
  return stretches;
}

constexpr Part kDiagonal = {diagonal_elements, diagonal_stretches};
constexpr Part kTriangle = {triangle_elements, triangle_stretches};

/// One job for each stretch: from matrices to rows, or back.
std::vector<CopyJob> jobs_of(const Part& part, const Attrs& attrs, std::int64_t batch, std::int64_t n,
                             bool from_matrix) {
  std::vector<CopyJob> jobs;
  const std::int64_t elements = part.elements(attrs, n);
  std::int64_t place = 0;
  for (const Stretch& stretch : part.stretches(attrs, n)) {
    Walk walk;
    if (from_matrix) {
      walk.add(batch, n * n, elements);
      walk.add(stretch.count, stretch.step, 1);
    } else {
      walk.add(batch, elements, n * n);
      walk.add(stretch.count, 1, stretch.step);
    }
    (from_matrix ? walk.src_offset : walk.dst_offset) = stretch.first;
    (from_matrix ? walk.dst_offset : walk.src_offset) = place;
    jobs.push_back({0, 0, std::move(walk)});
    place += stretch.count;
  }
  return jobs;
}

Shape without_last(const Shape& shape, std::size_t count) {
  Shape out;
  for (std::size_t d = 0; d + count < shape.rank(); ++d) out.push_back(shape[d]);
  return out;
}

/// What extract and make have in common.
OpDef part_op(std::string name, std::string alias, std::string summary) {
  return {.name = std::move(name),
          .aliases = {std::move(alias)},
          .summary = std::move(summary),
          .attrs = {integer_attr("offset", 0)},
          .inputs = named_ports({"A"})};
}

OpDef extract_op(std::string name, std::string alias, std::string summary, const Part& part) {
  OpDef op = part_op(std::move(name), std::move(alias), std::move(summary));
  op.infer = [part](const InferContext& context) -> std::vector<TensorType> {
    require_float(context.dtype(0));
    const Shape& shape = context.shape(0);
    if (shape.rank() < 2 || shape[shape.rank() - 2] != shape.back()) {
      fail(ErrorCode::invalid_argument, "A has the shape ", to_string(shape), ": expected square matrices");
    }
    if (shape.back() <= magnitude(context.attrs.integer("offset"))) {
      fail(ErrorCode::invalid_argument, "offset=", context.attrs.integer("offset"),
           " is outside of matrices of shape ", to_string(shape));
    }
    Shape out = without_last(shape, 2);
    out.push_back(part.elements(context.attrs, shape.back()));
    return {{context.dtype(0), out}};
  };
  op.lower = [part](LowerContext& context) {
    const Shape& shape = context.input(0).shape;
    const std::int64_t n = shape.back();
    return copy_step(context, jobs_of(part, context.attrs(), shape.elements(0, shape.rank() - 2), n, true));
  };
  return op;
}

/// The size of the matrix whose part has `elements` elements, 0 if there is none.
using SizeFn = std::int64_t (*)(std::int64_t elements);

std::int64_t triangle_size(std::int64_t elements) {
  const auto size = static_cast<std::int64_t>((std::sqrt(8.0 * static_cast<double>(elements) + 1) - 1) / 2);
  for (std::int64_t n = std::max<std::int64_t>(1, size - 1); n <= size + 1; ++n) {
    if (n * (n + 1) / 2 == elements) return n;
  }
  return 0;
}

Shape made_shape(const InferContext& context, SizeFn size_of_part) {
  const Shape& shape = context.shape(0);
  require_rank_at_least(shape, 1);
  const std::int64_t elements = shape.back(), offset = context.attrs.integer("offset");
  const std::int64_t size = elements > kMostRows ? 0 : size_of_part(elements);
  if (size < 1) {
    fail(ErrorCode::invalid_argument, "A has the shape ", to_string(shape),
         ": its last dimension is not the size of ", "such a part of a matrix");
  }
  const std::int64_t n = size + magnitude(offset);
  Shape out = without_last(shape, 1);
  out.push_back(n);
  out.push_back(n);
  return out;
}

OpDef make_op(std::string name, std::string alias, std::string summary, const Part& part,
              SizeFn size_of_part) {
  OpDef op = part_op(std::move(name), std::move(alias), std::move(summary));
  op.infer = [size_of_part](const InferContext& context) -> std::vector<TensorType> {
    require_float(context.dtype(0));
    return {{context.dtype(0), made_shape(context, size_of_part)}};
  };
  op.lower = [part](LowerContext& context) {
    const Shape& shape = context.output(0).shape;
    const std::int64_t n = shape.back();
    std::vector<CopyJob> jobs{zeros_job(0, shape)};
    for (CopyJob& job : jobs_of(part, context.attrs(), shape.elements(0, shape.rank() - 2), n, false)) {
      jobs.push_back(std::move(job));
    }
    return copy_step(context, jobs);
  };
  return op;
}

}  // namespace

std::vector<OpDef> linalg_triangle_ops() {
  const auto any_size = [](std::int64_t elements) { return elements; };
  std::vector<OpDef> ops{
      extract_op("_linalg_extractdiag", "linalg_extractdiag", "The offset-th diagonal of each matrix.",
                 kDiagonal),
      make_op("_linalg_makediag", "linalg_makediag",
              "Matrices with the rows of A on their offset-th diagonals, and 0 elsewhere.", kDiagonal,
              any_size),
      extract_op(
          "_linalg_extracttrian", "linalg_extracttrian",
          "The elements of a triangle of each matrix, from the offset-th diagonal outwards: the lower "
          "triangle row by row, the upper one column by column. With offset 0, lower chooses the triangle.",
          kTriangle),
      make_op("_linalg_maketrian", "linalg_maketrian",
              "Matrices with the rows of A as their triangles, and 0 elsewhere; the inverse of extracttrian.",
              kTriangle, triangle_size)};
  ops[2].attrs.push_back(flag_attr("lower", true));
  ops[3].attrs.push_back(flag_attr("lower", true));
  return ops;
}

}  // namespace mxinfer::ops
