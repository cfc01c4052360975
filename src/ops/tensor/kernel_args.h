// What nodes of reductions, Pad, and of operators that search, sort, read and write by index ask of their
// kernels.
#pragma once

#include <optional>
#include <string_view>

#include "kernels/pad/pad.h"
#include "kernels/reduce/reduce.h"
#include "kernels/scatter/scatter.h"
#include "kernels/sort/sort.h"
#include "kernels/take/take.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

struct Reduction {
  std::string function;  ///< of kernels/reduce/reduce.h
  kernels::ReduceShape shape;
};

/// Neighbouring dimensions of one kind are merged.
kernels::ReduceShape reduce_shape(const Shape& shape, const std::vector<bool>& reduced);

/// Of an operator that reduction_names() lists.
Reduction reduction_of(const OpProblem& node);
std::vector<std::string> reduction_names();

kernels::ReduceShape moment_shape(const OpProblem& node);

kernels::PadArgs pad_args(const OpProblem& node);
/// Of _npi_pad, in a mode other than maximum and minimum.
kernels::PadArgs numpy_pad_args(const OpProblem& node);

/// Lines of `size` elements that lie `inner` apart.
struct ArgLines {
  std::int64_t count = 0, size = 1, inner = 1;
  bool largest = true;
};

ArgLines arg_lines(const OpProblem& node);

/// Rows [outer][length][inner], and which outputs are made, in this order.
struct Sorted {
  std::int64_t outer = 1;
  kernels::SortArgs args;  ///< without operands
  Shape kept;              ///< the input's shape with k elements along the axis
  bool values = false;
  bool indices = false;
  bool mask = false;
};

/// Throw Error(invalid_argument) for an axis or a k that the shape does not have.
using SortedFn = Sorted (*)(const Attrs& attrs, const Shape& shape);
Sorted topk_of(const Attrs& attrs, const Shape& shape);
Sorted sort_of(const Attrs& attrs, const Shape& shape);
Sorted argsort_of(const Attrs& attrs, const Shape& shape);

/// The arguments with the memory of this run.
kernels::SortArgs with_operands(const Sorted& sorted, const RunContext& run);

/// Rows of `data` along `axis`, `count` of them.
kernels::TakeArgs take_args(const TensorType& data, std::size_t axis, std::int64_t count,
                            kernels::IndexMode mode);
/// clip unless the attribute `mode` is wrap.
kernels::IndexMode take_mode(const Attrs& attrs);
/// Of pick and batch_take, whose data is input 0.
kernels::PickArgs pick_args(const OpProblem& node);
kernels::PickArgs batch_take_args(const OpProblem& node);
/// Of gather_nd: data and indices.
kernels::GatherArgs gather_args(const OpProblem& node);
/// Error(invalid_argument), naming it, for an index that is outside.
void require_gather_fits(const kernels::GatherArgs& args, const std::int64_t* indices);
kernels::OneHotArgs one_hot_args(const OpProblem& node);

/// What scatter_nd, _scatter_set_nd and _contrib_index_copy write: rows of input `rows`, to what input
/// `indices` names; elsewhere the output is input `base`, or zeros.
struct Scattering {
  std::size_t rows = 0, indices = 1;
  std::optional<std::size_t> base{};
};
Scattering scattering_of(std::string_view op);
kernels::ScatterArgs scatter_args(const OpProblem& node, const Scattering& scattering);
/// Error(invalid_argument), naming it, for an index that is outside.
void require_scatter_fits(const kernels::ScatterArgs& args, const std::int64_t* indices);

}  // namespace mxinfer::ops
