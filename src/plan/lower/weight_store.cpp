#include "plan/lower/weight_store.h"

#include <algorithm>
#include <exception>
#include <iterator>

#include "base/checksum.h"
#include "base/files/aligned_memory.h"
#include "base/files/mapped_part.h"
#include "base/files/pages.h"
#include "base/log.h"
#include "base/threads/thread_arena.h"
#include "plan/lower/weight_upload.h"

namespace mxinfer::plan {
namespace {

/// Per-thread memory to read parameters into, allocated by threads that need it.
class ReadBuffers {
 public:
  ReadBuffers(int threads, std::size_t bytes) : buffers_(static_cast<std::size_t>(threads)), bytes_(bytes) {}

  std::byte* mine() {
    AlignedBuffer& buffer = buffers_[static_cast<std::size_t>(arena_thread_index())];
    if (buffer.bytes() < bytes_) buffer = AlignedBuffer(bytes_);
    return buffer.data();
  }

 private:
  std::vector<AlignedBuffer> buffers_;
  std::size_t bytes_;
};

/// The remaining weights to pack, for several threads.
class Worklist {
 public:
  /// In the order of the plan, which is about that of files.
  explicit Worklist(std::vector<PackedWeight*> weights) : in_order_(std::move(weights)) {
    largest_first_ = in_order_;
    std::stable_sort(largest_first_.begin(), largest_first_.end(),
                     [](const PackedWeight* a, const PackedWeight* b) { return a->bytes() > b->bytes(); });
  }

  /// The largest weight that is available, so that the threads end together; if all are still being fetched,
  /// the one that arrives first. nullptr if none is left.
  PackedWeight* take() {
    const std::lock_guard lock(mutex_);
    for (PackedWeight* weight : largest_first_) {
      if (weight->is_at_hand()) return taken(weight);
    }
    return in_order_.empty() ? nullptr : taken(in_order_.front());
  }

 private:
  PackedWeight* taken(PackedWeight* weight) {
    std::erase(largest_first_, weight);
    std::erase(in_order_, weight);
    return weight;
  }

