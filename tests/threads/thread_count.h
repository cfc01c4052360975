// How many threads call at the same time.
#pragma once

namespace mxinfer::test {

inline constexpr int kThreads = 16;

}  // namespace mxinfer::test
