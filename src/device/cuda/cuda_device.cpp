#include "device/cuda/cuda_device.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>

#include "base/fail.h"

namespace mxinfer::device {
namespace {

using kernels::cuda::CopyKind;
using kernels::cuda::kSuccess;
using kernels::cuda::Runtime;
using kernels::cuda::Status;

/// The functions of one kind of memory.
struct Memory {
  Status (*allocate)(int device, void** memory, std::size_t bytes);
  Status (*release)(int device, void* memory);
  const char* kind;  ///< for errors
};

class CudaBuffer final : public Buffer {
 public:
  CudaBuffer(std::shared_ptr<const CudaDevice> device, const Memory& memory, std::size_t bytes)
      : device_(std::move(device)), release_(memory.release), bytes_(bytes) {
    if (bytes == 0) return;
    void* address = nullptr;
    const Status status = memory.allocate(device_->index(), &address, bytes);
    if (status != kSuccess)
      device_->check(status, concat("allocating ", bytes, " bytes", memory.kind).c_str());
    address_ = static_cast<std::byte*>(address);
  }
  ~CudaBuffer() override {
    if (address_ != nullptr) release_(device_->index(), address_);
  }
  CudaBuffer(const CudaBuffer&) = delete;
  CudaBuffer& operator=(const CudaBuffer&) = delete;

  std::byte* data() const noexcept override { return address_; }
  std::size_t bytes() const noexcept override { return bytes_; }

 private:
  std::shared_ptr<const CudaDevice> device_;
  Status (*release_)(int device, void* memory);
  std::size_t bytes_;
  std::byte* address_ = nullptr;
};

class CudaEvent final : public Event {
 public:
  explicit CudaEvent(std::shared_ptr<const CudaDevice> device) : device_(std::move(device)) {
    device_->check(device_->kernels().runtime.new_event(device_->index(), &event_), "making an event");
  }
  ~CudaEvent() override { device_->kernels().runtime.destroy_event(event_); }
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;
  void synchronize() override {
    device_->check(device_->kernels().runtime.synchronize_event(event_), "waiting for its work");
  }
  void* native() const { return event_; }

 private:
  std::shared_ptr<const CudaDevice> device_;
  void* event_ = nullptr;
};

class CudaGraph final : public Recording {
 public:
  CudaGraph(std::shared_ptr<const CudaDevice> device, void* graph, const kernels::cuda::Stream& stream)
      : device_(std::move(device)), graph_(graph), stream_(stream) {}
  ~CudaGraph() override { device_->kernels().runtime.destroy_graph(graph_); }
  CudaGraph(const CudaGraph&) = delete;
  CudaGraph& operator=(const CudaGraph&) = delete;
  void replay() override {
    device_->check(device_->kernels().runtime.launch_graph(graph_, stream_), "starting a graph");
  }

