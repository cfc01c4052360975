// Contractions on the CPU: a GEMM for each element of the batch. Operands whose rows, columns or depth do not
// lie as a matrix are copied into one before, and an output that does not, after.
#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/copy/copy.h"
#include "kernels/gemm/gemm.h"
#include "ops/common/products.h"
#include "ops/common/scratch_layout.h"
#include "ops/nn/packed_products.h"
#include "ops/numpy/algebra/contraction.h"

namespace mxinfer::ops {
namespace {

using Dims = std::vector<ContractionDim>;

/// A strided copy into a dense array, or out of one.
struct Rearrangement {
  kernels::CopyArgs args{};
  kernels::CopyFn run = nullptr;
  std::int64_t tasks = 0;

  void operator()(const void* src, void* dst) const {
    parallel_for(tasks, std::max<std::int64_t>(1, tasks / 64), [&](std::int64_t begin, std::int64_t end) {
      run(args, static_cast<const std::byte*>(src), static_cast<std::byte*>(dst), begin, end);
    });
  }
};

struct CopiedDim {
  std::int64_t size, src, dst;
};

Rearrangement rearrangement(const std::vector<CopiedDim>& dims, std::size_t element_bytes,
                            kernels::Target target) {
  kernels::CopyArgs args;
  for (const CopiedDim& dim : dims) {
    if (dim.size == 1) continue;
    if (args.rank == kernels::kCopyMaxRank)
      fail(ErrorCode::unsupported, "more than ", kernels::kCopyMaxRank, " dimensions to copy");
    args.dims[args.rank] = dim.size;
    args.src_strides[args.rank] = dim.src;
    args.dst_strides[args.rank++] = dim.dst;
  }
  args = kernels::simplify(args);
  const kernels::CopyKernel& kernel = kernels::select_copy(args, element_bytes, target);
  Rearrangement result{kernel.prepare(args), kernel.run, 0};
  result.tasks = kernel.tasks(result.args);
  return result;
}

using StrideOf = std::int64_t ContractionDim::*;

/// An operand as stacks of matrices: where they lie, and whether they have to be copied there first.
struct Side {
  bool copied = false;
  Rearrangement copy{};
  std::int64_t elements = 0;          ///< of the copy
  std::vector<std::int64_t> batch{};  ///< strides of the batch's dimensions
  std::int64_t stacked = 1;  ///< how many matrices there are: those that the batch repeats count once
  std::int64_t line = 0;     ///< elements from a row (column of b) to the next, or from a depth to the next
  bool depth_inside = true;  ///< lines run along the depth
};

/// Elements from one to the next of at most one dimension.
std::int64_t step_of(const Dims& dims, StrideOf stride) {
  return dims.empty() ? 0 : dims[0].*stride;
}

bool is_vector(const Dims& dims, StrideOf stride) {
  return dims.empty() || (dims.size() == 1 && dims[0].*stride == 1);
}

/// `free`: the rows of a, the columns of b. b may also lie with its columns inside if `takes_transposed`.
Side side_of(const Contraction& c, const Dims& free, StrideOf stride, bool takes_transposed,
             std::size_t element_bytes, kernels::Target target) {
  Side side;
  const std::int64_t depth = c.depth_count();
  std::int64_t count = 1;
  for (const ContractionDim& dim : free) count *= dim.size;
  for (const ContractionDim& dim : c.batch) {
    side.batch.push_back(dim.*stride);
    if (dim.*stride != 0) side.stacked *= dim.size;
  }
  if (free.size() <= 1 && is_vector(c.depth, stride) && (free.empty() || free[0].*stride >= depth)) {
    side.line = free.empty() ? depth : free[0].*stride;
    return side;
  }
  if (takes_transposed && c.depth.size() <= 1 && is_vector(free, stride) && !c.depth.empty() &&
      step_of(c.depth, stride) >= count) {
    side.depth_inside = false;
    side.line = step_of(c.depth, stride);
    return side;
  }
  side.copied = true;
  side.line = depth;
  std::vector<CopiedDim> dims;
  std::int64_t step = 1;
  const auto add = [&](const Dims& list) {
    for (std::size_t d = list.size(); d-- > 0;) {
      dims.push_back({list[d].size, list[d].*stride, step});
      step *= list[d].size;
    }
  };
  add(c.depth);
  add(free);
  for (std::size_t d = c.batch.size(); d-- > 0;) {
    if (c.batch[d].*stride == 0) continue;
    side.batch[d] = step;
    dims.push_back({c.batch[d].size, c.batch[d].*stride, step});
    step *= c.batch[d].size;
  }
  std::reverse(dims.begin(), dims.end());
  side.elements = step;
  side.copy = rearrangement(dims, element_bytes, target);
  return side;
}

/// Where matrix i of the batch begins.
std::int64_t batch_offset(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides,
                          std::int64_t i) {
  std::int64_t offset = 0;
  for (std::size_t d = sizes.size(); d-- > 0; i /= sizes[d]) offset += i % sizes[d] * strides[d];
  return offset;
}

/// The matrices of a, b and dst, and the copies around the products.
struct Operands {
  std::vector<std::int64_t> sizes{};  ///< of the batch
  Side a, b;
  std::vector<std::int64_t> dst_batch{};
  std::int64_t dst_line = 0;
  bool dst_copied = false;
  Rearrangement dst_copy{};
  std::int64_t dst_elements = 0;
  std::size_t a_scratch = 0, b_scratch = 0, dst_scratch = 0, rest_scratch = 0;
  std::size_t element_bytes = 0;

