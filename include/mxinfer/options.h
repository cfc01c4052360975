// Options: how a predictor runs a model. Everything has a default.
//
//   mxinfer::Options options;
//   options.threads = 1;                                   // many callers, one thread each
//   options.precision = mxinfer::Precision::bfloat16;
//   options.device = "cuda:0";                             // docs/how-to/cuda.md
//   options.target = mxinfer::parse_target("avx2");        // from a file of settings
//   mxinfer::Predictor predictor("resnet18_v1", options);
#pragma once

#include <mxinfer/async/async_options.h>
#include <mxinfer/device.h>
#include <mxinfer/export.h>

#include <chrono>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// An instruction set that kernels are compiled for.
enum class Target {
  automatic,  ///< the environment variable MXINFER_TARGET, or the best that the CPU has
  reference,  ///< plain loops, to compare with
  baseline,   ///< what every CPU of the architecture has
  avx2,
  avx512,
};

/// What the large products, and the values between them, are computed in. Inputs, outputs and sums stay what
/// they are.
enum class Precision {
  float32,
  bfloat16,  ///< half the memory, and faster if the CPU has instructions for it (docs/how-to/precision.md)
  tf32,      ///< on CUDA devices of compute capability 8.0 and above: three decimal digits, float32's range
  float16,   ///< on CUDA devices: three decimal digits, numbers up to 65504
};

/// How a call uses the threads that Options::threads gives it. Answers are the same bits with each.
enum class Scheduling {
  automatic,   ///< decided as each call starts: `latency` while there are fewer calls than threads,
               ///< `throughput` else
  latency,     ///< each call on all of them
  throughput,  ///< each call on one
};

/// "automatic", "ref", "baseline", "avx2", "avx512".
[[nodiscard]] MXINFER_API const char* to_string(Target target) noexcept;
/// "automatic", "latency", "throughput".
[[nodiscard]] MXINFER_API const char* to_string(Scheduling scheduling) noexcept;
/// "float32", "bfloat16", "tf32", "float16".
[[nodiscard]] MXINFER_API const char* to_string(Precision precision) noexcept;
/// The value of that name; of Target also "reference". Throw Error(invalid_argument), which lists the names.
[[nodiscard]] MXINFER_API Target parse_target(std::string_view name);
[[nodiscard]] MXINFER_API Scheduling parse_scheduling(std::string_view name);
/// Likewise, in upper or lower case, and by other spellings: "fp32", "f32", "float" and "single" are float32,
/// "bf16" is bfloat16, "fp16", "f16" and "half" are float16.
[[nodiscard]] MXINFER_API Precision parse_precision(std::string_view name);
/// What Options::device may be: "cpu" (or empty), "cuda" (the first GPU), "cuda:1". "gpu" is "cuda", the
/// number may be in brackets, the case does not matter: "GPU(1)" is cuda:1, "cpu:0" is cpu. Throws
/// Error(invalid_argument) for another name; whether the device is there is not asked.
[[nodiscard]] MXINFER_API Device parse_device(std::string_view name);

struct Options {
  /// Threads that one call may use; 0: all cores this process may use, and as many calls at the same time,
  /// counted over all predictors that have 0. Below 0 or above the larger of 1024 and 8 for each core: an
  /// Error(invalid_argument). docs/how-to/threads.md says which number suits which server.
  int threads = 0;
  Scheduling scheduling = Scheduling::automatic;
  /// Of the queue behind predict_async, classify_async and detect_async, which starts with the first of them.
  AsyncOptions async{};
  /// An Error(unsupported) if the CPU lacks it.
  Target target = Target::automatic;
  /// An Error(unsupported) if the device lacks it.
  Precision precision = Precision::float32;
  /// Where the network runs: "cpu" (or empty), or an NVIDIA GPU, "cuda:0", "cuda:1" ("cuda" is the first), or
  /// another spelling that parse_device() takes.
  /// What the GPU has no kernel for runs on the CPU all the same, and explain() says so. Calls of any number
  /// of threads run side by side on it. Another name: an Error(invalid_argument); no such GPU, driver or
  /// library: an Error(device), which says what to do.
  std::string device{};
  /// Whether nodes that the device has no kernel for may run on the CPU, with copies around them. false: a
  /// model with such a node is an Error(unsupported) that names them, when its first call or explain() makes
  /// the plan. Without effect on the CPU.
  bool cpu_fallback = true;
  /// Choices of kernels that were measured on this machine: a file that tune_model() or `mxinfer tune` made.
  /// One of another machine is ignored with a warning (PlanInfo::warnings). Empty: a cost model chooses.
  std::string tuning_file{};
  /// Memory for the weights of Winograd's algorithm in one plan, in bytes. They take up to four times that of
  /// the weights they are made from; if they would take more than this, the convolutions that gain least
  /// for each byte are computed directly.
  std::size_t max_winograd_bytes = std::numeric_limits<std::size_t>::max();
  /// Plans kept, one for each set of input shapes; the least recently used one goes.
  std::size_t max_plans = 32;
  /// Memory of the plans kept and of their workspaces that wait for a call, in bytes; the least recently used
  /// plans go until it is enough. The one used last stays in any case, with one workspace.
  std::size_t max_plan_bytes = std::size_t{1} << 30;
  /// Workspaces kept for later calls, of each plan. A call takes one or allocates one, so that there are as
  /// many as calls run at the same time; beyond this number they are released when their call ends. On a
  /// device, as many asynchronous calls as this go on without a thread.
  std::size_t max_idle_executors = 16;
  /// How long a workspace may wait for a call before it is released; 0: any time. Looked at when a call of
  /// any predictor of the process begins: without calls, Predictor::trim() releases them. Below 0: an
  /// Error(invalid_argument).
  std::chrono::milliseconds idle_limit{0};
  /// Memory of all plans and workspaces, those of calls that run too, in bytes. A call that needs more
  /// releases what is kept for later ones; if that does not help, it ends with Error(out_of_memory), and the
  /// others go on. Weights, inputs and outputs are not counted (Predictor::memory()).
  std::size_t max_memory_bytes = std::numeric_limits<std::size_t>::max();
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
