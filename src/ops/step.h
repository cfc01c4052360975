// Step: one operator made ready to run for fixed shapes. The plan holds a list of them; the executor calls
// run() of each in order. A step allocates nothing and takes no lock when it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/threads/thread_arena.h"
#include "device/device.h"

namespace mxinfer::ops {

/// Where the operands of a step are for this run.
struct RunContext {
  const void* const* inputs;
  void* const* outputs;
  std::byte* scratch;         ///< Step::scratch_bytes, 64-byte aligned
  std::byte* thread_scratch;  ///< Step::thread_scratch_bytes for each thread
  std::size_t thread_scratch_stride;
  device::Stream* stream;  ///< what a step on a device enqueues its work in

  template <typename T>
  const T* input(std::size_t i) const {
    return static_cast<const T*>(inputs[i]);
  }
  template <typename T>
  T* output(std::size_t o) const {
    return static_cast<T*>(outputs[o]);
  }
  /// This thread's own scratch, inside parallel_for.
  std::byte* my_scratch() const {
    return thread_scratch + thread_scratch_stride * static_cast<std::size_t>(arena_thread_index());
  }
};

struct Step {
  std::string kernel;  ///< which implementation, and whose instructions its code uses: "lrn_ref_f32 [ref]"
  std::string reason;  ///< why, and why the faster rows were not; for explain
  std::function<void(const RunContext&)> run;
  std::size_t scratch_bytes = 0;
  std::size_t thread_scratch_bytes = 0;
  double flops = 0;  ///< arithmetic operations, for explain and cost
};

}  // namespace mxinfer::ops
