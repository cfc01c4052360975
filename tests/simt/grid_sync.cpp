#include "simt/grid_sync.h"

#include "simt/host/observer.h"
#include "simt/host/runner.h"

namespace mxinfer::simt {
namespace {

void check_cooperative(const Place& place) {
  if (runner().launch->is_cooperative) return;
  fail([&] {
    return name_of(*self) + " is at " + describe(place) +
           ", and the launch is not cooperative: other blocks may never start";
  });
}

}  // namespace

void signal_blocks(unsigned* counter, const Place& place) {
  check_cooperative(place);
  if (observer != nullptr) observer->signal(*self, counter);
  __atomic_fetch_add(counter, 1u, __ATOMIC_RELAXED);
}

void wait_for_blocks(const unsigned* counter, unsigned count, const Place& place) {
  check_cooperative(place);
  self->place = place;
  runner().wait_for(counter, count);
  self->place = {};
  if (observer != nullptr) observer->waited(*self, counter);
}

bool is_last_of_blocks(unsigned* counter, unsigned count) {
  if (observer != nullptr) observer->signal(*self, counter);
  const unsigned before = __atomic_fetch_add(counter, 1u, __ATOMIC_ACQ_REL);
  if (before >= count && observer == nullptr) {
    fail([&] {
      return name_of(*self) + " asks whether it is the last of " + std::to_string(count) +
             " blocks, and the counter is " + std::to_string(before) + " already";
    });
  }
  if (before + 1 != count) return false;
  __atomic_store_n(counter, 0u, __ATOMIC_RELAXED);
  if (observer != nullptr) observer->waited(*self, counter);
  return true;
}

}  // namespace mxinfer::simt
