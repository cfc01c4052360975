#include "support/poisoned_device.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/fail.h"
#include "base/files/aligned_memory.h"
#include "kernels/speed/cpu_rates.h"

namespace mxinfer::test {

// The same pages twice: at the device's address without any access, and at the shadow's.
class PoisonedBuffer : public device::Buffer {
 public:
  PoisonedBuffer(std::shared_ptr<PoisonedDevice> device, std::size_t bytes)
      : device_(std::move(device)), bytes_(bytes), mapped_(std::max<std::size_t>(bytes, 1)) {
    const int file = memfd_create("device", 0);
    if (file < 0 || ftruncate(file, static_cast<off_t>(mapped_)) != 0)
      fail(ErrorCode::out_of_memory, "no memory of ", mapped_, " bytes for a test's device");
    address_ = map(file, PROT_NONE);
    shadow_ = map(file, PROT_READ | PROT_WRITE);
    close(file);
    const std::lock_guard lock(device_->mutex_);
    device_->ranges_.push_back({address_, shadow_, mapped_});
  }
  ~PoisonedBuffer() override {
    device_->remove(address_);
    munmap(address_, mapped_);
    munmap(shadow_, mapped_);
  }
  PoisonedBuffer(const PoisonedBuffer&) = delete;
  PoisonedBuffer& operator=(const PoisonedBuffer&) = delete;

  std::byte* data() const noexcept override { return address_; }
  std::size_t bytes() const noexcept override { return bytes_; }

 private:
  std::byte* map(int file, int access) const {
    void* memory = mmap(nullptr, mapped_, access, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) fail(ErrorCode::out_of_memory, "cannot map ", mapped_, " bytes");
    return static_cast<std::byte*>(memory);
  }

  std::shared_ptr<PoisonedDevice> device_;
  std::size_t bytes_, mapped_;
  std::byte* address_;
  std::byte* shadow_;
};

namespace {

class StagingBuffer : public device::Buffer {
 public:
  explicit StagingBuffer(std::size_t bytes) : memory_(bytes) {}
  std::byte* data() const noexcept override { return const_cast<std::byte*>(memory_.data()); }
  std::size_t bytes() const noexcept override { return memory_.bytes(); }

 private:
  AlignedBuffer memory_;
};

// All work has been done when its function returns.
class PassedEvent : public device::Event {
  void synchronize() override {}
};

class PoisonedStream : public device::Stream {
 public:
  explicit PoisonedStream(std::shared_ptr<PoisonedDevice> device) : device_(std::move(device)) {}
  void copy_to_device(void* device, const void* host, std::size_t bytes) override {
    ++device_->copies_to_device;
    std::memcpy(device_->shadow(device, bytes), host, bytes);
  }
  void copy_to_host(void* host, const void* device, std::size_t bytes) override {
    ++device_->copies_to_host;
    std::memcpy(host, device_->shadow(device, bytes), bytes);
  }
  void copy_on_device(void* to, const void* from, std::size_t bytes) override {
    std::memmove(device_->shadow(to, bytes), device_->shadow(from, bytes), bytes);
  }
  void mark(device::Event&) override {}
  void wait_for(const device::Event&) override {}
  void copy_strided(const kernels::CopyArgs& simplified, std::size_t element_bytes, const void* src,
                    void* dst) override {
    ++device_->steps;
    device::cpu_stream().copy_strided(simplified, element_bytes, device_->shadow(src, 1),
                                      device_->shadow(dst, 1));
  }
  void fill_strided(const kernels::CopyArgs& simplified, std::size_t element_bytes, std::uint64_t element,
                    void* dst) override {
    ++device_->steps;
    device::cpu_stream().fill_strided(simplified, element_bytes, element, device_->shadow(dst, 1));
  }
  std::unique_ptr<device::Recording> record(const std::function<void()>&) override { return nullptr; }
  void call_behind(void (*function)(void*), void* argument) override { function(argument); }
  bool has_failed() noexcept override { return false; }
  void synchronize() override {}

 private:
  std::shared_ptr<PoisonedDevice> device_;
};

// What the CPU's implementations see: packed weights where the process can read them, as the step's operands
// will be.
class ShadowContext : public ops::LowerContext {
 public:
  ShadowContext(ops::LowerContext& context, const PoisonedDevice& device)
      : context_(context), device_(device) {}

