#include <algorithm>
#include <cstring>

#include "device/device.h"

namespace mxinfer::device {
namespace {

class CpuStream final : public Stream {
 public:
  void copy_to_device(void* device, const void* host, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(device, host, bytes);
  }
  void copy_to_host(void* host, const void* device, std::size_t bytes) override {
    copy_to_device(host, device, bytes);
  }
  void copy_on_device(void* to, const void* from, std::size_t bytes) override {
    copy_to_device(to, from, bytes);
  }
  void mark(Event&) override {}
  void wait_for(const Event&) override {}
  void copy_strided(const kernels::CopyArgs& simplified, std::size_t element_bytes, const void* src,
                    void* dst) override {
    const kernels::CopyKernel& kernel = kernels::select_copy(simplified, element_bytes, kernels::Target::ref);
    const kernels::CopyArgs prepared = kernel.prepare(simplified);
    kernel.run(prepared, static_cast<const std::byte*>(src), static_cast<std::byte*>(dst), 0,
               kernel.tasks(prepared));
  }
  void fill_strided(const kernels::CopyArgs& simplified, std::size_t element_bytes, std::uint64_t element,
                    void* dst) override {
    kernels::CopyArgs from_one = simplified;
    std::fill(from_one.src_strides, from_one.src_strides + from_one.rank, 0);
    from_one.src_offset = 0;
    copy_strided(from_one, element_bytes, &element, dst);
  }
  std::unique_ptr<Recording> record(const std::function<void()>&) override { return nullptr; }
  void call_behind(void (*function)(void*), void* argument) override { function(argument); }
  bool has_failed() noexcept override { return false; }
  void synchronize() override {}
};

}  // namespace

Stream& cpu_stream() {
  // Never destroyed: destructors of a program's static objects may still predict.
  static Stream& stream = *new CpuStream;
  return stream;
}

}  // namespace mxinfer::device
