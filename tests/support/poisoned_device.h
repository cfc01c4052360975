// A device for tests, without hardware: its memory can be read and written through its own streams and steps
// alone; any other access of the process is a segmentation fault. A dozen operators run on it, by the CPU's
// implementations; the others run on the CPU.
//
//   test::PoisonedBackend backend;
//   options.device = backend.open(0);
//   options.backend = &backend;
//   auto plan = plan::make_plan(graph, types, options, weights);
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "device/device.h"
#include "ops/backend.h"

namespace mxinfer::test {

class PoisonedDevice : public device::Device, public std::enable_shared_from_this<PoisonedDevice> {
 public:
  explicit PoisonedDevice(int index) : index_(index) {}

  std::string name() const override { return "poisoned:" + std::to_string(index_); }
  std::unique_ptr<device::Buffer> allocate(std::size_t bytes) override;
  std::unique_ptr<device::Stream> new_stream() override;
  std::unique_ptr<device::Stream> stream_of(void* native) override;
  std::unique_ptr<device::Event> new_event() override;
  std::unique_ptr<device::Buffer> allocate_staging(std::size_t bytes) override;

  /// Where the process can read and write what is at an address of the device; null for null. Throws
  /// Error(internal) unless `bytes` bytes from there on are the device's.
  std::byte* shadow(const void* address, std::size_t bytes) const;

  std::size_t allocated_bytes() const;
  std::atomic<int> steps{0}, copies_to_device{0}, copies_to_host{0}, streams{0};

 private:
  friend class PoisonedBuffer;
  struct Range {
    std::byte* address;
    std::byte* shadow;
    std::size_t bytes;
  };
  void remove(const std::byte* address);

  int index_;
  mutable std::mutex mutex_;
  std::vector<Range> ranges_;
};

class PoisonedBackend : public ops::Backend {
 public:
  /// The operators that its devices have, by MXNet's names and those that passes make.
  static std::set<std::string> a_dozen();
  explicit PoisonedBackend(std::set<std::string> operators = a_dozen()) : operators_(std::move(operators)) {}

  std::string_view name() const override { return "poisoned"; }
  ops::Implementations implementations(const ops::OpProblem& node) const override;
  std::shared_ptr<PoisonedDevice> open(int index);

 private:
  std::set<std::string> operators_;
  std::vector<std::shared_ptr<PoisonedDevice>> devices_;
};

}  // namespace mxinfer::test
