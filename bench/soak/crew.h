// Crew: the threads that work at random, and rest when they are asked to.
//
//   Crew crew(stage, 16, seed);
//   crew.work_for(seconds);           // then all are at rest
//   crew.tallies()[i];                // of operations()[i]
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "soak/gate.h"
#include "soak/operations/operations.h"
#include "soak/stage.h"
#include "soak/tally.h"

namespace mxinfer::soak {

class Crew {
 public:
  Crew(Stage& stage, int threads, std::uint64_t seed, Surprises& surprises);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// With the operations by weight, or the large ones alone.
  void work_for(double seconds, bool large = false);
  [[nodiscard]] const std::vector<Tally>& tallies() const noexcept { return tallies_; }
  [[nodiscard]] std::uint64_t calls() const noexcept;

 private:
  void work(std::uint64_t seed);
  /// By chance; but first each operation once, however few calls there is time for.
  std::size_t choose(Hands& hands);
  void work_once(Hands& hands);

  Stage& stage_;
  std::atomic<bool> large_{false};
  std::atomic<std::size_t> chosen_{0};
  std::vector<Tally> tallies_;
  Surprises& surprises_;
  Gate gate_;
  std::vector<std::thread> threads_{};
};

}  // namespace mxinfer::soak
