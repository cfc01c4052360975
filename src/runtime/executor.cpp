#include "runtime/executor.h"

#include <algorithm>

#include "base/fail.h"
#include "base/files/pages.h"

namespace mxinfer::runtime {

namespace {

// Memory that is not in the device's staging memory.
std::size_t memory_bytes(const plan::Plan& plan) {
  return DeviceRun::has_staging(plan) ? 0 : plan::workspace_bytes(plan);
}

std::size_t thread_scratch_bytes(const plan::Plan& plan) {
  return plan.thread_scratch_bytes * static_cast<std::size_t>(plan.threads);
}

}  // namespace

std::size_t Executor::bytes_for(const plan::Plan& plan) {
  return memory_bytes(plan) + thread_scratch_bytes(plan) + staging_bytes_for(plan);
}

std::size_t Executor::staging_bytes_for(const plan::Plan& plan) {
  return plan.device ? DeviceRun::staging_bytes(plan) : 0;
}

Executor::Executor(std::shared_ptr<const plan::Plan> plan, DeviceMemoryOf memory)
    : plan_(std::move(plan)),
      memory_(memory_bytes(*plan_), Pages::later),
      thread_scratch_(thread_scratch_bytes(*plan_), Pages::later) {
  if (plan_->device) device_ = std::make_unique<DeviceRun>(*plan_, memory);
}

DeviceRun& Executor::device() {
  if (device_ == nullptr) fail(ErrorCode::internal, "a plan without a device was started as one of a device");
  return *device_;
}

/// On all threads of the arena: page faults take much of a new process's first prediction.
void Executor::take_all_pages() {
  constexpr std::size_t kStretch = std::size_t{1} << 20;
  for (AlignedBuffer* buffer : {&memory_, &thread_scratch_}) {
    const auto stretches = static_cast<std::int64_t>((buffer->bytes() + kStretch - 1) / kStretch);
    parallel_for(stretches, 1, [&](std::int64_t begin, std::int64_t end) {
      const std::size_t first = static_cast<std::size_t>(begin) * kStretch;
      const std::size_t last = std::min(buffer->bytes(), static_cast<std::size_t>(end) * kStretch);
      take_pages(buffer->data() + first, last - first);
    });
  }
  has_pages_ = true;
}

plan::Workspace Executor::workspace() {
  plan::Workspace workspace{memory_.data(), thread_scratch_.data(), plan_->thread_scratch_bytes};
  if (device_) device_->add_to(workspace);
  return workspace;
}

void Executor::run(const void* const* inputs, void* const* outputs, ThreadArena& threads) {
  threads.execute([&] {
    if (!has_pages_) take_all_pages();
    if (device_) {
      device_->run(inputs, outputs, workspace());
    } else {
      plan::run_plan(*plan_, inputs, outputs, workspace());
    }
  });
}

void Executor::start(const void* const* inputs, ThreadArena& threads, Resume resume) {
  threads.execute([&] {
    if (!has_pages_) take_all_pages();
    device().start(inputs, workspace(), resume);
  });
}

void Executor::finish(void* const* outputs) {
  device().finish(outputs, workspace());
}

void Executor::enqueue_in(void* native_stream, const void* const* inputs, void* const* outputs,
                          ThreadArena& threads) {
  threads.execute([&] { device().enqueue_in(native_stream, inputs, outputs, workspace()); });
}

void Executor::run_timed(const void* const* inputs, void* const* outputs, ThreadArena& threads,
                         double* step_ms) {
  threads.execute([&] { plan::run_plan_timed(*plan_, inputs, outputs, workspace(), step_ms); });
}

void Executor::run_steps(const void* const* inputs, void* const* outputs, ThreadArena& threads,
                         std::size_t first, std::size_t last) {
  threads.execute([&] { plan::run_steps(*plan_, inputs, outputs, workspace(), first, last); });
}

}  // namespace mxinfer::runtime
