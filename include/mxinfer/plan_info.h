// PlanInfo: which kernels run for one set of input shapes, and why. It does not depend on the library's
// internals.
//
//   mxinfer::PlanInfo plan = predictor.explain({{"data", {1, 3, 224, 224}}});
//   std::cout << to_string(plan);      // as mxinfer explain prints it
//   plan.steps[0].kernel;              // "conv_nhwc_winograd4_f32 [avx2]"
#pragma once

#include <mxinfer/export.h>

#include <cstddef>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// An implementation that cannot compute a node.
struct RejectedImplementation {
  std::string name;
  std::string reason;  ///< why it cannot
};

/// One step of a plan, as `mxinfer explain` prints it.
struct StepInfo {
  std::string node;            ///< the node's name
  std::string op;              ///< its operator
  std::string output;          ///< "float32 (1, 64, 112, 112)"
  std::string kernel;          ///< "conv_nhwc_winograd4_f32 [avx2]", or "alias" if nothing runs
  std::string reason;          ///< why this kernel
  std::string device = "cpu";  ///< where it runs
  std::vector<RejectedImplementation> rejected;  ///< the operator's other implementations
  std::vector<std::string> notes;                ///< what passes did: "batch norm 'bn0' folded in"
  double flops = 0;                              ///< floating-point operations
  bool inner = false;       ///< runs inside a step above it: in a loop or branch, or once for each sample
  double predicted_ms = 0;  ///< the time that the cost model predicts, or 0 if it cannot
};

/// A plan: its steps and its memory.
struct PlanInfo {
  std::vector<StepInfo> steps;
  std::string target;          ///< the instruction set
  std::string precision;       ///< "float32", "bfloat16", "tf32", "float16"
  std::string device = "cpu";  ///< Options::device: "cuda:0"; of several, the one that this plan is for
  /// All of Options::device: "cuda:0", "cuda:1". A call runs on one of them. On the CPU, "cpu".
  std::vector<std::string> devices;
  /// Steps that compute on the CPU because the device has no kernel for them; StepInfo::rejected says why.
  /// Copies and aliases are not counted.
  int steps_on_cpu = 0;
  int threads = 0;
  std::size_t arena_bytes = 0;          ///< for all intermediate values
  std::size_t intermediate_bytes = 0;   ///< what the values would take without sharing memory
  std::size_t packed_weight_bytes = 0;  ///< for the packed weights that this plan uses
  std::size_t device_bytes = 0;         ///< for values and scratch memory of one call on the device
  /// Options that have no effect or are unlikely to help, such as more threads than cores or a tuning file
  /// from another machine.
  std::vector<std::string> warnings;
};
/// Returns the plan as `mxinfer explain` prints it.
MXINFER_API std::string to_string(const PlanInfo& plan);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
