// Work: what a kernel does on a shape, counted. MachineRates: how fast a machine does it. Together they
// predict a time, by which the plan chooses between algorithms:
//
//   const double a = predicted_seconds(direct.work(shape), rates, 1);
//   const double b = predicted_seconds(winograd.work(shape), rates, 1);
#pragma once

namespace mxinfer::kernels {

struct Work {
  /// Additions and multiplications of the inner tile, lanes and rows counted that hold no result.
  double flops = 0;
  /// Packed weights, each byte as often as it has to come from memory; fetched while the arithmetic goes on.
  double weight_bytes = 0;
  /// What goes through the second-level cache besides: transforms, copies.
  double cache_bytes = 0;
  /// Input, residual and output.
  double activation_bytes = 0;
};

/// A second's worth.
struct MachineRates {
  double flops = 0;             ///< of one core
  double cache_bytes = 0;       ///< of one core, read from its second-level cache
  double memory_bytes = 0;      ///< of one core, read from memory
  double all_memory_bytes = 0;  ///< of all threads of a plan together
  int cores = 1;                ///< that share the work
};

/// How long it takes on so many threads.
double predicted_seconds(const Work& work, const MachineRates& rates, int threads);

/// A machine as most are: five flops a byte of memory, one a byte of cache. What chooses without having
/// measured takes these.
constexpr MachineRates kUsualRates{100e9, 100e9, 20e9, 20e9, 1};

/// The rates to decide by, of one core: measured ones, with the ratios between them taken in steps of four
/// around the usual ones. Two measurements on one machine differ, and algorithms differ in the last bits of
/// their results; in such wide steps each process decides the same, unless the machine is twice or half as
/// fast as usual in one of them.
MachineRates steadied(const MachineRates& measured, const MachineRates& usual);

}  // namespace mxinfer::kernels
