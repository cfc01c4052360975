// CudaDevice: an NVIDIA GPU as a device (device/device.h), by the functions of libmxinfer_cuda.so.
//
//   const std::shared_ptr<CudaDevice> gpu = CudaDevice::open(0);
//   const auto memory = gpu->allocate(1024);
//   gpu->kernels().softmax(...);                     // status; check() throws unless it is success
#pragma once

#include <memory>
#include <string>

#include "device/cuda/cuda_library.h"
#include "device/device.h"

namespace mxinfer::device {

/// Thread-safe.
class CudaDevice final : public Device, public std::enable_shared_from_this<CudaDevice> {
 public:
  /// Opens a GPU by its number. There is one object per GPU, which lives as long as the process. Throws
  /// Error(device) with advice if there is no library, no driver or no such GPU.
  static std::shared_ptr<CudaDevice> open(int index);
  /// How many GPUs the process sees. Throws as open() if there is no library or no driver.
  static int count();

  std::string name() const override;  ///< "cuda:0"
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override;
  std::unique_ptr<Stream> new_stream() override;
  std::unique_ptr<Stream> stream_of(void* native) override;
  std::unique_ptr<Event> new_event() override;
  std::unique_ptr<Buffer> allocate_staging(std::size_t bytes) override;  ///< pinned
  bool is_staging(const void* host) const override;
  Kind kind() const override { return Kind::cuda; }
  /// float16 has tensor instructions from 7.5 on, tf32 and bfloat16 from 8.0 on.
  bool has_precision(kernels::Precision precision) const override;

  int index() const { return index_; }
  const kernels::cuda::Library& kernels() const { return library_; }
  const kernels::cuda::DeviceProperties& properties() const { return properties_; }

  /// Throws unless `status` is success: Error(out_of_memory) for failed allocations, otherwise Error(device),
  /// which says that the device failed at `doing`. After an error that CUDA reports for each later call, too,
  /// the device is lost.
  void check(kernels::cuda::Status status, const char* doing) const {
    if (status != kernels::cuda::kSuccess) fail_with(status, doing);
  }

  /// Whether it is success. Notes a loss, as check() does.
  bool is_good(kernels::cuda::Status status, const char* doing) const noexcept;

  CudaDevice(int index, const kernels::cuda::Library& library);

 private:
  std::string text_of(kernels::cuda::Status status, const char* doing) const;
  [[noreturn]] void fail_with(kernels::cuda::Status status, const char* doing) const;

  int index_;
  const kernels::cuda::Library& library_;
  kernels::cuda::DeviceProperties properties_{};
};

class CudaStream final : public Stream {
 public:
  explicit CudaStream(std::shared_ptr<const CudaDevice> device);
  /// A stream of the caller, who destroys it.
  CudaStream(std::shared_ptr<const CudaDevice> device, void* native);
  ~CudaStream() override;
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;

  void copy_to_device(void* device, const void* host, std::size_t bytes) override;
  void copy_to_host(void* host, const void* device, std::size_t bytes) override;
  void copy_on_device(void* to, const void* from, std::size_t bytes) override;
  void mark(Event& event) override;
  void wait_for(const Event& event) override;
  void copy_strided(const kernels::CopyArgs& simplified, std::size_t element_bytes, const void* src,
                    void* dst) override;
  void fill_strided(const kernels::CopyArgs& simplified, std::size_t element_bytes, std::uint64_t element,
                    void* dst) override;
  void call_behind(void (*function)(void*), void* argument) override;
  bool has_failed() noexcept override;
  std::unique_ptr<Recording> record(const std::function<void()>& enqueue) override;  ///< a CUDA graph
  void synchronize() override;

  const CudaDevice& device() const { return *device_; }
  const kernels::cuda::Stream& native() const { return stream_; }

 private:
  void copy(void* to, const void* from, std::size_t bytes, kernels::cuda::CopyKind kind);

  std::shared_ptr<const CudaDevice> device_;
  kernels::cuda::Stream stream_;
  bool is_own_ = true;
};

}  // namespace mxinfer::device
