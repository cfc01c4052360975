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
  void synchronize() override {}
};

}  // namespace

Stream& cpu_stream() {
  // Never destroyed: destructors of a program's static objects may still predict.
  static Stream& stream = *new CpuStream;
  return stream;
}

}  // namespace mxinfer::device