  std::mutex mutex_;
  std::vector<PackedWeight*> in_order_, largest_first_;
};

}  // namespace

PackedWeight::PackedWeight(std::shared_ptr<const Parameter> parameter, Pack pack, MemoryBlock memory)
    : parameter_(std::move(parameter)), pack_(std::move(pack)), memory_(std::move(memory)) {}

PackedWeight::PackedWeight(std::shared_ptr<const Parameter> parameter, std::size_t bytes, Pack pack,
                           std::shared_ptr<device::Device> device, DevicePack on_device)
    : parameter_(std::move(parameter)),
      pack_(std::move(pack)),
      device_(std::move(device)),
      on_device_(device_->allocate(bytes)),
      device_pack_(std::move(on_device)) {}

PackedWeight::PackedWeight(std::shared_ptr<const Parameter> parameter, ReadyWeight ready, Pack pack)
    : parameter_(std::move(parameter)), pack_(std::move(pack)), ready_(std::move(ready)) {}

void PackedWeight::fill(std::byte* packed, std::byte* read) {
  if (is_as_stored()) {
    parameter_->copy_to(packed);
  } else if (parameter_->in_memory() || packs_on_device()) {
    // The latter if the device has no memory to pack it there.
    pack_(*parameter_->value(), packed);
  } else {
    parameter_->copy_to(read);
    pack_(TensorView(parameter_->dtype(), parameter_->shape(), read), packed);
  }
}

void PackedWeight::make(std::byte* read, WeightUpload& upload) {
  const std::lock_guard lock(mutex_);
  if (is_made() || sent_) return;
  if (on_device_) {
    send(read, upload);
    return;
  }
  if (is_ready()) {
    check_ready();
  } else {
    take_pages(memory_.data(), memory_.bytes());
    fill(memory_.data(), read);
  }
  made_.store(true, std::memory_order_release);
}

// The steps of plans have the address already, so a damaged one is packed there.
void PackedWeight::check_ready() {
  read_pages(ready_.data, ready_.bytes);
  if (checksum64(ready_.data, ready_.bytes) == ready_.checksum) return;
  log_message(LogLevel::warning, "a packed weight of the bundle is damaged, and is packed again");
  AlignedBuffer read(parameter_->in_memory() ? 0 : parameter_->bytes());
  fill(ready_.data, read.data());
}

void PackedWeight::send(std::byte* read, WeightUpload& upload) {
  std::byte* const to = on_device_->data();
  if (packs_on_device()) {
    sent_ = upload.send_and_pack(
        *device_, parameter_->bytes(), [&](std::byte* memory) { parameter_->copy_to(memory); },
        [&](device::Stream& stream, const std::byte* stored) {
          device_pack_(stream, parameter_->dtype(), stored, to);
        });
    if (sent_) return;
  }
  sent_ = upload.send(*device_, to, on_device_->bytes(), [&](std::byte* memory) { fill(memory, read); });
}

void PackedWeight::finish() {
  const std::lock_guard lock(mutex_);
  if (!sent_) return;
  // If the copy has failed, the next plan sends it again.
  const std::shared_ptr<device::Event> sent = std::move(sent_);
  sent->synchronize();
  made_.store(true, std::memory_order_release);
}

void PackedWeights::make_all() const {
  std::vector<PackedWeight*> left;
  for (const auto& weight : all_) {
    if (!weight->is_made()) left.push_back(weight.get());
  }
  std::size_t most = 0, to_device = 0;
  for (const PackedWeight* weight : left) {
    most = std::max(most, weight->read_bytes());
    to_device += aligned_size(weight->upload_bytes());
  }

  const int threads = arena_threads();
  ReadBuffers buffers(threads, most);
  Worklist worklist(std::move(left));
  WeightUpload upload(threads, to_device);
  std::mutex mutex;
  std::exception_ptr error;
  const auto make_some = [&] {
    while (PackedWeight* const weight = worklist.take()) {
      try {
        weight->make(weight->read_bytes() > 0 ? buffers.mine() : nullptr, upload);
      } catch (...) {
        const std::lock_guard lock(mutex);
        error = std::current_exception();
      }
    }
  };
  // Packing may run a loop. While it waits, its thread must not start another packing with the same buffer.
  parallel_for(threads, 1, [&](std::int64_t, std::int64_t) { isolate(make_some); });
  // Those too that another plan has sent.
  for (const auto& weight : all_) {
    try {
      weight->finish();
    } catch (...) {
      error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
  made_.store(true, std::memory_order_release);
}

template <typename Make>
std::shared_ptr<PackedWeight> WeightStore::find_or_make(Key key, const Make& make) {
  const std::lock_guard lock(mutex_);
  const auto found = packed_.find(key);
  if (found != packed_.end()) return found->second;
  const std::shared_ptr<PackedWeight> made = make();  // throws without memory for it
  packed_.emplace(std::move(key), made);
  return made;
}

std::shared_ptr<PackedWeight> WeightStore::packed(const std::shared_ptr<const Parameter>& parameter,
                                                  const std::string& packing, std::size_t bytes,
                                                  const PackedWeight::Pack& pack,
                                                  const std::shared_ptr<device::Device>& device,
                                                  const PackedWeight::DevicePack& on_device) {
  return find_or_make({parameter, packing, device}, [&] {
    const auto offered = offered_.find({parameter, packing});
    if (device == nullptr && offered != offered_.end() && offered->second.bytes == bytes)
      return std::make_shared<PackedWeight>(parameter, offered->second, pack);
    return make(parameter, bytes, pack, device, on_device);
  });
}

std::shared_ptr<PackedWeight> WeightStore::stored(const std::shared_ptr<const Parameter>& parameter,
                                                  const std::shared_ptr<device::Device>& device) {
  return find_or_make({parameter, std::string(), device},
                      [&] { return make(parameter, parameter->bytes(), nullptr, device, nullptr); });
}

std::shared_ptr<PackedWeight> WeightStore::make(const std::shared_ptr<const Parameter>& parameter,
                                                std::size_t bytes, const PackedWeight::Pack& pack,
                                                const std::shared_ptr<device::Device>& device,
                                                const PackedWeight::DevicePack& on_device) {
  if (device != nullptr) return std::make_shared<PackedWeight>(parameter, bytes, pack, device, on_device);
  return std::make_shared<PackedWeight>(parameter, pack, memory_.allocate(bytes));
}

void WeightStore::offer(const std::shared_ptr<const Parameter>& parameter, const std::string& packing,
                        ReadyWeight ready) {
  const std::lock_guard lock(mutex_);
  offered_.insert_or_assign({parameter, packing}, std::move(ready));
}

std::vector<WeightStore::Made> WeightStore::made() {
  const std::lock_guard lock(mutex_);
  std::vector<Made> all;
  for (const auto& [key, weight] : packed_) {
    if (weight->is_made() && !weight->is_on_device() && !weight->is_as_stored())
      all.push_back({std::get<0>(key), std::get<1>(key), weight});
  }
  return all;
}

std::size_t WeightStore::bytes() {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (const auto& [key, weight] : packed_) bytes += weight->is_made() ? weight->bytes() : 0;
  return bytes;
}

std::size_t WeightStore::bytes_on(const device::Device& device) {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (const auto& [key, weight] : packed_) bytes += std::get<2>(key).get() == &device ? weight->bytes() : 0;
  return bytes;
}

std::size_t WeightStore::release_unused() {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (auto entry = packed_.begin(); entry != packed_.end();) {
    // While the store is locked, no plan can acquire a weight that only the store holds.
    const bool is_used = entry->second.use_count() > 1;
    if (!is_used) bytes += entry->second->is_made() ? entry->second->bytes() : 0;
    entry = is_used ? std::next(entry) : packed_.erase(entry);
  }
  return bytes;
}

}  // namespace mxinfer::plan
