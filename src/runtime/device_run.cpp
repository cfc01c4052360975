#include "runtime/device_run.h"

#include <algorithm>
#include <cstring>

#include "base/files/aligned_memory.h"
#include "base/threads/call_context.h"

namespace mxinfer::runtime {
namespace {

// The addresses of values one behind another from `memory` on, which moves behind them.
std::vector<void*> places(const std::vector<ops::TensorType>& types, std::byte*& memory) {
  std::vector<void*> all;
  for (const ops::TensorType& type : types) {
    all.push_back(memory);
    memory += aligned_size(ops::bytes_of(type));
  }
  return all;
}

}  // namespace

bool DeviceRun::has_staging(const plan::Plan& plan) {
  return plan.device != nullptr && !plan.operands_on_device &&
         std::any_of(plan.steps.begin(), plan.steps.end(),
                     [](const plan::PlannedStep& step) { return step.is_enqueued; });
}

std::size_t DeviceRun::staging_bytes(const plan::Plan& plan) {
  if (!has_staging(plan)) return 0;
  std::size_t bytes = plan::workspace_bytes(plan);
  for (const auto* types : {&plan.inputs, &plan.outputs}) {
    for (const ops::TensorType& type : *types) bytes += aligned_size(ops::bytes_of(type));
  }
  return bytes;
}

DeviceRun::DeviceRun(const plan::Plan& plan, DeviceMemoryOf memory) : plan_(plan) {
  if (memory == DeviceMemoryOf::run) {
    own_memory_ = plan.device->allocate(plan.device_bytes);
    use(own_memory_->data());
  }
  stream_ = plan.device->new_stream();
  make_counters();
  if (plan.operands_on_device) last_use_ = plan.device->new_event();
  if (!has_staging(plan)) return;
  staging_ = plan.device->allocate_staging(staging_bytes(plan));
  std::byte* at = staging_->data();
  staged_inputs_ = places(plan.inputs, at);
  staged_outputs_ = places(plan.outputs, at);
  workspace_ = at;
  transfers_ = std::make_unique<DeviceTransfers>(plan);
  for (plan::Stretch steps : plan::stretches_of(plan)) {
    steps.first = std::max(steps.first, transfers_->first_step());
    steps.last = std::min(steps.last, transfers_->last_step());
    if (steps.first < steps.last) parts_.push_back({steps, parts_.size()});
  }
}

void DeviceRun::make_counters() {
  if (plan_.zeroed_bytes == 0) return;
  counters_ = plan_.device->allocate(plan_.zeroed_bytes);
  kernels::CopyArgs words;
  words.rank = 1;
  words.dims[0] = static_cast<std::int64_t>(plan_.zeroed_bytes / sizeof(std::uint32_t));
  words.dst_strides[0] = 1;
  stream_->fill_strided(kernels::simplify(words), sizeof(std::uint32_t), 0, counters_->data());
  stream_->synchronize();  // runs may be in other streams
}

DeviceRun::~DeviceRun() {
  wait_quietly();
}

void DeviceRun::use(std::byte* memory) {
  memory_ = memory;
  const auto known = std::find_if(in_memory_.begin(), in_memory_.end(),
                                  [&](const InMemory& one) { return one.memory == memory; });
  if (known != in_memory_.end()) return in_memory_.splice(in_memory_.begin(), in_memory_, known);
  in_memory_.push_front({memory});
  if (in_memory_.size() > kMostBlocks) in_memory_.pop_back();
}

void DeviceRun::take_memory() {
  const std::byte* known[kMostBlocks] = {};
  std::size_t count = 0;
  for (const InMemory& one : in_memory_) known[count++] = one.memory;
  block_ = plan_.device->pool().take(plan_.device_bytes, {known, count});
  use(block_.data());
}

void DeviceRun::give_memory_back() noexcept {
  if (is_started_) wait_quietly();
  is_started_ = false;
  block_ = device::MemoryPool::Block();
}

void DeviceRun::wait_quietly() noexcept {
  try {
    stream_->synchronize();
    if (last_use_) last_use_->synchronize();
  } catch (...) {
    // Ignores errors of a failed device: the failed call has reported them, and nothing runs any more.
  }
}

void DeviceRun::add_to(plan::Workspace& workspace) const {
  workspace.device_memory = memory_;
  workspace.counters = counters_ ? counters_->data() : nullptr;
  workspace.stream = stream_.get();
  if (workspace_ != nullptr) workspace.memory = workspace_;
}

void DeviceRun::run(const void* const* inputs, void* const* outputs, const plan::Workspace& workspace) try {
  if (staging_ == nullptr) return plan::run_plan(plan_, inputs, outputs, workspace);
  run_parts(inputs, workspace, Sources::live);
  transfers_->download(outputs, staged_outputs_.data(), memory_, *stream_);
  finish(outputs, workspace, true);
} catch (...) {
  // Waits, because work in flight still accesses memory that the caller may release now.
  wait_quietly();
  throw;
}

void DeviceRun::start(const void* const* inputs, const plan::Workspace& workspace, Resume resume) try {
  is_started_ = true;
  run_parts(inputs, workspace, Sources::passing);
  transfers_->enqueue_downloads(staged_outputs_.data(), memory_, *stream_);
  stream_->call_behind(resume.function, resume.argument);
} catch (...) {
  wait_quietly();
  throw;
}

bool DeviceRun::has_stopped() noexcept {
  return stream_->has_failed();
}

void DeviceRun::enqueue_in(void* native_stream, const void* const* inputs, void* const* outputs,
                           plan::Workspace workspace) {
  const std::unique_ptr<device::Stream> stream = plan_.device->stream_of(native_stream);
  workspace.stream = stream.get();
  stream->wait_for(*last_use_);
  try {
    plan::run_plan(plan_, inputs, outputs, workspace);
  } catch (...) {
    stream->mark(*last_use_);
    throw;
  }
  stream->mark(*last_use_);
}

void DeviceRun::run_parts(const void* const* inputs, const plan::Workspace& workspace, Sources sources) {
  plan_.packed.make();
  transfers_->upload(inputs, staged_inputs_.data(), memory_, *stream_, sources);
  in_memory_.front().recordings.resize(parts_.size());
  for (const Part& part : parts_) run_part(part, workspace);
  in_memory_.front().has_run = true;
}

void DeviceRun::run_part(const Part& part, const plan::Workspace& workspace) {
  throw_if_cancelled();
  const auto run_steps = [&] {
    plan::run_stretch(plan_, staged_inputs_.data(), staged_outputs_.data(), workspace, part.steps);
  };
  if (!part.steps.is_enqueued) {
    stream_->synchronize();
    return run_steps();
  }
  // Not at the first run: kernels are loaded when they first run, and many plans run only once.
  InMemory& here = in_memory_.front();
  std::unique_ptr<device::Recording>& recording = here.recordings[part.index];
  if (here.has_run && !recording) recording = stream_->record(run_steps);
  recording ? recording->replay() : run_steps();
}

void DeviceRun::finish(void* const* outputs, const plan::Workspace& workspace) {
  finish(outputs, workspace, false);
}

void DeviceRun::finish(void* const* outputs, const plan::Workspace& workspace, bool is_downloaded) {
  stream_->synchronize();
  is_started_ = false;
  throw_if_cancelled();
  plan::copy_outputs(plan_, staged_inputs_.data(), staged_outputs_.data(), workspace);
  for (std::size_t o = 0; o < plan_.outputs.size(); ++o) {
    if (is_downloaded && transfers_->is_downloaded(o)) continue;
    if (const std::size_t bytes = ops::bytes_of(plan_.outputs[o]); bytes > 0)
      std::memcpy(outputs[o], staged_outputs_[o], bytes);
  }
}

}  // namespace mxinfer::runtime
