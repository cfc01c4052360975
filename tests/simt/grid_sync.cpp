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

}  // namespace mxinfer::simt