  std::int64_t matrices() const {
    std::int64_t count = 1;
    for (std::int64_t size : sizes) count *= size;
    return count;
  }
};

void place_output(const Contraction& c, Operands& operands, kernels::Target target) {
  const bool rows_fit = c.rows.size() <= 1, columns_fit = is_vector(c.columns, &ContractionDim::dst);
  const std::int64_t columns = c.column_count();
  const std::int64_t line = c.rows.empty() ? columns : c.rows[0].dst;
  if (rows_fit && columns_fit && line >= columns) {
    operands.dst_line = line;
    for (const ContractionDim& dim : c.batch) operands.dst_batch.push_back(dim.dst);
    return;
  }
  operands.dst_copied = true;
  operands.dst_line = columns;
  std::vector<CopiedDim> dims;
  std::int64_t step = 1;
  operands.dst_batch.assign(c.batch.size(), 0);
  for (const Dims* list : {&c.columns, &c.rows, &c.batch}) {
    for (std::size_t d = list->size(); d-- > 0;) {
      if (list == &c.batch) operands.dst_batch[d] = step;
      dims.push_back({(*list)[d].size, step, (*list)[d].dst});
      step *= (*list)[d].size;
    }
  }
  std::reverse(dims.begin(), dims.end());
  operands.dst_elements = step;
  operands.dst_copy = rearrangement(dims, operands.element_bytes, target);
}

template <typename T>
Operands operands_of(const Contraction& c, bool b_transposed, kernels::Target target) {
  Operands operands;
  operands.element_bytes = sizeof(T);
  for (const ContractionDim& dim : c.batch) operands.sizes.push_back(dim.size);
  operands.a = side_of(c, c.rows, &ContractionDim::a, false, sizeof(T), target);
  operands.b = side_of(c, c.columns, &ContractionDim::b, b_transposed, sizeof(T), target);
  place_output(c, operands, target);
  return operands;
}

template <typename T>
std::size_t take_scratch(Operands& operands, bool b_is_constant) {
  ScratchLayout layout;
  operands.a_scratch = layout.take<T>(operands.a.elements);
  operands.b_scratch = layout.take<T>(b_is_constant ? 0 : operands.b.elements);
  operands.dst_scratch = layout.take<T>(operands.dst_elements);
  operands.rest_scratch = layout.bytes();
  return layout.bytes();
}

/// The operands of one run, copied where they have to be.
template <typename T>
struct Arrays {
  const T* a;
  const T* b;
  T* dst;

