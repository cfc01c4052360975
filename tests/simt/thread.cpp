#include "simt/thread.h"

#include "simt/host/observer.h"
#include "simt/host/runner.h"
#include "simt/shared_memory.h"

namespace mxinfer::simt {
namespace {

std::string text_of(uint3 index) {
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," + std::to_string(index.z) + ")";
}

std::string mask_text(unsigned mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

std::string lane_text(const Thread& thread) {
  return name_of(thread) + " (lane " + std::to_string(thread.lane) + ")";
}

/// Fails unless the lanes of the mask are there.
void check_mask(unsigned mask, const Place& place) {
  const Warp& warp = *self->warp;
  if ((mask >> self->lane & 1u) == 0) {
    fail([&] {
      return lane_text(*self) + " is not in its mask " + mask_text(mask) + " at " + describe(place);
    });
  }
  if (const unsigned there = warp.count == 32 ? ~0u : (1u << warp.count) - 1; (mask & ~there) != 0) {
    fail([&] {
      return name_of(*self) + ": the mask " + mask_text(mask) + " at " + describe(place) +
             " names lanes that its warp of " + std::to_string(warp.count) + " threads does not have";
    });
  }
  if (const unsigned gone = mask & warp.exited; gone != 0) {
    fail([&] {
      return name_of(*self) + ": the mask " + mask_text(mask) + " at " + describe(place) + " names " +
             lane_text(warp.lanes[__builtin_ctz(gone)]) + ", which has ended";
    });
  }
}

/// Fails if lanes wait that this one's operation does not go with.
void check_others(unsigned mask, const Place& place) {
  const Warp& warp = *self->warp;
  for (unsigned left = warp.waiting; left != 0; left &= left - 1) {
    const Thread& other = warp.lanes[__builtin_ctz(left)];
    if ((mask >> other.lane & 1u) == 0 && (other.mask >> self->lane & 1u) == 0) continue;
    if (other.mask == mask && other.place == place) return;  // and so do all of its mask
    fail([&] {
      return lane_text(*self) + " is at " + describe(place) + " with mask " + mask_text(mask) +
             ", and lane " + std::to_string(other.lane) + " waits at " + describe(other.place) +
             " with mask " + mask_text(other.mask) + "; all lanes of a mask must do the same operation";
    });
  }
}

}  // namespace

std::string name_of(const Thread& thread) {
  return "thread " + text_of(thread.index);
}

std::string describe(const Place& place) {
  return std::string(place.operation) + " in " + place.file + ":" + std::to_string(place.line);
}

std::string describe(const Thread& thread) {
  return name_of(thread) + " waits at " + describe(thread.place);
}

void stop(std::string&& message) {
  runner().stop(std::move(message));
}

void* shared_bytes(std::size_t bytes) {
  const Block& block = *self->block;
  if (bytes > block.shared_bytes) {
    fail([&] {
      return "the kernel's shared memory has " + std::to_string(bytes) + " bytes, and the launch gives it " +
             std::to_string(block.shared_bytes);
    });
  }
  return block.shared;
}

void barrier(const Place& place) {
  Block& block = *self->block;
  if (block.exited > 0) {
    fail([&] {
      return name_of(*self) + " is at " + describe(place) + ", and " + std::to_string(block.exited) +
             " threads of its block have ended; all threads of a block must reach the barrier";
    });
  }
  if (block.at_barrier == 0) {
    block.first_there = self;
  } else if (!(block.first_there->place == place)) {
    fail([&] {
      return name_of(*self) + " is at " + describe(place) + ", and " + describe(*block.first_there) +
             "; all threads of a block must reach the same barrier";
    });
  }
  if (observer != nullptr) observer->barrier(*self);
  self->place = place;
  if (++block.at_barrier == block.threads) {
    block.at_barrier = 0;
    ++block.epoch;
    block.runner->make_ready(self->warp->lanes - (self->number - self->lane), block.threads);
  }
  block.runner->block_self();
  self->place = {};
}

void collective(unsigned mask, const void* in, void* out, Compute compute, const Place& place) {
  Warp& warp = *self->warp;
  check_mask(mask, place);
  if (warp.waiting != 0) check_others(mask, place);
  self->place = place;
  self->mask = mask;
  self->in = in;
  self->out = out;
  warp.waiting |= 1u << self->lane;
  if ((warp.waiting & mask) == mask) {
    compute(warp, mask);
    warp.waiting &= ~mask;
    self->block->runner->make_ready(warp.lanes, warp.count, mask);
  }
  self->block->runner->block_self();
  self->place = {};
}

}  // namespace mxinfer::simt

void __trap(const char* file, unsigned line) {
  using namespace mxinfer::simt;
  fail([&] { return name_of(*self) + " has called " + describe(Place{"__trap()", file, line}); });
}
