// Products of many matrices of one size whose right sides are computed: each right side is packed into
// scratch memory, then multiplied.
//
//   PackedGemms products = ...;  products.kernel = ...;  products.count = heads;  products.args.rows = ...
//   step.scratch_bytes = products.scratch_bytes();                                         // in lower()
//   products.run(panels, [&](std::int64_t i, auto& pack, auto& args) { args.a = ...; });   // in run()
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/checked.h"
#include "base/threads/thread_arena.h"
#include "kernels/gemm/gemm_packed.h"

namespace mxinfer::ops {

/// From so many rows on, packing a right side that is used once costs less than it saves.
inline constexpr std::int64_t kRowsWorthPackingOnce = 8;

inline bool worth_packing_once(std::int64_t rows, kernels::Target target) {
  return target != kernels::Target::ref && rows >= kRowsWorthPackingOnce;
}

struct PackedGemms {
  const kernels::GemmPackedKernel* kernel = nullptr;
  std::int64_t count = 1;          ///< of GEMMs
  kernels::PackPanelsArgs pack{};  ///< but for b and dst
  kernels::GemmPackedArgs args{};  ///< but for a, panels and dst

  std::int64_t matrix_elements() const {
    return round_up(kernel->panel_elements(args.columns, args.depth), 16);
  }
  std::size_t scratch_bytes() const {
    return static_cast<std::size_t>(count * matrix_elements()) * sizeof(float);
  }

  /// place(i, pack, args) sets b, a and dst of GEMM i. `panels` is scratch_bytes() of memory.
  template <typename Place>
  void run(float* panels, const Place& place) const {
    const std::int64_t pieces = kernel->panels(args.columns);
    parallel_for(count * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) {
        kernels::PackPanelsArgs p = pack;
        kernels::GemmPackedArgs unused = args;
        place(t / pieces, p, unused);
        p.dst = panels + t / pieces * matrix_elements();
        kernel->pack(p, t % pieces, t % pieces + 1);
      }
    });
    multiply(panels, place);
  }

  /// With right sides that have been packed.
  template <typename Place>
  void multiply(const float* panels, const Place& place) const {
    const std::int64_t tasks = kernel->tasks(args);
    parallel_for(count * tasks, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) {
        kernels::PackPanelsArgs unused = pack;
        kernels::GemmPackedArgs a = args;
        place(t / tasks, unused, a);
        a.panels = panels + t / tasks * matrix_elements();
        kernel->run(a, t % tasks, t % tasks + 1);
      }
    });
  }

  /// Packs right sides that lie `step` elements apart.
  void pack_all(const float* b, std::int64_t step, float* panels) const {
    for (std::int64_t i = 0; i < count; ++i) {
      kernels::PackPanelsArgs p = pack;
      p.b = b + i * step;
      p.dst = panels + i * matrix_elements();
      kernel->pack(p, 0, kernel->panels(args.columns));
    }
  }
};

}  // namespace mxinfer::ops