  Arrays(const Operands& operands, const void* left, const void* right, void* result, std::byte* scratch,
         bool b_is_ready) {
    const auto ready = [&](const Side& side, const void* src, std::size_t at) {
      if (!side.copied) return static_cast<const T*>(src);
      side.copy(src, scratch + at);
      return reinterpret_cast<const T*>(scratch + at);
    };
    a = ready(operands.a, left, operands.a_scratch);
    b = b_is_ready ? static_cast<const T*>(right) : ready(operands.b, right, operands.b_scratch);
    dst =
        operands.dst_copied ? reinterpret_cast<T*>(scratch + operands.dst_scratch) : static_cast<T*>(result);
  }
};

std::string layout_name(const Contraction& c) {
  std::string name = "contraction";
  for (const Dims* dims : {&c.batch, &c.columns, &c.depth}) {
    for (const ContractionDim& dim : *dims) name += concat(" ", dim.size, "@", dim.b);
    name += ";";
  }
  return name;
}

/// Both sides with their depth inside.
template <typename T>
ContractionKernel as_rows(LowerContext& context, const Contraction& c, const kernels::GemmNtKernel<T>& gemm,
                          int b_input) {
  Operands operands = operands_of<T>(c, false, context.target());
  kernels::GemmNtArgs<T> args;
  args.rows = c.row_count();
  args.columns = c.column_count();
  args.depth = c.depth_count();
  args.a_stride = operands.a.line;
  args.b_stride = operands.b.line;
  args.dst_stride = operands.dst_line;
  const bool packed = b_input >= 0 && operands.b.copied;
  const std::byte* constant = nullptr;
  if (packed) {
    const auto pack = [copy = operands.b.copy](const TensorView& view, std::byte* dst) {
      copy(view.raw(), dst);
    };
    constant = context.packed(static_cast<std::size_t>(b_input), concat(layout_name(c), " rows"),
                              static_cast<std::size_t>(operands.b.elements) * sizeof(T), pack);
  }
  ContractionKernel result;
  result.scratch_bytes = take_scratch<T>(operands, packed);
  result.reason = operands.a.copied || (operands.b.copied && !packed)
                      ? "operands are brought into the order of the product first"
                      : "operands are read as stored";
  result.run = [=, &gemm, tasks = gemm.tasks(args), matrices = operands.matrices()](
                   const void* a, const void* b, void* dst, std::byte* scratch) {
    const Arrays<T> arrays(operands, a, packed ? constant : b, dst, scratch, packed);
    parallel_for(matrices * tasks, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) {
        const std::int64_t i = t / tasks;
        kernels::GemmNtArgs<T> one = args;
        one.a = arrays.a + batch_offset(operands.sizes, operands.a.batch, i);
        one.b = arrays.b + batch_offset(operands.sizes, operands.b.batch, i);
        one.dst = arrays.dst + batch_offset(operands.sizes, operands.dst_batch, i);
        gemm.run(one, t % tasks, t % tasks + 1);
      }
    });
    if (operands.dst_copied) operands.dst_copy(arrays.dst, dst);
  };
  return result;
}

/// The matrices of b in panels.
struct Panels {
  PackedGemms products{};
  std::vector<std::int64_t> sizes{}, sources{};  ///< of the batch's dimensions along which b differs
  std::vector<std::int64_t> numbers{};           ///< strides of the batch's dimensions, in matrices of b

  void pack(const float* b, float* panels, bool in_parallel) const {
    const std::int64_t pieces = products.kernel->panels(products.args.columns);
    const auto some = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) {
        kernels::PackPanelsArgs p = products.pack;
        p.b = b + batch_offset(sizes, sources, t / pieces);
        p.dst = panels + t / pieces * products.matrix_elements();
        products.kernel->pack(p, t % pieces, t % pieces + 1);
      }
    };
    if (in_parallel) {
      parallel_for(products.count * pieces, 1, some);
    } else {
      some(0, products.count * pieces);
    }
  }
};

Panels panels_of(const Contraction& c, const Operands& operands, const kernels::GemmPackedKernel& gemm,
                 int threads) {
  Panels panels;
  PackedGemms& products = panels.products;
  products.kernel = &gemm;
  products.count = operands.b.stacked;
  products.pack.columns = products.args.columns = c.column_count();
  products.pack.depth = products.args.depth = c.depth_count();
  products.pack.transposed = operands.b.depth_inside;
  products.pack.stride = operands.b.line;
  products.args.rows = c.row_count();
  products.args.a_stride = operands.a.line;
  products.args.dst_stride = operands.dst_line;
  if (operands.matrices() == 1)
    products.args.task_hint = std::max(products.args.task_hint, task_hint(threads));
  std::int64_t number = 1;
  panels.numbers.assign(operands.sizes.size(), 0);
  for (std::size_t d = operands.sizes.size(); d-- > 0;) {
    if (c.batch[d].b == 0) continue;
    panels.numbers[d] = number;
    number *= operands.sizes[d];
    panels.sizes.insert(panels.sizes.begin(), operands.sizes[d]);
    panels.sources.insert(panels.sources.begin(), operands.b.batch[d]);
  }
  return panels;
}

