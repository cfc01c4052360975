// PlanInfo: what runs for one set of input shapes, and why, in terms that do not depend on the inside of the
// library.
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

/// An implementation that does not compute a node.
struct RejectedImplementation {
  std::string name;
  std::string reason;  ///< why not
};

/// One step of a plan, as `mxinfer explain` prints it.
struct StepInfo {
  std::string node;            ///< the node's name
  std::string op;              ///< its operator
  std::string output;          ///< "float32 (1, 64, 112, 112)"
  std::string kernel;          ///< "conv_nhwc_winograd4_f32 [avx2]", or "alias" if nothing runs
  std::string reason;          ///< why this kernel
  std::string device = "cpu";  ///< where it runs
  std::vector<RejectedImplementation> rejected;  ///< the others that the operator lists
  std::vector<std::string> notes;                ///< what passes did: "batch norm 'bn0' folded in"
  double flops = 0;
  bool inner = false;       ///< runs inside of a step above it: of a loop, a branch, or for each sample
  double predicted_ms = 0;  ///< what the cost model expects, 0 if it knows nothing
};

/// What a plan is made of.
struct PlanInfo {
  std::vector<StepInfo> steps;
  std::string target;
  std::string precision;       ///< "float32", "bfloat16", "tf32", "float16"
  std::string device = "cpu";  ///< Options::device: "cuda:0"
  /// Steps that compute on the CPU though a device was asked for: it has no kernel for them
  /// (StepInfo::rejected says why). Copies and aliases are not counted.
  int steps_on_cpu = 0;
  int threads = 0;
  std::size_t arena_bytes = 0;          ///< all intermediate values
  std::size_t intermediate_bytes = 0;   ///< what they would take without sharing memory
  std::size_t packed_weight_bytes = 0;  ///< packed forms of weights that this plan uses
  std::size_t device_bytes = 0;         ///< values and scratch memory on the device, of one call
  /// What the options ask for and do not get, or hardly want: more threads than cores, a tuning file of
  /// another machine.
  std::vector<std::string> warnings;
};
MXINFER_API std::string to_string(const PlanInfo& plan);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
