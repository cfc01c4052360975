// Graphs: the works of a capture, in the order in which they were recorded.
#include <atomic>

#include "simt/host/errors.h"
#include "simt/host/stream.h"

struct CUgraph_st {
  std::vector<mxinfer::simt::Work> works{};
};
struct CUgraphExec_st {
  std::vector<mxinfer::simt::Work> works{};
};

namespace mxinfer::simt {
namespace {

Handles<CUgraph_st>& graphs() {
  static auto& all = *new Handles<CUgraph_st>;
  return all;
}

Handles<CUgraphExec_st>& executables() {
  static auto& all = *new Handles<CUgraphExec_st>;
  return all;
}

cudaError_t begin(cudaStream_t handle, cudaStreamCaptureMode mode) {
  const auto lock = lock_streams();
  const StreamPointer stream = handle == nullptr ? nullptr : find_stream(handle);
  if (handle == nullptr) return cudaErrorStreamCaptureUnsupported;  // the default stream
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (stream->capture != nullptr) return cudaErrorIllegalState;
  stream->capture = std::make_shared<Capture>();
  stream->capture->streams = {stream};
  stream->capture->mode = mode;
  stream->capture->thread = std::this_thread::get_id();
  begin_unsafe(*stream->capture);
  return cudaSuccess;
}

cudaError_t end(cudaStream_t handle, cudaGraph_t* graph) {
  *graph = nullptr;
  const auto lock = lock_streams();
  const StreamPointer stream = find_stream(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  const std::shared_ptr<Capture> capture = stream->capture;
  if (capture == nullptr || capture->streams[0] != stream) return cudaErrorIllegalState;
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id())
    return cudaErrorStreamCaptureWrongThread;
  end_capture(capture);
  capture->streams.clear();
  if (capture->is_invalid) return cudaErrorStreamCaptureInvalidated;
  auto made = std::make_shared<CUgraph_st>();
  made->works = capture->works;
  *graph = graphs().add(std::move(made));
  return cudaSuccess;
}

cudaError_t instantiate(cudaGraphExec_t* exec, cudaGraph_t graph) {
  *exec = nullptr;
  const auto lock = lock_streams();
  const auto found = graphs().find(graph);
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  auto made = std::make_shared<CUgraphExec_st>();
  made->works = found->works;
  *exec = executables().add(std::move(made));
  return cudaSuccess;
}

std::atomic<unsigned long long> launches{0};

cudaError_t launch(cudaGraphExec_t exec, cudaStream_t handle) {
  auto lock = lock_streams();
  const auto found = executables().find(exec);
  const StreamPointer stream = find_stream(handle);
  if (found == nullptr || stream == nullptr) return cudaErrorInvalidResourceHandle;
  ++launches;
  return add(lock, stream, found->works);
}

}  // namespace
}  // namespace mxinfer::simt

using namespace mxinfer::simt;

unsigned long long mxinfer_simt_graph_launches() {
  return launches;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return remember(begin(stream, mode));
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return remember(end(stream, graph));
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  return remember(instantiate(exec, graph));
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return remember(launch(exec, stream));
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  const auto lock = lock_streams();
  return remember(graphs().remove(graph) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  const auto lock = lock_streams();
  return remember(executables().remove(exec) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
