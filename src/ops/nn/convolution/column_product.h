// A GEMM of weights with columns that are computed at run time,
//
//   dst (rows x columns) = a (rows x depth) . b (depth x columns)
//
// all row-major. Weights are read as stored; b is brought into the form that the kernel reads: panels for
// float32, transposed for float64, which has the reference kernel only.
//
//   const ColumnGemm<T> product{rows, columns, depth, target};
//   product.prepare(b, prepared, 0, product.pieces());      // prepared: product.prepared_elements()
//   product.run(a, prepared, dst, columns, 0, product.tasks());
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "base/checked.h"
#include "kernels/gemm/gemm.h"
#include "kernels/gemm/gemm_packed.h"
#include "kernels/gemm/transpose.h"

namespace mxinfer::ops {

/// T: float, double.
template <typename T>
struct ColumnGemm {
  std::int64_t rows = 0, columns = 0, depth = 0;
  kernels::Target target = kernels::Target::ref;
  std::int64_t task_hint = 32;

  static constexpr bool kPacks = std::is_same_v<T, float>;
  static constexpr std::int64_t kPieceColumns = 64;  ///< of one transposed piece

  const char* kernel_name() const {
    if constexpr (kPacks) return packed_kernel().name;
    return kernels::gemm_nt_ref<T>().name;
  }

  /// Elements of b as the kernel reads it, in whole cache lines.
  std::int64_t prepared_elements() const {
    if constexpr (kPacks) return round_up(packed_kernel().panel_elements(columns, depth), 16);
    return round_up(columns * depth, 16);
  }

  /// Into how many pieces prepare() is cut, and how many of them are worth handing to a thread.
  std::int64_t pieces() const {
    if constexpr (kPacks) return packed_kernel().panels(columns);
    return ceil_div(columns, kPieceColumns);
  }
  std::int64_t piece_grain() const {
    constexpr std::int64_t kWorthwhile = 1 << 15;
    return std::max<std::int64_t>(1, kWorthwhile * pieces() / std::max<std::int64_t>(1, columns * depth));
  }

  void prepare(const T* b, T* prepared, std::int64_t begin, std::int64_t end) const {
    if constexpr (kPacks) {
      packed_kernel().pack({columns, depth, false, columns, 1.0f, b, prepared}, begin, end);
    } else {
      for (std::int64_t first = begin * kPieceColumns; first < std::min(columns, end * kPieceColumns);
           first += kPieceColumns) {
        kernels::transpose(b + first, columns, prepared + first * depth, depth,
                           std::min(kPieceColumns, columns - first));
      }
    }
  }

  std::int64_t tasks() const {
    if constexpr (kPacks) return packed_kernel().tasks(packed_args());
    return kernels::gemm_nt_ref<T>().tasks(plain_args());
  }

  void run(const T* a, const T* prepared, T* dst, std::int64_t dst_stride, std::int64_t begin,
           std::int64_t end) const {
    if constexpr (kPacks) {
      kernels::GemmPackedArgs args = packed_args();
      args.a = a;
      args.panels = prepared;
      args.dst = dst;
      args.dst_stride = dst_stride;
      packed_kernel().run(args, begin, end);
    } else {
      kernels::GemmNtArgs<T> args = plain_args();
      args.a = a;
      args.b = prepared;
      args.dst = dst;
      args.dst_stride = dst_stride;
      kernels::gemm_nt_ref<T>().run(args, begin, end);
    }
  }

 private:
  const kernels::GemmPackedKernel& packed_kernel() const { return kernels::select_gemm_packed(target); }

  kernels::GemmPackedArgs packed_args() const {
    kernels::GemmPackedArgs args;
    args.rows = rows;
    args.columns = columns;
    args.depth = depth;
    args.a_stride = depth;
    args.dst_stride = columns;
    args.task_hint = task_hint;
    return args;
  }
  kernels::GemmNtArgs<T> plain_args() const {
    kernels::GemmNtArgs<T> args;
    args.rows = rows;
    args.columns = columns;
    args.depth = depth;
    return args;
  }
};

}  // namespace mxinfer::ops
