// How finely an operator's work is cut for the threads of a plan.
#pragma once

#include <cstdint>

namespace mxinfer::ops {

/// A few tasks for each thread, so that none waits long for the last.
constexpr std::int64_t task_hint(int threads) {
  return threads == 1 ? 1 : 4 * threads;
}

}  // namespace mxinfer::ops
