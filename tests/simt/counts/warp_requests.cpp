#include "simt/counts/warp_requests.h"

#include <algorithm>
#include <vector>

namespace mxinfer::simt {
namespace {

constexpr std::uint32_t kAllLanes = 0xffffffffu;
constexpr unsigned kBanks = 32, kWord = 4;

/// The different numbers that the lanes [first, end) access, of units of so many bytes.
std::vector<std::uintptr_t> units_of(const Request& request, unsigned first, unsigned end, unsigned unit) {
  std::vector<std::uintptr_t> units;
  for (unsigned lane = first; lane < end; ++lane) {
    if ((request.lanes >> lane & 1u) == 0) continue;
    const std::uintptr_t from = request.addresses[lane];
    for (std::uintptr_t u = from / unit; u <= (from + request.bytes - 1) / unit; ++u) units.push_back(u);
  }
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

}  // namespace

void WarpRequests::add(const void* code, unsigned lane, std::uintptr_t address, unsigned bytes) {
  Instruction& instruction = instructions_[code];
  const std::uint64_t at = instruction.executed[lane]++ - instruction.first;
  while (instruction.open.size() <= at) instruction.open.emplace_back();
  Request& request = instruction.open[at];
  request.lanes |= 1u << lane;
  request.bytes = std::max(request.bytes, bytes);
  request.addresses[lane] = address;
  while (!instruction.open.empty() && instruction.open.front().lanes == kAllLanes) {
    done_(instruction.open.front());
    instruction.open.pop_front();
    ++instruction.first;
  }
}

void WarpRequests::finish() {
  for (auto& [code, instruction] : instructions_) {
    for (const Request& request : instruction.open) done_(request);
  }
  instructions_.clear();
}

unsigned sectors_of(const Request& request) {
  return static_cast<unsigned>(units_of(request, 0, 32, 32).size());
}

Wavefronts wavefronts_of(const Request& request) {
  const unsigned lanes = request.bytes >= 16 ? 8 : request.bytes >= 8 ? 16 : 32;
  Wavefronts result;
  for (unsigned first = 0; first < 32; first += lanes) {
    const std::vector<std::uintptr_t> words = units_of(request, first, first + lanes, kWord);
    if (words.empty()) continue;
    unsigned of_bank[kBanks] = {}, most = 0;
    for (const std::uintptr_t word : words) most = std::max(most, ++of_bank[word % kBanks]);
    result.all += most;
    result.without_conflicts += (static_cast<unsigned>(words.size()) + kBanks - 1) / kBanks;
  }
  return result;
}

}  // namespace mxinfer::simt