ContractionKernel as_panels(LowerContext& context, const Contraction& c, int b_input) {
  const kernels::GemmPackedKernel& gemm = kernels::select_gemm_packed(context.target());
  Operands operands = operands_of<float>(c, true, context.target());
  const Panels panels = panels_of(c, operands, gemm, context.threads());
  const bool packed = b_input >= 0;
  ContractionKernel result;
  result.scratch_bytes = take_scratch<float>(operands, packed);
  const float* constant = nullptr;
  const std::size_t bytes = panels.products.scratch_bytes();
  if (packed) {
    const auto pack = [panels, side = operands.b](const TensorView& view, std::byte* dst) {
      const auto* matrices = view.data<float>();
      std::vector<float> dense;
      if (side.copied) {
        dense.resize(static_cast<std::size_t>(side.elements));
        side.copy(matrices, dense.data());
        matrices = dense.data();
      }
      panels.pack(matrices, reinterpret_cast<float*>(dst), false);
    };
    constant = reinterpret_cast<const float*>(context.packed(
        static_cast<std::size_t>(b_input), concat(layout_name(c), " ", gemm.packing), bytes, pack));
  } else {
    result.scratch_bytes += bytes;
  }
  result.reason = packed ? "the right side is packed once" : "the right side is packed in each run";
  result.run = [=, &gemm, tasks = gemm.tasks(panels.products.args), matrices = operands.matrices()](
                   const void* a, const void* b, void* dst, std::byte* scratch) {
    const Arrays<float> arrays(operands, a, b, dst, scratch, packed);
    const float* right = constant;
    if (!packed) {
      auto* room = reinterpret_cast<float*>(scratch + operands.rest_scratch);
      panels.pack(arrays.b, room, true);
      right = room;
    }
    parallel_for(matrices * tasks, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) {
        const std::int64_t i = t / tasks;
        kernels::GemmPackedArgs one = panels.products.args;
        one.a = arrays.a + batch_offset(operands.sizes, operands.a.batch, i);
        one.panels =
            right + batch_offset(operands.sizes, panels.numbers, i) * panels.products.matrix_elements();
        one.dst = arrays.dst + batch_offset(operands.sizes, operands.dst_batch, i);
        gemm.run(one, t % tasks, t % tasks + 1);
      }
    });
    if (operands.dst_copied) operands.dst_copy(arrays.dst, dst);
  };
  result.kernel = labelled(gemm.name, context.target());
  return result;
}

ContractionKernel zeros(const Contraction& c, DType dtype) {
  ContractionKernel result{.kernel = "fill_zeros [ref]", .reason = "there is nothing to sum"};
  const auto bytes =
      static_cast<std::size_t>(c.matrices() * c.row_count() * c.column_count()) * size_of(dtype);
  result.run = [bytes](const void*, const void*, void* dst, std::byte*) {
    if (bytes > 0) std::memset(dst, 0, bytes);
  };
  return result;
}

}  // namespace

ContractionKernel contraction_kernel(LowerContext& context, const Contraction& contraction, DType dtype,
                                     int b_input) {
  const Contraction c = simplified(contraction);
  if (c.depth_count() == 0 || c.matrices() == 0 || c.row_count() == 0 || c.column_count() == 0)
    return zeros(c, dtype);
  if (dtype == DType::float64) {
    require_openblas(context);
    ContractionKernel result = as_rows<double>(context, c, kernels::gemm_nt_f64(), b_input);
    result.kernel = concat(kernels::gemm_nt_f64().name, " [openblas]");
    return result;
  }
  if (worth_packing_once(c.row_count(), context.target())) return as_panels(context, c, b_input);
  const kernels::GemmNtKernel<float>& gemm = kernels::select_gemm_nt(context.target());
  ContractionKernel result = as_rows<float>(context, c, gemm, b_input);
  result.kernel = labelled(gemm.name, context.target());
  return result;
}

Step contraction_step(LowerContext& context, const Contraction& contraction) {
  const ContractionKernel kernel =
      contraction_kernel(context, contraction, context.input(0).dtype, context.is_constant(1) ? 1 : -1);
  Step step{.kernel = kernel.kernel, .reason = kernel.reason, .scratch_bytes = kernel.scratch_bytes};
  step.flops = contraction.flops();
  step.run = [run = kernel.run](const RunContext& now) {
    run(now.inputs[0], now.inputs[1], now.outputs[0], now.scratch);
  };
  return step;
}

}  // namespace mxinfer::ops