  const graph::Node& node() const override { return context_.node(); }
  std::size_t num_inputs() const override { return context_.num_inputs(); }
  const ops::TensorType& input(std::size_t i) const override { return context_.input(i); }
  std::size_t num_outputs() const override { return context_.num_outputs(); }
  const ops::TensorType& output(std::size_t o) const override { return context_.output(o); }
  bool is_constant(std::size_t i) const override { return context_.is_constant(i); }
  const Tensor* constant(std::size_t i) const override { return context_.constant(i); }
  kernels::Target target() const override { return context_.target(); }
  int threads() const override { return context_.threads(); }
  const std::byte* packed(std::size_t i, const std::string& packing, std::size_t bytes,
                          const Pack& pack) override {
    return device_.shadow(context_.packed(i, packing, bytes, pack), bytes);
  }
  void alias(std::size_t o, std::size_t i, std::size_t offset) override { context_.alias(o, i, offset); }
  bool alias_strided(std::size_t o, std::size_t i, std::size_t offset, std::int64_t row_stride) override {
    return context_.alias_strided(o, i, offset, row_stride);
  }
  void may_place(std::size_t o, std::size_t i, std::size_t offset) override {
    context_.may_place(o, i, offset);
  }
  void may_overwrite(std::size_t o, std::size_t i) override { context_.may_overwrite(o, i); }

 private:
  ops::LowerContext& context_;
  const PoisonedDevice& device_;
};

// A step on shadows: every address that it is given must be the device's.
ops::Step on_shadows(ops::Step step, std::shared_ptr<PoisonedDevice> device, std::size_t inputs,
                     std::size_t outputs) {
  if (!step.run) return step;
  step.kernel += " on " + device->name();
  step.run = [run = std::move(step.run), device, inputs, outputs,
              scratch = step.scratch_bytes](const ops::RunContext& context) {
    std::vector<const void*> from;
    std::vector<void*> to;
    for (std::size_t i = 0; i < inputs; ++i) from.push_back(device->shadow(context.inputs[i], 1));
    for (std::size_t o = 0; o < outputs; ++o) to.push_back(device->shadow(context.outputs[o], 1));
    ops::RunContext shadows = context;
    shadows.inputs = from.data();
    shadows.outputs = to.data();
    if (scratch > 0) shadows.scratch = device->shadow(context.scratch, scratch);
    ++device->steps;
    run(shadows);
  };
  return step;
}

}  // namespace

std::unique_ptr<device::Buffer> PoisonedDevice::allocate(std::size_t bytes) {
  return std::make_unique<PoisonedBuffer>(shared_from_this(), bytes);
}

std::unique_ptr<device::Buffer> PoisonedDevice::allocate_staging(std::size_t bytes) {
  return std::make_unique<StagingBuffer>(bytes);
}

std::unique_ptr<device::Stream> PoisonedDevice::stream_of(void*) {
  return new_stream();
}

std::unique_ptr<device::Event> PoisonedDevice::new_event() {
  return std::make_unique<PassedEvent>();
}

std::unique_ptr<device::Stream> PoisonedDevice::new_stream() {
  ++streams;
  return std::make_unique<PoisonedStream>(shared_from_this());
}

std::byte* PoisonedDevice::shadow(const void* address, std::size_t bytes) const {
  if (address == nullptr) return nullptr;
  const std::lock_guard lock(mutex_);
  for (const Range& range : ranges_) {
    const auto* at = static_cast<const std::byte*>(address);
    if (at >= range.address && at + bytes <= range.address + range.bytes)
      return range.shadow + (at - range.address);
  }
  fail(ErrorCode::internal, "an address that is not of ", name(), " was given to it");
}

std::size_t PoisonedDevice::allocated_bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (const Range& range : ranges_) bytes += range.bytes;
  return bytes;
}

void PoisonedDevice::remove(const std::byte* address) {
  const std::lock_guard lock(mutex_);
  ranges_.erase(std::find_if(ranges_.begin(), ranges_.end(),
                             [&](const Range& range) { return range.address == address; }));
}

std::set<std::string> PoisonedBackend::a_dozen() {
  return {"_mxinfer_convolution_nhwc",
          "_mxinfer_convolution_pool_nhwc",
          "Convolution",
          "Pooling",
          "FullyConnected",
          "Activation",
          "BatchNorm",
          "elemwise_add",
          "Concat",
          "Flatten",
          "Reshape",
          "softmax"};
}

std::shared_ptr<PoisonedDevice> PoisonedBackend::open(int index) {
  devices_.push_back(std::make_shared<PoisonedDevice>(index));
  return devices_.back();
}

ops::Implementations PoisonedBackend::implementations(const ops::OpProblem& node) const {
  if (operators_.count(node.node().op->name) == 0) return {};
  ops::Implementation one =
      ops::cheapest(ops::cpu_backend().implementations(node), kernels::default_rates(node.target()));
  if (node.output(0).dtype != DType::float32) one.rejects = "not of float32";
  one.lower = [lower = one.lower, device = devices_.front()](ops::LowerContext& context) {
    ShadowContext shadows(context, *device);
    return on_shadows(lower(shadows), device, context.num_inputs(), context.num_outputs());
  };
  return {{}, {one}};
}

}  // namespace mxinfer::test
