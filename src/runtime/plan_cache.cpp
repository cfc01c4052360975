#include "runtime/plan_cache.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "base/fail.h"
#include "base/log.h"
#include "base/stopwatch.h"
#include "plan/plan_bytes.h"
#include "runtime/input_types.h"

namespace mxinfer::runtime {
namespace {

/// Calls body(). If `device` has no memory for it, releases what is kept there for later calls, first the
/// workspaces, then also the plans, and tries again.
template <typename Body>
auto with_room_on(device::Device* device, const Body& body) {
  for (const auto kept : {MemoryBudget::Kept::workspaces, MemoryBudget::Kept::plans}) {
    try {
      return body();
    } catch (const Error& error) {
      if (device == nullptr || error.code() != ErrorCode::out_of_memory) throw;
    }
    MemoryBudget::release_on(*device, kept);
  }
  return body();
}

/// Work of a caller's stream may go on after the call: its memory is not for others.
bool has_memory_of_pool(const plan::Plan& plan) {
  return plan.device != nullptr && !plan.operands_on_device;
}

bool is_on(const plan::Plan& plan, const device::Device* device) {
  return device == nullptr || plan.device.get() == device;
}

}  // namespace

std::shared_ptr<PlanCache::Entry> PlanCache::find(Span<const TensorView> inputs, std::size_t device) {
  const device::Device* const on = planner_.devices().empty() ? nullptr : planner_.devices()[device].get();
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const std::shared_ptr<Entry>& entry) {
    return entry->plan->device.get() == on && are_of_types(inputs, entry->plan->inputs);
  });
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return entries_.front();
}

std::shared_ptr<PlanCache::Entry> PlanCache::find_or_make(Span<const TensorView> inputs, std::size_t device) {
  if (auto entry = find(inputs, device)) return entry;
  ++misses_;
  std::optional<std::int64_t> milliseconds;
  auto entry = make(inputs, device, milliseconds);
  // Outside all locks, so that no other call waits for the log's callback.
  if (milliseconds) log_message(LogLevel::info, entry->plan->origin, ": planned in ", *milliseconds, " ms");
  keep_to_limits();
  return entry;
}

std::shared_ptr<PlanCache::Entry> PlanCache::make(Span<const TensorView> inputs, std::size_t device,
                                                  std::optional<std::int64_t>& milliseconds) {
  // Makes one plan at a time: other threads that need the same plan wait instead of making it again. Requests
  // with an existing plan never get here.
  const std::lock_guard making(making_);
  if (auto entry = find(inputs, device)) return entry;
  const Stopwatch watch;
  device::Device* const on = planner_.devices().empty() ? nullptr : planner_.devices()[device].get();
  auto plan = with_room_on(on, [&] { return planner_.plan(graph_, types_of(inputs), device); });
  MemoryBudget::Share share = in_context([&] { return plan->origin + kTrail + "the plan"; },
                                         [&] { return memory_->take_for_plan(plan::plan_bytes(*plan)); });
  auto entry = std::make_shared<Entry>(std::move(plan), std::move(share), memory_);
  milliseconds = watch.milliseconds();
  ++made_;
  const std::lock_guard lock(mutex_);
  entries_.push_front(entry);
  return entry;
}

std::shared_ptr<PlanCache::Entry> PlanCache::take_least_used() {
  const std::lock_guard lock(mutex_);
  if (entries_.size() < 2 || (entries_.size() <= most_plans() && !keeps_too_much())) return nullptr;
  std::shared_ptr<Entry> least = std::move(entries_.back());
  entries_.pop_back();
  return least;
}

bool PlanCache::keeps_too_much() const {
  if (!memory_->keeps_too_much()) return false;
  std::size_t here = 0;
  for (const auto& entry : entries_) {
    here += entry->share.bytes();
    const std::lock_guard lock(entry->mutex);
    for (const auto& workspace : entry->idle) here += workspace->bytes();
  }
  const std::size_t all = memory_->plan_bytes() + memory_->idle_bytes();
  return all <= here || all - here <= memory_->limits().kept_bytes;
}

void PlanCache::drop(Entry& entry) {
  Workspaces idle;
  const std::lock_guard lock(entry.mutex);
  entry.is_dropped = true;
  for (const auto& workspace : entry.idle) entry.memory->remove_idle(workspace->bytes());
  idle.swap(entry.idle);
}

