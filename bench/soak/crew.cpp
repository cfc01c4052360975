#include "soak/crew.h"

#include <chrono>
#include <exception>

namespace mxinfer::soak {

Crew::Crew(Stage& stage, int threads, std::uint64_t seed, Surprises& surprises)
    : stage_(stage), tallies_(operations().size()), surprises_(surprises), gate_(threads) {
  for (int i = 0; i < threads; ++i) {
    const std::uint64_t own = seed * 1000 + static_cast<std::uint64_t>(i);
    threads_.emplace_back([this, own] { work(own); });
  }
}

Crew::~Crew() {
  gate_.end();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::work_for(double seconds, bool large) {
  large_ = large;
  gate_.open();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  gate_.close();
}

std::uint64_t Crew::calls() const noexcept {
  std::uint64_t sum = 0;
  for (const Tally& tally : tallies_) sum += tally.all();
  return sum;
}

void Crew::work(std::uint64_t seed) {
  Hands hands(stage_, seed);
  while (gate_.pass()) work_once(hands);
}

std::size_t Crew::choose(Hands& hands) {
  if (large_) return choose_large_operation(hands);
  const std::size_t nth = chosen_++;
  return nth < operations().size() ? nth : choose_operation(hands);
}

void Crew::work_once(Hands& hands) {
  const std::size_t chosen = choose(hands);
  hands.count_in(tallies_[chosen]);
  try {
    operations()[chosen].run(hands);
  } catch (const std::exception& error) {
    surprises_.add(operations()[chosen].name, error.what());
  }
  hands.let_go();
}

}  // namespace mxinfer::soak
