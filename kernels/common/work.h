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

/// A typical machine: five flops a byte of memory, one a byte of cache. For choices without a measurement.
constexpr MachineRates kDefaultRates{100e9, 100e9, 20e9, 20e9, 1};

/// The rates to choose by: the measured ratios of flops to bytes of one core, quantised to the default ratios
/// times a power of four. Measurements differ from process to process, and implementations differ in the last
/// bits of their results; with such large steps all processes choose the same, unless a measured ratio lies
/// near the middle between two steps, a factor of two from the default.
MachineRates quantised(const MachineRates& measured, const MachineRates& defaults);

}  // namespace mxinfer::kernels