void PlanCache::keep_to_limits() {
  bool dropped = false;
  while (const auto least = take_least_used()) {
    drop(*least);
    dropped = true;
    log_message(LogLevel::debug, least->plan->origin, ": its plan was dropped, because at most ",
                most_plans(), " are kept in ", memory_->limits().kept_bytes,
                " bytes (max_plans and max_plan_bytes of its options)");
  }
  if (dropped) planner_.release_unused_weights();
  Workspaces idle;
  const std::lock_guard lock(mutex_);
  if (!keeps_too_much()) return;
  for (const auto& entry : entries_) {
    const std::lock_guard idle_lock(entry->mutex);
    idle.reserve(idle.size() + entry->idle.size());
    while (entry->idle.size() > 1 && memory_->keeps_too_much()) {
      memory_->remove_idle(entry->idle.front()->bytes());
      idle.push_back(std::move(entry->idle.front()));
      entry->idle.erase(entry->idle.begin());
    }
  }
}

std::unique_ptr<PlanCache::Workspace> PlanCache::make_workspace(const Entry& entry) {
  const auto& plan = entry.plan;
  return in_context([&] { return plan->origin + kTrail + "the memory that its steps work in"; },
                    [&] {
                      auto share = memory_->take_for_workspace(Executor::bytes_for(*plan));
                      const bool has_own = plan->device && !has_memory_of_pool(*plan);
                      std::optional<MemoryBudget::Share> on_device;
                      if (has_own) on_device.emplace(take_on_device(*plan));
                      const auto memory =
                          has_own || !plan->device ? DeviceMemoryOf::run : DeviceMemoryOf::pool;
                      auto workspace = with_room_on(
                          plan->device.get(), [&] { return std::make_unique<Workspace>(plan, memory); });
                      workspace->share.emplace(std::move(share));
                      if (on_device) workspace->on_device.emplace(std::move(*on_device));
                      if (const std::size_t staging = Executor::staging_bytes_for(*plan); staging > 0)
                        workspace->staging.emplace(memory_->note_staging(plan->device, staging));
                      return workspace;
                    });
}

MemoryBudget::Share PlanCache::take_on_device(const plan::Plan& plan) {
  return memory_->take_on_device(plan.device, plan.device_bytes,
                                 [&] { return planner_.weight_bytes_on(*plan.device); });
}

void PlanCache::take_memory(Workspace& workspace) {
  const plan::Plan& plan = workspace.executor.plan();
  if (!has_memory_of_pool(plan)) return;
  in_context([&] { return plan.origin + kTrail + "the memory that its steps work in"; },
             [&] {
               workspace.on_device.emplace(take_on_device(plan));
               with_room_on(plan.device.get(), [&] { workspace.executor.take_memory(); });
             });
}

void PlanCache::return_memory(Workspace& workspace) noexcept {
  if (!has_memory_of_pool(workspace.executor.plan())) return;
  workspace.executor.give_memory_back();
  workspace.on_device.reset();
}

PlanCache::Lease PlanCache::lease(Span<const TensorView> inputs) {
  ++calls_;
  MemoryBudget::release_long_idle();
  auto place =
      planner_.devices().empty() ? device::DevicePlace() : device::DevicePlace::choose(planner_.devices());
  auto entry = find_or_make(inputs, place.index());
  std::unique_ptr<Workspace> workspace;
  {
    const std::lock_guard lock(entry->mutex);
    if (!entry->idle.empty()) {
      workspace = std::move(entry->idle.back());
      entry->idle.pop_back();
      memory_->remove_idle(workspace->bytes());
    }
  }
  if (!workspace) workspace = make_workspace(*entry);
  try {
    take_memory(*workspace);
  } catch (...) {
    give_back(*entry, std::move(workspace));
    throw;
  }
  return Lease(*this, std::move(place), std::move(entry), std::move(workspace));
}

std::shared_ptr<const plan::Plan> PlanCache::plan(Span<const TensorView> inputs) {
  return find_or_make(inputs, device::device_to_plan_for(planner_.devices()))->plan;
}

void PlanCache::add_to(PredictorStats& stats) {
  stats.calls += calls_;
  stats.plan_misses += misses_;
  stats.plans_made += made_;
  stats.running += running_;
  const std::lock_guard lock(mutex_);
  stats.plans += entries_.size();
  for (const auto& entry : entries_) {
    const std::lock_guard idle_lock(entry->mutex);
    stats.idle_executors += entry->idle.size();
  }
}

