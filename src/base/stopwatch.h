// Stopwatch: the milliseconds since construction.
#pragma once

#include <chrono>
#include <cstdint>

namespace mxinfer {

class Stopwatch {
 public:
  std::int64_t milliseconds() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace mxinfer
