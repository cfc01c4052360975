#include "exec/plan_cache.h"

#include <algorithm>

#include "base/fail.h"

namespace mxinfer::exec {
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
  // One plan at a time: threads that want the same one then wait for it instead of making it again. Requests
  // whose plan is there do not come here.
  const std::lock_guard making(making_);
  if (auto entry = find(inputs)) return entry;
  std::vector<ops::TensorType> types;
  for (const TensorView& input : inputs) types.push_back({input.dtype(), input.shape()});
  auto entry = std::make_shared<Entry>(make_(types));
  const std::lock_guard lock(mutex_);
  entries_.push_front(entry);
  while (entries_.size() > std::max<std::size_t>(max_plans_, 1)) entries_.pop_back();
  return entry;
}

PlanCache::Lease PlanCache::lease(Span<const TensorView> inputs) {
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
  return Lease(std::move(entry), std::move(executor));
}

std::shared_ptr<const plan::Plan> PlanCache::plan(Span<const TensorView> inputs) {
  return find_or_make(inputs)->plan;
}

PlanCache::Lease::~Lease() {
  if (!executor_) return;
  const std::lock_guard lock(entry_->mutex);
  try {
    entry_->idle.push_back(std::move(executor_));
  } catch (const std::bad_alloc&) {
    // Without room to keep it, the executor simply goes.
  }
}

}  // namespace mxinfer::exec