void PlanCache::take_idle(Entry& entry, MemoryBudget::Clock::time_point time, Workspaces& idle) {
  const std::lock_guard lock(entry.mutex);
  idle.reserve(idle.size() + entry.idle.size());  // nothing throws behind this
  const auto stays = std::find_if(entry.idle.begin(), entry.idle.end(),
                                  [&](const auto& workspace) { return workspace->idle_since >= time; });
  for (auto goes = entry.idle.begin(); goes != stays; ++goes) {
    memory_->remove_idle((*goes)->bytes());
    idle.push_back(std::move(*goes));
  }
  entry.idle.erase(entry.idle.begin(), stays);
}

std::size_t PlanCache::trim(const device::Device* device) {
  Workspaces idle;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& entry : entries_) {
      if (is_on(*entry->plan, device)) take_idle(*entry, MemoryBudget::Clock::time_point::max(), idle);
    }
  }
  std::size_t bytes = 0;
  for (const auto& workspace : idle) bytes += workspace->bytes();
  return bytes;
}

void PlanCache::release_idle_since(MemoryBudget::Clock::time_point time) {
  Workspaces idle;
  const std::lock_guard lock(mutex_);
  for (const auto& entry : entries_) take_idle(*entry, time, idle);
}

void PlanCache::drop_unused(const device::Device* device) {
  std::list<std::shared_ptr<Entry>> dropped;
  {
    const std::lock_guard lock(mutex_);
    for (auto entry = entries_.begin(); entry != entries_.end();) {
      const auto next = std::next(entry);
      // Others can acquire an entry only through the list, which is locked.
      if (entry->use_count() == 1 && is_on(*(*entry)->plan, device))
        dropped.splice(dropped.end(), entries_, entry);
      entry = next;
    }
  }
  dropped.clear();
  planner_.release_unused_weights();
}

void PlanCache::drop_lost() {
  std::list<std::shared_ptr<Entry>> dropped;
  {
    const std::lock_guard lock(mutex_);
    for (auto entry = entries_.begin(); entry != entries_.end();) {
      const auto next = std::next(entry);
      if ((*entry)->plan->device && (*entry)->plan->device->is_lost())
        dropped.splice(dropped.end(), entries_, entry);
      entry = next;
    }
  }
  for (const auto& entry : dropped) drop(*entry);
  dropped.clear();
  planner_.release_unused_weights();
}

void PlanCache::give_back(Entry& entry, std::unique_ptr<Workspace> workspace) noexcept try {
  return_memory(*workspace);
  const MemoryLimits& limits = memory_->limits();
  if (limits.idle_time.count() > 0) workspace->idle_since = MemoryBudget::Clock::now();
  {
    const std::lock_guard lock(entry.mutex);
    if (entry.is_dropped || entry.idle.size() >= limits.idle_executors) return;
    const std::size_t bytes = workspace->bytes();
    entry.idle.push_back(std::move(workspace));
    memory_->add_idle(bytes);
  }
  if (memory_->keeps_too_much()) keep_to_limits();
} catch (const std::bad_alloc&) {
  // Out of memory to keep it: release the workspace.
}

PlanCache::Entry::~Entry() {
  for (const auto& workspace : idle) memory->remove_idle(workspace->bytes());
}

PlanCache::PlanCache(std::shared_ptr<MemoryBudget> memory, const Planner& planner, const graph::Graph& graph)
    : memory_(std::move(memory)), planner_(planner), graph_(graph) {
  memory_->add(*this);
}

PlanCache::~PlanCache() {
  memory_->remove(*this);
}

PlanCache::Lease::Lease(PlanCache& cache, device::DevicePlace place, std::shared_ptr<Entry> entry,
                        std::unique_ptr<Workspace> workspace)
    : cache_(&cache), place_(std::move(place)), entry_(std::move(entry)), workspace_(std::move(workspace)) {
  ++cache_->running_;
}

PlanCache::Lease::~Lease() {
  if (!workspace_) return;
  --cache_->running_;
  const device::Device* const device = entry_->plan->device.get();
  if (device != nullptr && device->is_lost()) {
    PlanCache::return_memory(*workspace_);
    workspace_.reset();
    cache_->drop_lost();
    return;
  }
  cache_->give_back(*entry_, std::move(workspace_));
}

}  // namespace mxinfer::runtime
