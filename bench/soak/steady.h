// The steady phase: one small model, one shape, nothing that comes or goes, so that not a byte may stay.
#pragma once

#include <mxinfer/predictor.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "soak/gate.h"
#include "soak/memory.h"
#include "soak/stage.h"
#include "soak/tally.h"

namespace mxinfer::soak {

/// A sanitizer's checks make each of them ten times as slow.
inline constexpr std::uint64_t kSteadyCalls = kMemoryIsTelling ? 100'000 : 5'000;

/// Threads that share a predictor: predict, predict_into and predict_into_async in turn.
class Steady {
 public:
  Steady(const Stage& stage, int threads, Surprises& surprises);
  ~Steady();
  Steady(const Steady&) = delete;
  Steady& operator=(const Steady&) = delete;

  /// Returns when all threads together have made so many calls, and are at rest.
  void call(std::uint64_t count);

 private:
  /// The queue keeps the memory of requests, and has as much as it may when this has ended.
  void fill_queue();
  void work();
  void call_in_turn(std::uint64_t number, MutableTensorView scores);

  const Stage& stage_;
  Surprises& surprises_;
  const Predictor predictor_;
  std::atomic<std::int64_t> left_{0};
  Gate gate_;
  std::vector<std::thread> threads_{};
};

}  // namespace mxinfer::soak
