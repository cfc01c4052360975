#include "simt/warp_functions.h"

#include "simt/host/observer.h"

namespace mxinfer::simt {
namespace {

void observe_exchange(const Warp& warp) {
  if (observer != nullptr) observer->warp_operation(warp, WarpOperation::exchange, 1);
}

struct Shuffled {
  std::uint64_t bits;
  int source;  ///< the lane
  Place place;
};

/// The lane that a lane reads; itself where there is none within its width.
int source_lane(int lane, Shuffle kind, int amount, int width) {
  const int first = lane & ~(width - 1);
  switch (kind) {
    case Shuffle::from:
      return first + (amount & (width - 1));
    case Shuffle::up:
      return lane - amount < first ? lane : lane - amount;
    case Shuffle::down:
      return lane + amount >= first + width ? lane : lane + amount;
    default:
      return (lane ^ amount) >= first + width ? lane : lane ^ amount;
  }
}

void exchange(Warp& warp, unsigned mask) {
  observe_exchange(warp);
  for (unsigned left = mask; left != 0; left &= left - 1) {
    Thread& lane = warp.lanes[__builtin_ctz(left)];
    const auto& own = *static_cast<const Shuffled*>(lane.in);
    if (own.source < 0 || own.source > 31 || (mask >> own.source & 1u) == 0) {
      fail([&] {
        return name_of(lane) + " (lane " + std::to_string(lane.lane) + ") reads lane " +
               std::to_string(own.source) + " at " + describe(own.place) + ", which is not in its mask";
      });
    }
    *static_cast<std::uint64_t*>(lane.out) = static_cast<const Shuffled*>(warp.lanes[own.source].in)->bits;
  }
}

void vote(Warp& warp, unsigned mask) {
  observe_exchange(warp);
  unsigned bits = 0;
  for (unsigned left = mask; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    if (*static_cast<const bool*>(warp.lanes[lane].in)) bits |= 1u << lane;
  }
  for (unsigned left = mask; left != 0; left &= left - 1)
    *static_cast<unsigned*>(warp.lanes[__builtin_ctz(left)].out) = bits;
}

}  // namespace

std::uint64_t shuffle(unsigned mask, std::uint64_t bits, Shuffle kind, int amount, int width,
                      const Place& place) {
  if (width < 1 || width > 32 || (width & (width - 1)) != 0) {
    fail([&] {
      return name_of(*self) + ": the width of " + describe(place) + " is " + std::to_string(width) +
             "; expected a power of two up to 32";
    });
  }
  const Shuffled in{bits, source_lane(static_cast<int>(self->lane), kind, amount, width), place};
  std::uint64_t out = 0;
  collective(mask, &in, &out, exchange, place);
  return out;
}

unsigned ballot(unsigned mask, bool predicate, const Place& place) {
  unsigned bits = 0;
  collective(mask, &predicate, &bits, vote, place);
  return bits;
}

void sync_warp(unsigned mask, const Place& place) {
  collective(
      mask, nullptr, nullptr, [](Warp& warp, unsigned) { ++warp.epoch; }, place);
}

}  // namespace mxinfer::simt
