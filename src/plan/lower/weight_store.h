// WeightStore: packed forms of parameters, each made once per model and shared by all of its plans. It also
// holds parameters that are used as stored, if they are still in a file. A plan requests them when it is
// made; they are packed when one of the plans first runs, on all of its threads, and never for a plan that is
// only inspected.
//
//   WeightStore store;
//   plan.packed.add(store.packed(parameter, "panels of 16", bytes, pack));
//   plan.packed.add(store.stored(parameter));
//   plan.packed.make();                                       // inside an arena
#pragma once

#include <mxinfer/tensor.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/files/block_pool.h"
#include "device/device.h"
#include "plan/lower/ready_weight.h"
#include "tensor/parameter.h"

namespace mxinfer::plan {

class WeightUpload;

/// One packed form of one parameter. Thread-safe.
class PackedWeight {
 public:
  using Pack = std::function<void(const TensorView& parameter, std::byte* dst)>;
  /// Enqueues a kernel that does the same on the device.
  using DevicePack =
      std::function<void(device::Stream& stream, DType dtype, const std::byte* stored, std::byte* packed)>;

  /// In `memory`, of the size of the packed weight.
  PackedWeight(std::shared_ptr<const Parameter> parameter, Pack pack, MemoryBlock memory);
  /// In the memory of `device`.
  PackedWeight(std::shared_ptr<const Parameter> parameter, std::size_t bytes, Pack pack,
               std::shared_ptr<device::Device> device, DevicePack on_device);
  /// Already packed, unless the checksum of `ready` is wrong; then in its memory.
  PackedWeight(std::shared_ptr<const Parameter> parameter, ReadyWeight ready, Pack pack);

  /// The address where it is or will be, on the device if it has one.
  const std::byte* data() const {
    if (is_ready()) return ready_.data;
    return on_device_ ? on_device_->data() : memory_.data();
  }
  std::size_t bytes() const {
    if (is_ready()) return ready_.bytes;
    return on_device_ ? on_device_->bytes() : memory_.bytes();
  }
  bool is_on_device() const { return on_device_ != nullptr; }

  bool is_made() const { return made_.load(std::memory_order_acquire); }
  bool is_as_stored() const { return pack_ == nullptr; }
  /// Whether a file has it packed.
  bool is_ready() const { return ready_.data != nullptr; }
  /// Staging bytes needed to read the parameter; 0 if it is in memory or used unpacked.
  std::size_t read_bytes() const {
    return parameter_->in_memory() || is_ready() || is_as_stored() || packs_on_device() ? 0
                                                                                        : parameter_->bytes();
  }
  /// Staging bytes that it takes to its device, 0 if it has none.
  std::size_t upload_bytes() const {
    if (!is_on_device()) return 0;
    return packs_on_device() ? parameter_->bytes() : bytes();
  }
  bool is_at_hand() const { return is_ready() || parameter_->is_at_hand(); }
  /// Packs it unless this is already done, or sends it to its device. `read` has read_bytes() bytes.
  void make(std::byte* read, WeightUpload& upload);
  /// Waits until it is on its device, if it was sent there.
  void finish();

 private:
  /// Not of small weights: loading the kernel takes longer.
  bool packs_on_device() const { return device_pack_ != nullptr && parameter_->bytes() >= kLeastOnDevice; }
  void fill(std::byte* packed, std::byte* read);
  void check_ready();
  void send(std::byte* read, WeightUpload& upload);

  static constexpr std::size_t kLeastOnDevice = std::size_t{128} << 10;

  std::shared_ptr<const Parameter> parameter_;
  Pack pack_;
  MemoryBlock memory_;  ///< empty if it is on a device or ready
  ReadyWeight ready_{};
  std::shared_ptr<device::Device> device_;
  std::unique_ptr<device::Buffer> on_device_;
  std::mutex mutex_;
  std::atomic<bool> made_{false};
  std::shared_ptr<device::Event> sent_{};  ///< behind its copy to the device, until finish()
  DevicePack device_pack_;                 ///< null: it is packed by the process
};

/// The weights that one plan reads. make() is thread-safe.
class PackedWeights {
 public:
  void add(std::shared_ptr<PackedWeight> weight) { all_.push_back(std::move(weight)); }
  const std::vector<std::shared_ptr<PackedWeight>>& all() const { return all_; }

  /// Packs all of them on the threads of the current arena. If a parameter cannot be read, it throws the
  /// error of the read, and the next call tries again.
  void make() const {
    if (!made_.load(std::memory_order_acquire)) make_all();
  }

 private:
  void make_all() const;

  std::vector<std::shared_ptr<PackedWeight>> all_;
  mutable std::atomic<bool> made_{false};
};

/// Thread-safe.
class WeightStore {
 public:
  /// The packing of `parameter` named `packing`, which `pack` makes, or a kernel of the device, in the memory
  /// of `device`; null: of the process.
  std::shared_ptr<PackedWeight> packed(const std::shared_ptr<const Parameter>& parameter,
                                       const std::string& packing, std::size_t bytes,
                                       const PackedWeight::Pack& pack,
                                       const std::shared_ptr<device::Device>& device = nullptr,
                                       const PackedWeight::DevicePack& on_device = nullptr);
  /// `parameter` as it is stored.
  std::shared_ptr<PackedWeight> stored(const std::shared_ptr<const Parameter>& parameter,
                                       const std::shared_ptr<device::Device>& device = nullptr);

  /// From now on this is the packing of `parameter` named `packing`, in host memory, if a plan wants as many
  /// bytes.
  void offer(const std::shared_ptr<const Parameter>& parameter, const std::string& packing,
             ReadyWeight ready);

  /// A weight in host memory that was packed.
  struct Made {
    std::shared_ptr<const Parameter> parameter;
    std::string packing;
    std::shared_ptr<const PackedWeight> weight;
  };
  /// All of them so far.
  std::vector<Made> made();

  /// The bytes of all weights packed so far.
  std::size_t bytes();
  /// The bytes that weights take on a device, those still to be copied there included.
  std::size_t bytes_on(const device::Device& device);
  /// Releases weights that no plan holds; returns their bytes.
  std::size_t release_unused();

 private:
  BlockPool memory_;
  std::mutex mutex_;
  // By parameter, packing (empty for one as it is stored) and device. The parameter and the device are kept
  // with the key, so that no other object gets their addresses.
  using Key = std::tuple<std::shared_ptr<const Parameter>, std::string, std::shared_ptr<device::Device>>;
  std::map<Key, std::shared_ptr<PackedWeight>> packed_;
  std::map<std::pair<std::shared_ptr<const Parameter>, std::string>, ReadyWeight> offered_;

  template <typename Make>
  std::shared_ptr<PackedWeight> find_or_make(Key key, const Make& make);
  std::shared_ptr<PackedWeight> make(const std::shared_ptr<const Parameter>& parameter, std::size_t bytes,
                                     const PackedWeight::Pack& pack,
                                     const std::shared_ptr<device::Device>& device,
                                     const PackedWeight::DevicePack& on_device);
};

}  // namespace mxinfer::plan
