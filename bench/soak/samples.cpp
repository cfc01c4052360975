#include "soak/samples.h"

#include <algorithm>
#include <limits>

#include "cli/output/output.h"

namespace mxinfer::soak {
namespace {

constexpr std::int64_t kKilobyte = 1024, kMegabyte = 1024 * kKilobyte, kPage = 4 * kKilobyte;

std::int64_t resident(const Sample& sample) {
  return sample.memory.resident;
}
std::int64_t heap(const Sample& sample) {
  return sample.memory.heap.bytes;
}

std::int64_t blocks(const Sample& sample) {
  return sample.memory.heap.blocks;
}

std::int64_t most(const std::vector<Sample>& samples, Phase phase, std::int64_t (*of)(const Sample&)) {
  std::int64_t found = std::numeric_limits<std::int64_t>::min();
  for (const Sample& sample : samples) {
    if (sample.phase == phase) found = std::max(found, of(sample));
  }
  return found;
}

}  // namespace

const char* to_string(Phase phase) noexcept {
  switch (phase) {
    case Phase::rush:
      return "rush";
    case Phase::warm_up:
      return "warm-up";
    case Phase::work:
      return "work";
    case Phase::steady:
      return "steady";
  }
  return "";
}

void Samples::begin_anew() {
  for (Sample& sample : list_) {
    if (sample.phase == Phase::work) sample.phase = Phase::warm_up;
  }
}

std::vector<Bar> Samples::bars_of_work() const {
  const auto growth = [&](std::int64_t (*of)(const Sample&)) {
    return most(list_, Phase::work, of) - most(list_, Phase::warm_up, of);
  };
  return {{"resident memory after the warm-up", growth(resident), kMegabyte},
          {"the live heap after the warm-up", growth(heap), 64 * kKilobyte}};
}

std::vector<Bar> Samples::bars_of_steady() const {
  const auto first = std::find_if(list_.begin(), list_.end(),
                                  [](const Sample& sample) { return sample.phase == Phase::steady; });
  if (first == list_.end()) return {};
  const auto growth = [&](std::int64_t (*of)(const Sample&)) { return of(list_.back()) - of(*first); };
  return {{"resident memory during the steady phase", growth(resident), 2 * kPage},
          {"the live heap during the steady phase", growth(heap), kPage},
          {"the live heap during the steady phase", growth(blocks), 0, "blocks"}};
}

std::string describe(const Bar& bar) {
  return bar.what + " grew by " + cli::with_commas(bar.growth) + " " + bar.unit + ", and may by " +
         cli::with_commas(bar.limit);
}

}  // namespace mxinfer::soak
