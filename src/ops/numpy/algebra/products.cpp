// NumPy's products of arrays: matmul, dot, tensordot.
#include <algorithm>

#include "ops/common/axes.h"
#include "ops/elementwise/elementwise.h"
#include "ops/nn/convolution/conv_params.h"
#include "ops/numpy/algebra/contraction.h"

namespace mxinfer::ops {
namespace {

[[noreturn]] void do_not_multiply(const Shape& a, const Shape& b, const std::string& why) {
  fail(ErrorCode::invalid_argument, "shapes ", to_string(a), " and ", to_string(b),
       " do not multiply: ", why);
}

void expect_equal_sizes(const Shape& a, const Shape& b, std::int64_t left, std::int64_t right) {
  if (left != right) do_not_multiply(a, b, concat(left, " elements meet ", right));
}

/// The dimensions before the last two, which broadcast.
void add_matmul_batch(Contraction& c, const Shape& a, const Shape& b, std::size_t a_rank,
                      std::size_t b_rank) {
  const std::vector<std::int64_t> of_a = row_major_strides(a), of_b = row_major_strides(b);
  const std::size_t count = std::max(a_rank, b_rank);
  for (std::size_t d = 0; d < count; ++d) {
    ContractionDim dim;
    const bool in_a = d + a_rank >= count, in_b = d + b_rank >= count;
    const std::size_t i = in_a ? d + a_rank - count : 0, k = in_b ? d + b_rank - count : 0;
    const std::int64_t left = in_a ? a[i] : 1, right = in_b ? b[k] : 1;
    if (left != right && left != 1 && right != 1)
      do_not_multiply(a, b, concat("sizes ", left, " and ", right, " do not broadcast"));
    dim.size = left == 1 ? right : left;
    if (left != 1) dim.a = of_a[i];
    if (right != 1) dim.b = of_b[k];
    c.batch.push_back(dim);
  }
}

Contraction matmul_of(const Shape& a, const Shape& b) {
  if (a.rank() == 0 || b.rank() == 0) do_not_multiply(a, b, "matmul takes no scalars");
  const std::int64_t depth = a.back();
  const std::size_t b_depth = b.rank() == 1 ? 0 : b.rank() - 2;
  expect_equal_sizes(a, b, depth, b[b_depth]);
  Contraction c;
  const std::vector<std::int64_t> of_a = row_major_strides(a), of_b = row_major_strides(b);
  add_matmul_batch(c, a, b, a.rank() == 1 ? 0 : a.rank() - 2, b_depth);
  if (a.rank() > 1) c.rows.push_back({a[a.rank() - 2], of_a[a.rank() - 2], 0, 0});
  if (b.rank() > 1) c.columns.push_back({b.back(), 0, 1, 0});
  c.depth.push_back({depth, 1, of_b[b_depth], 0});
  return c;
}

/// Sums over pairs of axes; the others are the output's, those of a first.
Contraction over_axes(const Shape& a, const Shape& b, const std::vector<std::size_t>& a_axes,
                      const std::vector<std::size_t>& b_axes) {
  Contraction c;
  const std::vector<std::int64_t> of_a = row_major_strides(a), of_b = row_major_strides(b);
  for (std::size_t i = 0; i < a_axes.size(); ++i) {
    expect_equal_sizes(a, b, a[a_axes[i]], b[b_axes[i]]);
    c.depth.push_back({a[a_axes[i]], of_a[a_axes[i]], of_b[b_axes[i]], 0});
  }
  const auto is_in = [](const std::vector<std::size_t>& axes, std::size_t axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
  };
  for (std::size_t d = 0; d < a.rank(); ++d) {
    if (!is_in(a_axes, d)) c.rows.push_back({a[d], of_a[d], 0, 0});
  }
  for (std::size_t d = 0; d < b.rank(); ++d) {
    if (!is_in(b_axes, d)) c.columns.push_back({b[d], 0, of_b[d], 0});
  }
  return c;
}

Contraction dot_of(const Shape& a, const Shape& b) {
  if (a.rank() == 0 || b.rank() == 0) return over_axes(a, b, {}, {});
  return over_axes(a, b, {a.rank() - 1}, {b.rank() == 1 ? 0 : b.rank() - 2});
}

Contraction tensordot_of(const Attrs& attrs, const Shape& a, const Shape& b) {
  const std::vector<std::size_t> a_axes =
      resolve_axes("a_axes_summed", attrs.tuple("a_axes_summed"), a.rank());
  const std::vector<std::size_t> b_axes =
      resolve_axes("b_axes_summed", attrs.tuple("b_axes_summed"), b.rank());
  if (a_axes.size() != b_axes.size())
    fail(ErrorCode::invalid_argument, "a_axes_summed lists ", a_axes.size(), " axes, b_axes_summed ",
         b_axes.size(), ": expected as many");
  return over_axes(a, b, a_axes, b_axes);
}

/// The last axes of a meet the first of b.
Contraction tensordot_of(std::int64_t axes, const Shape& a, const Shape& b) {
  const auto most = static_cast<std::int64_t>(std::min(a.rank(), b.rank()));
  if (axes > most)
    fail(ErrorCode::invalid_argument, "axes=", axes, ": shapes ", to_string(a), " and ", to_string(b),
         " have at most ", most, " axes to sum over");
  std::vector<std::size_t> a_axes, b_axes;
  for (std::int64_t i = 0; i < axes; ++i) {  // none if it is negative, as in MXNet
    a_axes.push_back(a.rank() - static_cast<std::size_t>(axes - i));
    b_axes.push_back(static_cast<std::size_t>(i));
  }
  return over_axes(a, b, a_axes, b_axes);
}

Shape shape_of(const Contraction& c) {
  Shape shape;
  for (const auto* dims : {&c.batch, &c.rows, &c.columns}) {
    for (const ContractionDim& dim : *dims) shape.push_back(dim.size);
  }
  return shape;
}

OpDef product_def(const char* name, const char* summary) {
  OpDef op{.name = name, .summary = summary};
  op.inputs = named_ports({"a", "b"});
  op.traits.float16_on_gpus = true;
  op.infer = [name = std::string(name)](const InferContext& context) -> std::vector<TensorType> {
    expect_float_inputs(context);
    return {{context.dtype(0),
             shape_of(numpy_product_of(name, context.attrs, context.shape(0), context.shape(1)))}};
  };
  op.lower = [name = std::string(name)](LowerContext& context) {
    return contraction_step(
        context, numpy_product_of(name, context.attrs(), context.input(0).shape, context.input(1).shape));
  };
  return op;
}

}  // namespace

Contraction numpy_product_of(const std::string& op, const Attrs& attrs, const Shape& a, const Shape& b) {
  Contraction c = op == "_npi_matmul"               ? matmul_of(a, b)
                  : op == "_np_dot"                 ? dot_of(a, b)
                  : op == "_npi_tensordot_int_axes" ? tensordot_of(attrs.integer("axes"), a, b)
                                                    : tensordot_of(attrs, a, b);
  set_dense_output(c);
  return c;
}

std::vector<OpDef> numpy_product_ops() {
  OpDef matmul = product_def("_npi_matmul",
                             "Multiplies the matrices in the last two dimensions; the others broadcast, and "
                             "a vector is a row on the left, a column on the right.");
  OpDef dot = product_def(
      "_np_dot", "Sums products over the last dimension of a and the last but one of b; scalars multiply.");
  OpDef tensordot =
      product_def("_npi_tensordot", "Sums products over a_axes_summed of a and b_axes_summed of b.");
  tensordot.attrs = {tuple_attr("a_axes_summed"), tuple_attr("b_axes_summed")};
  OpDef int_axes = product_def("_npi_tensordot_int_axes",
                               "Sums products over the last `axes` dimensions of a and the first of b.");
  int_axes.attrs = {integer_attr("axes")};
  return {std::move(matmul), std::move(dot), std::move(tensordot), std::move(int_axes)};
}

}  // namespace mxinfer::ops
