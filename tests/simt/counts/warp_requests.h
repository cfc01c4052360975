// The accesses of a warp's lanes, put together to the requests that a GPU would make of them. Lanes run one
// after another in the emulator: an access belongs to the request of the same instruction (its address in the
// code) that the other lanes have executed as many times.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>

namespace mxinfer::simt {

/// One instruction of a warp: what its lanes access.
struct Request {
  std::uint32_t lanes = 0;  ///< a bit each
  unsigned bytes = 0;       ///< of a lane
  std::array<std::uintptr_t, 32> addresses{};
};

class WarpRequests {
 public:
  explicit WarpRequests(std::function<void(const Request&)> done) : done_(std::move(done)) {}

  /// An access of a lane. The request is done when it has all 32 lanes.
  void add(const void* code, unsigned lane, std::uintptr_t address, unsigned bytes);
  /// Those with fewer lanes are done as well.
  void finish();

 private:
  struct Instruction {
    std::array<std::uint64_t, 32> executed{};
    std::uint64_t first = 0;   ///< the number of open.front()
    std::deque<Request> open;  ///< done ones at its begin are removed
  };

  std::function<void(const Request&)> done_;
  std::unordered_map<const void*, Instruction> instructions_;
};

/// The different sectors of 32 bytes that it touches.
unsigned sectors_of(const Request& request);

/// Wavefronts of a request to shared memory. Lanes that ask for 8 or 16 bytes are served by half warps or
/// quarters of a warp; different words of one bank come one after another.
struct Wavefronts {
  unsigned all = 0;
  unsigned without_conflicts = 0;
};
Wavefronts wavefronts_of(const Request& request);

}  // namespace mxinfer::simt
