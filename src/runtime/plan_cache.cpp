#include "runtime/plan_cache.h"

#include <algorithm>
#include <iterator>

#include "base/fail.h"
#include "base/log.h"
#include "base/stopwatch.h"

namespace mxinfer::runtime {
namespace {

bool fits(const plan::Plan& plan, Span<const TensorView> inputs) {
  if (plan.inputs.size() != inputs.size()) return false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (plan.inputs[i].dtype != inputs[i].dtype() || plan.inputs[i].shape != inputs[i].shape()) return false;
  }
  return true;
}

}  // namespace

std::shared_ptr<PlanCache::Entry> PlanCache::find(Span<const TensorView> inputs) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const std::shared_ptr<Entry>& entry) {
    return fits(*entry->plan, inputs);
  });
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return entries_.front();
}

std::shared_ptr<PlanCache::Entry> PlanCache::find_or_make(Span<const TensorView> inputs) {
  if (auto entry = find(inputs)) return entry;
  ++misses_;
  Made made;
  auto entry = make(inputs, made);
  // Behind all locks: no other call waits for a callback of the log.
  if (made.milliseconds)
    log_message(LogLevel::info, entry->plan->origin, ": planned in ", *made.milliseconds, " ms");
  for (const auto& old : made.dropped)
    log_message(LogLevel::debug, old->plan->origin, ": its plan was dropped, for ", most_plans(),
                " are kept (max_plans of its options)");
  return entry;
}

std::shared_ptr<PlanCache::Entry> PlanCache::make(Span<const TensorView> inputs, Made& made) {
  // One plan at a time: threads that want the same one then wait for it instead of making it again. Requests
  // whose plan is there do not come here.
  const std::lock_guard making(making_);
  if (auto entry = find(inputs)) return entry;
  std::vector<ops::TensorType> types;
  for (const TensorView& input : inputs) types.push_back({input.dtype(), input.shape()});
  const Stopwatch watch;
  auto entry = std::make_shared<Entry>(planner_.plan(graph_, types));
  made.milliseconds = watch.milliseconds();
  ++made_;
  const std::lock_guard lock(mutex_);
  entries_.push_front(entry);
  while (entries_.size() > most_plans())
    made.dropped.splice(made.dropped.begin(), entries_, std::prev(entries_.end()));
  return entry;
}

PlanCache::Lease PlanCache::lease(Span<const TensorView> inputs) {
  ++calls_;
  auto entry = find_or_make(inputs);
  std::unique_ptr<Executor> executor;
  {
    const std::lock_guard lock(entry->mutex);
    if (!entry->idle.empty()) {
      executor = std::move(entry->idle.back());
      entry->idle.pop_back();
    }
  }
  if (!executor) {
    const plan::Plan& plan = *entry->plan;
    executor = in_context([&] { return plan.origin + kTrail + "the memory that its steps work in"; },
                          [&] { return std::make_unique<Executor>(entry->plan); });
  }
  return Lease(*this, std::move(entry), std::move(executor));
}

std::shared_ptr<const plan::Plan> PlanCache::plan(Span<const TensorView> inputs) {
  return find_or_make(inputs)->plan;
}

void PlanCache::add_to(PredictorStats& stats) {
  stats.calls += calls_;
  stats.plan_misses += misses_;
  stats.plans_made += made_;
  stats.running += running_;
  stats.executor_bytes += running_bytes_;
  const std::lock_guard lock(mutex_);
  stats.plans += entries_.size();
  for (const auto& entry : entries_) {
    const std::lock_guard idle_lock(entry->mutex);
    stats.idle_executors += entry->idle.size();
    for (const auto& executor : entry->idle) stats.executor_bytes += executor->bytes();
  }
}

std::size_t PlanCache::trim() {
  std::vector<std::unique_ptr<Executor>> idle;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& entry : entries_) {
      const std::lock_guard idle_lock(entry->mutex);
      idle.insert(idle.end(), std::make_move_iterator(entry->idle.begin()),
                  std::make_move_iterator(entry->idle.end()));
      entry->idle.clear();
    }
  }
  std::size_t bytes = 0;
  for (const auto& executor : idle) bytes += executor->bytes();
  return bytes;
}

PlanCache::Lease::Lease(PlanCache& cache, std::shared_ptr<Entry> entry, std::unique_ptr<Executor> executor)
    : cache_(&cache), entry_(std::move(entry)), executor_(std::move(executor)) {
  ++cache_->running_;
  cache_->running_bytes_ += executor_->bytes();
}

PlanCache::Lease::~Lease() {
  if (!executor_) return;
  --cache_->running_;
  cache_->running_bytes_ -= executor_->bytes();
  const std::lock_guard lock(entry_->mutex);
  if (entry_->idle.size() >= cache_->limits_.idle_executors) return;
  try {
    entry_->idle.push_back(std::move(executor_));
  } catch (const std::bad_alloc&) {
    // Without room to keep it, the executor simply goes.
  }
}

}  // namespace mxinfer::runtime
