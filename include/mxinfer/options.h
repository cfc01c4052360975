// Options: how a predictor runs a model. All fields have defaults.
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
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// An instruction set that kernels are compiled for.
enum class Target {
  automatic,  ///< the environment variable MXINFER_TARGET, or the best that the CPU has
  reference,  ///< plain loops, for comparisons
  baseline,   ///< what every CPU of the architecture has
  avx2,
  avx512,
};

/// The number format of large products and of the values between them. Inputs, outputs and sums keep theirs.
enum class Precision {
  float32,
  bfloat16,  ///< half the memory, and faster if the CPU has instructions for it (docs/how-to/precision.md)
  tf32,      ///< on CUDA devices of compute capability 8.0 and above: three decimal digits, float32's range
  float16,   ///< on CUDA devices: three decimal digits, numbers up to 65504
};

/// How calls use the threads of Options::threads. The results have the same bits in each case.
enum class Scheduling {
  /// Chosen when each call starts: `latency` if there are fewer calls than threads, else `throughput`.
  automatic,
  latency,     ///< each call uses all threads
  throughput,  ///< each call uses one thread
};

/// Returns "automatic", "ref", "baseline", "avx2" or "avx512".
[[nodiscard]] MXINFER_API const char* to_string(Target target) noexcept;
/// Returns "automatic", "latency" or "throughput".
[[nodiscard]] MXINFER_API const char* to_string(Scheduling scheduling) noexcept;
/// Returns "float32", "bfloat16", "tf32" or "float16".
[[nodiscard]] MXINFER_API const char* to_string(Precision precision) noexcept;
/// Returns the value with that name; parse_target() also takes "reference". Throws Error(invalid_argument),
/// which lists the names, if there is none.
[[nodiscard]] MXINFER_API Target parse_target(std::string_view name);
[[nodiscard]] MXINFER_API Scheduling parse_scheduling(std::string_view name);
/// As above, in upper or lower case, and with other spellings: "fp32", "f32", "float" and "single" are
/// float32, "bf16" is bfloat16, and "fp16", "f16" and "half" are float16.
[[nodiscard]] MXINFER_API Precision parse_precision(std::string_view name);
/// Parses Options::device: "cpu" (or empty), "cuda" (the first GPU) or "cuda:1". "gpu" is the same as "cuda",
/// the number may be in brackets, and case is ignored: "GPU(1)" is cuda:1, "cpu:0" is cpu. Throws
/// Error(invalid_argument) for any other name. Does not check that the device exists.
[[nodiscard]] MXINFER_API Device parse_device(std::string_view name);
/// Parses Options::device with several devices: as parse_device() does, with commas between different GPUs
/// ("cuda:0,cuda:1"), or "cuda:all", which is one Device with the index kAllDevices.
[[nodiscard]] MXINFER_API std::vector<Device> parse_devices(std::string_view names);

/// How a predictor runs a model.
struct Options {
  /// Threads that one call may use. 0: all cores that this process may use. All predictors with 0 share them,
  /// and run at most that many calls at the same time. Values below 0, or above both 1024 and 8 times the
  /// number of cores, are an Error(invalid_argument). docs/how-to/threads.md says which number suits which
  /// server.
  int threads = 0;
  Scheduling scheduling = Scheduling::automatic;
  /// The queue of predict_async, classify_async and detect_async. It starts with the first such call.
  AsyncOptions async{};
  /// The instruction set. Error(unsupported) if the CPU does not have it.
  Target target = Target::automatic;
  /// The precision of large products. Error(unsupported) if the device does not have it.
  Precision precision = Precision::float32;
  /// Where the network runs: "cpu" (or empty), an NVIDIA GPU such as "cuda:1" ("cuda" is the first), or
  /// another spelling that parse_devices() takes. Nodes without a GPU kernel run on the CPU, and explain()
  /// lists them. Calls from any number of threads run side by side on the GPU. Another name is an
  /// Error(invalid_argument). If there is no such GPU, driver or library, the constructor throws
  /// Error(device), which says what to do.
  ///
  /// With several GPUs ("cuda:0,cuda:1") or all that the process sees ("cuda:all"), each gets the weights,
  /// and a call runs on the one that runs the fewest calls, or on the first of these if several are equal. If
  /// one is lost (docs/how-to/cuda.md), its calls in flight throw Error(device), and later calls run on the
  /// others.
  std::string device{};
  /// false: the first call or explain() throws Error(unsupported) if the device has no kernel for a node; the
  /// message names these nodes. true: such nodes run on the CPU, with copies around them. No effect on the
  /// CPU.
  bool cpu_fallback = true;
  /// A file of kernel choices that tune_model() or `mxinfer tune` measured on this machine. A file from
  /// another machine is ignored with a warning (PlanInfo::warnings). Empty: a cost model chooses.
  std::string tuning_file{};
  /// The most bytes that weights for Winograd's algorithm may take in one plan. They take up to four times as
  /// much as the original weights. Beyond this limit, the convolutions that gain least per byte use another
  /// algorithm. 0 turns Winograd's algorithm off.
  std::size_t max_winograd_bytes = std::numeric_limits<std::size_t>::max();
  /// How many plans are kept, one for each set of input shapes. The least recently used one is dropped first.
  std::size_t max_plans = 32;
  /// The most bytes that the plans kept and their idle workspaces may take. The least recently used plans are
  /// dropped first. The plan used last always stays, with one workspace.
  std::size_t max_plan_bytes = std::size_t{1} << 30;
  /// How many workspaces each plan keeps for later calls. A call takes a kept workspace or allocates one, so
  /// there are as many as calls that run at the same time. Workspaces beyond this number are released when
  /// their call ends. On a device, up to this many asynchronous calls run without occupying a thread.
  std::size_t max_idle_executors = 16;
  /// How long a workspace may be idle before it is released. 0: no limit. This is checked whenever a call of
  /// any predictor in the process begins; if there are no calls, Predictor::trim() releases them. Values
  /// below 0 are an Error(invalid_argument).
  std::chrono::milliseconds idle_limit{0};
  /// The most bytes that the predictor may take on each GPU: its weights there, and what its running calls
  /// work in. A call that needs more releases the plans that no call uses, with their weights. If that is not
  /// enough, it throws Error(out_of_memory), and other calls go on. Memory that waits for calls belongs to
  /// the process, whose predictors share it, and is not counted (docs/how-to/cuda.md). No effect on the CPU.
  std::size_t max_device_memory_bytes = std::numeric_limits<std::size_t>::max();
  /// The most bytes that all plans and workspaces may take, those of running calls included. A call that
  /// needs more releases what is kept for later calls. If that is not enough, it throws Error(out_of_memory),
  /// and other calls go on. Weights, inputs and outputs are not counted (see Predictor::memory()).
  std::size_t max_memory_bytes = std::numeric_limits<std::size_t>::max();
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
