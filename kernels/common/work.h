// The cost model by which the plan chooses between implementations. Work: the operations and bytes of a
// kernel on a shape. MachineRates: the throughput of a machine. Together they predict a time:
//
//   const double a = predicted_seconds(direct.work(shape), rates, 1);
//   const double b = predicted_seconds(winograd.work(shape), rates, 1);
#pragma once

namespace mxinfer::kernels {

struct Work {
  /// Additions and multiplications of the inner tile, including lanes and rows without a result.
  double flops = 0;
  /// Packed weights, each byte as often as it is read from memory; prefetched during the arithmetic.
  double weight_bytes = 0;
  /// Other bytes through the second-level cache: transforms, copies.
  double cache_bytes = 0;
  /// Input, residual and output.
  double activation_bytes = 0;
};

/// Throughput: floating-point operations and bytes in a second.
struct MachineRates {
  double flops = 0;             ///< of one core
  double cache_bytes = 0;       ///< of one core, read from its second-level cache
  double memory_bytes = 0;      ///< of one core, read from memory
  double all_memory_bytes = 0;  ///< of all threads of a plan together
  int cores = 1;                ///< that share the work
};

/// The time that the work takes on `threads` threads.
double predicted_seconds(const Work& work, const MachineRates& rates, int threads);

/// A typical machine: five flops a byte of memory, one a byte of cache. Those of a CPU:
/// kernels/speed/cpu_rates.h.
constexpr MachineRates kDefaultRates{100e9, 100e9, 20e9, 20e9, 1};

}  // namespace mxinfer::kernels