 private:
  std::shared_ptr<const CudaDevice> device_;
  void* graph_;
  kernels::cuda::Stream stream_;
};

/// Whether the device's context stays in this state until the process ends: faults of kernels, of its memory
/// and of the connection to it, by the numbers of cudaError_t.
bool is_loss(Status status) {
  constexpr Status kLosses[] = {
      46,   // cudaErrorDevicesUnavailable
      201,  // cudaErrorDeviceUninitialized: its context is gone
      214,  // cudaErrorECCUncorrectable
      220,  // cudaErrorNvlinkUncorrectable
      700,  // cudaErrorIllegalAddress
      702,  // cudaErrorLaunchTimeout
      709,  // cudaErrorContextIsDestroyed
      710,  // cudaErrorAssert
      714,  // cudaErrorHardwareStackError
      715,  // cudaErrorIllegalInstruction
      716,  // cudaErrorMisalignedAddress
      717,  // cudaErrorInvalidAddressSpace
      718,  // cudaErrorInvalidPc
      719,  // cudaErrorLaunchFailure
      721,  // cudaErrorContained
      999,  // cudaErrorUnknown: among others, the GPU has fallen off the bus
  };
  return std::find(std::begin(kLosses), std::end(kLosses), status) != std::end(kLosses);
}

std::string version_text(int version) {
  return concat(version / 1000, ".", version % 1000 / 10);
}

// The devices there are. Throws if a driver is missing or too old.
int device_count(const Runtime& runtime) {
  int count = 0, driver = 0;
  const Status status = runtime.device_count(&count);
  if (status == kSuccess || status == kernels::cuda::kErrorNoDevice) return count;
  runtime.driver_version(&driver);
  if (status == kernels::cuda::kErrorInsufficientDriver && driver == 0) {
    fail(ErrorCode::device, "this machine has no NVIDIA driver; install one, or run on the CPU");
  }
  if (status == kernels::cuda::kErrorInsufficientDriver) {
    fail(ErrorCode::device, "the NVIDIA driver is too old: it supports CUDA ", version_text(driver),
         ", but the kernels are built with ", version_text(runtime.built_with()),
         "; install a newer driver, or run on the CPU");
  }
  fail(ErrorCode::device, "the NVIDIA driver failed: ", runtime.error_text(status), " (",
       runtime.error_name(status), "); check it with nvidia-smi, or run on the CPU");
}

}  // namespace

std::shared_ptr<CudaDevice> CudaDevice::open(int index) {
  static std::mutex& mutex = *new std::mutex;
  // Never destroyed: a GPU's memory is released by objects that may live as long as the process.
  static auto& opened = *new std::map<int, std::shared_ptr<CudaDevice>>;
  const std::lock_guard lock(mutex);
  if (const auto found = opened.find(index); found != opened.end()) return found->second;
  const kernels::cuda::Library& library = open_cuda_library();
  const int count = device_count(library.runtime);
  if (index < 0 || index >= count) {
    const std::string there = count == 0   ? "no NVIDIA GPU"
                              : count == 1 ? "one NVIDIA GPU, cuda:0"
                                           : concat(count, " NVIDIA GPUs, cuda:0 to cuda:", count - 1);
    fail(ErrorCode::device, "device 'cuda:", index, "' does not exist: this process sees ", there,
         "; give another number, or 'cpu' (CUDA_VISIBLE_DEVICES hides GPUs)");
  }
  return opened[index] = std::make_shared<CudaDevice>(index, library);
}

int CudaDevice::count() {
  return device_count(open_cuda_library().runtime);
}

CudaDevice::CudaDevice(int index, const kernels::cuda::Library& library) : index_(index), library_(library) {
  check(library.runtime.properties(index, &properties_), "asking for its properties");
}

std::string CudaDevice::name() const {
  return concat("cuda:", index_);
}

std::unique_ptr<Buffer> CudaDevice::allocate(std::size_t bytes) {
  const Runtime& runtime = library_.runtime;
  return std::make_unique<CudaBuffer>(shared_from_this(), Memory{runtime.allocate, runtime.release, ""},
                                      bytes);
}

std::unique_ptr<Stream> CudaDevice::new_stream() {
  return std::make_unique<CudaStream>(shared_from_this());
}

bool CudaDevice::has_precision(kernels::Precision precision) const {
  const int version = 10 * properties_.major + properties_.minor;
  switch (precision) {
    case kernels::Precision::float32:
      return true;
    case kernels::Precision::float16:
      return version >= 75;
    case kernels::Precision::tf32:
    case kernels::Precision::bfloat16:
      break;
  }
  return version >= 80;
}

std::unique_ptr<Buffer> CudaDevice::allocate_staging(std::size_t bytes) {
  const Runtime& runtime = library_.runtime;
  const Memory pinned{runtime.allocate_pinned, runtime.release_pinned, " of the process that it copies from"};
  return std::make_unique<CudaBuffer>(shared_from_this(), pinned, bytes);
}

bool CudaDevice::is_staging(const void* host) const {
  bool is_pinned = false;
  return library_.runtime.is_pinned(host, &is_pinned) == kSuccess && is_pinned;
}

std::unique_ptr<Stream> CudaDevice::stream_of(void* native) {
  return std::make_unique<CudaStream>(shared_from_this(), native);
}

std::unique_ptr<Event> CudaDevice::new_event() {
  return std::make_unique<CudaEvent>(shared_from_this());
}

void CudaDevice::fail_with(Status status, const char* doing) const {
  const Runtime& runtime = library_.runtime;
  if (status == kernels::cuda::kErrorMemoryAllocation) {
    std::size_t free_bytes = 0, total = 0;
    runtime.memory_info(index_, &free_bytes, &total);
    fail(ErrorCode::out_of_memory, name(), " has no memory for ", doing, ": ", free_bytes, " of its ", total,
         " bytes are free; give smaller batches, or keep fewer plans (max_plans)");
  }
  const std::string text = text_of(status, doing);
  if (!is_loss(status)) fail(ErrorCode::device, name(), " ", text);
  lose(text);
  fail(ErrorCode::device, name(), " is lost: it ", text, "; calls on it fail until the process is restarted");
}

std::string CudaDevice::text_of(Status status, const char* doing) const {
  const Runtime& runtime = library_.runtime;
  return concat("failed at ", doing, ": ", runtime.error_text(status), " (", runtime.error_name(status), ")");
}

bool CudaDevice::is_good(Status status, const char* doing) const noexcept try {
  if (is_loss(status)) lose(text_of(status, doing));
  return status == kSuccess;
} catch (const std::bad_alloc&) {
  return false;  // the next call notes it
}

CudaStream::CudaStream(std::shared_ptr<const CudaDevice> device) : device_(std::move(device)) {
  stream_.device = device_->index();
  device_->check(device_->kernels().runtime.new_stream(stream_.device, &stream_.handle), "making a stream");
}

CudaStream::CudaStream(std::shared_ptr<const CudaDevice> device, void* native)
    : device_(std::move(device)), stream_{device_->index(), native}, is_own_(false) {}

CudaStream::~CudaStream() {
  if (is_own_) device_->kernels().runtime.destroy_stream(stream_);
}

void CudaStream::copy(void* to, const void* from, std::size_t bytes, CopyKind kind) {
  if (bytes > 0) device_->check(device_->kernels().runtime.copy(to, from, bytes, kind, stream_), "copying");
}

void CudaStream::copy_to_device(void* device, const void* host, std::size_t bytes) {
  copy(device, host, bytes, CopyKind::to_device);
}

void CudaStream::copy_to_host(void* host, const void* device, std::size_t bytes) {
  copy(host, device, bytes, CopyKind::to_host);
}

void CudaStream::copy_on_device(void* to, const void* from, std::size_t bytes) {
  copy(to, from, bytes, CopyKind::on_device);
}

void CudaStream::mark(Event& event) {
  device_->check(device_->kernels().runtime.record_event(static_cast<CudaEvent&>(event).native(), stream_),
                 "marking a stream");
}

void CudaStream::wait_for(const Event& event) {
  void* native = static_cast<const CudaEvent&>(event).native();
  device_->check(device_->kernels().runtime.wait_for_event(stream_, native), "ordering streams");
}

void CudaStream::copy_strided(const kernels::CopyArgs& simplified, std::size_t element_bytes, const void* src,
                              void* dst) {
  device_->check(device_->kernels().strided_copy(simplified, element_bytes, src, dst, stream_),
                 "starting a copy");
}

void CudaStream::fill_strided(const kernels::CopyArgs& simplified, std::size_t element_bytes,
                              std::uint64_t element, void* dst) {
  device_->check(device_->kernels().strided_fill(simplified, element_bytes, element, dst, stream_),
                 "starting a fill");
}

void CudaStream::call_behind(void (*function)(void*), void* argument) {
  device_->check(device_->kernels().runtime.call_on_host(function, argument, stream_), "asking to be called");
}

bool CudaStream::has_failed() noexcept {
  return !device_->is_good(device_->kernels().runtime.query_stream(stream_), "its work");
}

std::unique_ptr<Recording> CudaStream::record(const std::function<void()>& enqueue) {
  const kernels::cuda::Runtime& runtime = device_->kernels().runtime;
  device_->check(runtime.begin_capture(stream_), "recording");
  void* graph = nullptr;
  try {
    enqueue();
  } catch (...) {
    // The stream must not stay in capture.
    if (runtime.end_capture(stream_, &graph) == kSuccess) runtime.destroy_graph(graph);
    throw;
  }
  device_->check(runtime.end_capture(stream_, &graph), "recording");
  return std::make_unique<CudaGraph>(device_, graph, stream_);
}

void CudaStream::synchronize() {
  device_->check(device_->kernels().runtime.synchronize(stream_), "waiting for its work");
}

}  // namespace mxinfer::device
