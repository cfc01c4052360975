#include "runtime/memory_budget.h"

#include <algorithm>

#include "base/fail.h"
#include "device/memory_pool.h"
#include "runtime/plan_cache.h"

namespace mxinfer::runtime {
namespace {

using Clock = MemoryBudget::Clock;

/// The budgets of the process.
struct Budgets {
  std::mutex mutex{};
  std::list<MemoryBudget*> all{};
  std::atomic<Clock::rep> next_look{Clock::time_point::max().time_since_epoch().count()};
};

/// Never destroyed: predictors in a program's static objects may outlive all objects of the library.
Budgets& budgets_of_process() {
  static Budgets& budgets = *new Budgets;
  return budgets;
}

/// Idle workspaces are released at most this fraction of their limit too late.
Clock::duration look_interval(const MemoryLimits& limits) {
  return std::max<Clock::duration>(limits.idle_time / 4, std::chrono::milliseconds(1));
}

void look_by(Budgets& budgets, Clock::time_point time) {
  const Clock::rep at = time.time_since_epoch().count();
  if (at < budgets.next_look.load(std::memory_order_relaxed)) budgets.next_look = at;
}

}  // namespace

MemoryBudget::MemoryBudget(const MemoryLimits& limits) : limits_(limits) {
  Budgets& budgets = budgets_of_process();
  const std::lock_guard lock(budgets.mutex);
  budgets.all.push_back(this);
  if (limits_.idle_time.count() > 0) look_by(budgets, Clock::now() + look_interval(limits_));
}

MemoryBudget::~MemoryBudget() {
  {
    Budgets& budgets = budgets_of_process();
    const std::lock_guard lock(budgets.mutex);
    budgets.all.remove(this);
  }
  for (const OnDevice& there : devices_) there.device->pool().remove_user();
}

void MemoryBudget::release_long_idle() {
  Budgets& budgets = budgets_of_process();
  const Clock::rep next = budgets.next_look.load(std::memory_order_relaxed);
  if (next == Clock::time_point::max().time_since_epoch().count()) return;
  const Clock::time_point now = Clock::now();
  if (now.time_since_epoch().count() < next) return;
  const std::unique_lock lock(budgets.mutex, std::try_to_lock);
  if (!lock) return;  // another call looks
  budgets.next_look = Clock::time_point::max().time_since_epoch().count();
  const auto is_timed = [](const MemoryBudget* budget) { return budget->limits_.idle_time.count() > 0; };
  for (const MemoryBudget* const budget : budgets.all) {
    if (is_timed(budget)) look_by(budgets, now + look_interval(budget->limits_));
  }
  for (MemoryBudget* const budget : budgets.all) {
    if (is_timed(budget)) budget->release_idle_since(now - budget->limits_.idle_time);
  }
}

void MemoryBudget::release_idle_since(Clock::time_point time) {
  const std::lock_guard lock(mutex_);
  for (PlanCache* const cache : caches_) cache->release_idle_since(time);
  const std::lock_guard devices_lock(devices_mutex_);
  for (const OnDevice& there : devices_) there.device->pool().release_free_since(time);
}

void MemoryBudget::drop_unused_on(const device::Device& device) {
  const std::lock_guard lock(mutex_);
  for (PlanCache* const cache : caches_) cache->drop_unused(&device);
}

void MemoryBudget::release_on(device::Device& device, Kept what) {
  device.pool().release_free();
  Budgets& budgets = budgets_of_process();
  const std::lock_guard lock(budgets.mutex);
  for (MemoryBudget* const budget : budgets.all) {
    if (what == Kept::plans) {
      budget->drop_unused_on(device);
    } else {
      const std::lock_guard budget_lock(budget->mutex_);
      for (PlanCache* const cache : budget->caches_) cache->trim(&device);
    }
  }
}

MemoryBudget::OnDevice& MemoryBudget::on(const std::shared_ptr<device::Device>& device) {
  const std::lock_guard lock(devices_mutex_);
  for (OnDevice& there : devices_) {
    if (there.device == device) return there;
  }
  devices_.emplace_back().device = device;
  device->pool().add_user();
  return devices_.back();
}

bool MemoryBudget::try_take_on(OnDevice& there, std::size_t bytes, FunctionRef<std::size_t()> weight_bytes) {
  const std::size_t most = limits_.device_bytes;
  const bool is_limited = most != std::numeric_limits<std::size_t>::max();
  const std::size_t weights = is_limited ? weight_bytes() : 0;
  std::size_t taken = there.workspaces.load(std::memory_order_relaxed);
  do {
    const std::size_t all = weights + taken;
    if (bytes > most || all > most - bytes) return false;
  } while (!there.workspaces.compare_exchange_weak(taken, taken + bytes, std::memory_order_relaxed));
  return true;
}

MemoryBudget::Share MemoryBudget::take_on_device(const std::shared_ptr<device::Device>& device,
                                                 std::size_t bytes, FunctionRef<std::size_t()> weight_bytes) {
  OnDevice& there = on(device);
  if (!try_take_on(there, bytes, weight_bytes)) {
    drop_unused_on(*device);
    if (!try_take_on(there, bytes, weight_bytes)) {
      fail(ErrorCode::out_of_memory, bytes, " bytes are needed on ", device->name(), ", and of the ",
           limits_.device_bytes, " that the predictor may take there (Options::max_device_memory_bytes), ",
           weight_bytes(), " hold its weights and ", there.workspaces.load(std::memory_order_relaxed),
           " are in use by other calls; allow more, or give it smaller batches or fewer calls at the same "
           "time");
    }
  }
  try {
    Share share = take(bytes, workspaces_);
    share.on_device_ = &there.workspaces;
    return share;
  } catch (...) {
    there.workspaces.fetch_sub(bytes, std::memory_order_relaxed);
    throw;
  }
}

MemoryBudget::Share MemoryBudget::note_staging(const std::shared_ptr<device::Device>& device,
                                               std::size_t bytes) {
  OnDevice& there = on(device);
  there.staging.fetch_add(bytes, std::memory_order_relaxed);
  return Share(*this, bytes, there.staging);
}

void MemoryBudget::add(PlanCache& cache) {
  const std::lock_guard lock(mutex_);
  caches_.push_back(&cache);
}

void MemoryBudget::remove(PlanCache& cache) noexcept {
  const std::lock_guard lock(mutex_);
  caches_.remove(&cache);
}

bool MemoryBudget::fits(std::size_t taken, std::size_t bytes) const {
  return bytes <= limits_.bytes && taken <= limits_.bytes - bytes;
}

bool MemoryBudget::try_take(std::size_t bytes) {
  std::size_t taken = all_.load(std::memory_order_relaxed);
  do {
    if (!fits(taken, bytes)) return false;
  } while (!all_.compare_exchange_weak(taken, taken + bytes, std::memory_order_relaxed));
  return true;
}

std::size_t MemoryBudget::trim() {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (PlanCache* const cache : caches_) bytes += cache->trim();
  const std::lock_guard devices_lock(devices_mutex_);
  for (const OnDevice& there : devices_) bytes += there.device->pool().release_free();
  return bytes;
}

bool MemoryBudget::make_room(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::size_t before = all_;
  for (PlanCache* const cache : caches_) cache->trim();
  // Plans are slow to remake, so they are kept unless their memory is needed.
  if (!fits(all_, bytes) && fits(workspaces_, bytes)) {
    for (PlanCache* const cache : caches_) cache->drop_unused();
  }
  return all_ < before || fits(all_, bytes);
}

MemoryBudget::Share MemoryBudget::take(std::size_t bytes, std::atomic<std::size_t>& kind) {
  // A workspace that became idle meanwhile is released in the next round.
  constexpr int kRounds = 16;
  for (int round = 0; !try_take(bytes); ++round) {
    if (round < kRounds && (make_room(bytes) || idle_bytes() > 0)) continue;
    fail(ErrorCode::out_of_memory, bytes, " bytes are needed, and of the ", limits_.bytes,
         " that the predictor may hold (Options::max_memory_bytes), ", all_.load(std::memory_order_relaxed),
         " are in use; allow more, or give it smaller batches or fewer calls at the same time");
  }
  kind.fetch_add(bytes, std::memory_order_relaxed);
  return Share(*this, kind, bytes);
}

MemoryBudget::Share MemoryBudget::take_for_workspace(std::size_t bytes) {
  return take(bytes, workspaces_);
}

MemoryBudget::Share MemoryBudget::take_for_plan(std::size_t bytes) {
  return take(bytes, plans_);
}

MemoryBudget::Share::~Share() {
  if (budget_ == nullptr) return;
  if (on_device_ != nullptr) on_device_->fetch_sub(bytes_, std::memory_order_relaxed);
  if (kind_ == nullptr) return;
  kind_->fetch_sub(bytes_, std::memory_order_relaxed);
  budget_->all_.fetch_sub(bytes_, std::memory_order_relaxed);
}

}  // namespace mxinfer::runtime
