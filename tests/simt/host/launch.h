// The launch of a kernel: queued in its stream with copies of its arguments, and run when the stream is
// waited for (stream.h).
#pragma once

#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>

#include "kernels/cuda/stream.h"
#include "simt/host/runtime_api.h"
#include "simt/vector_types.h"

// Behind what it calls.
#include "kernels/cuda/device_scope.h"

namespace mxinfer::simt {

using kernels::cuda::Status;
using kernels::cuda::Stream;

/// A grid, and the line of the launch that gives it.
struct Grid {
  Grid(dim3 blocks, const char* in = __builtin_FILE(), unsigned at = __builtin_LINE())
      : size(blocks), file(in), line(at) {}
  Grid(unsigned blocks, const char* in = __builtin_FILE(), unsigned at = __builtin_LINE())
      : size(blocks), file(in), line(at) {}
  Grid(int blocks, const char* in = __builtin_FILE(), unsigned at = __builtin_LINE())
      : size(static_cast<unsigned>(blocks)), file(in), line(at) {}
  dim3 size;
  const char* file;
  unsigned line;
};

struct Launch {
  const void* kernel;
  Grid grid;
  dim3 block;
  std::size_t shared_bytes;
  /// The kernel for one thread, with the arguments: a tuple of so many bytes.
  void (*call)(const void* kernel, const void* arguments);
  std::shared_ptr<const void> arguments;
  std::size_t argument_bytes;
  bool is_cooperative = false;  ///< all blocks are on the GPU at once, and may wait for each other
};

/// Gives a status with a message if no GPU of that architecture could run it.
Status enqueue(Launch launch, const Stream& stream);

/// Runs all blocks, now. What a check says is printed, and is the text of the error that it returns.
cudaError_t run(const Launch& launch);

template <class... P, class... A>
Launch launch_of(void (*kernel)(P...), const Grid& grid, dim3 block, std::size_t shared_bytes, A... args) {
  static_assert(sizeof...(P) == sizeof...(A));
  static_assert((std::is_trivially_copyable_v<P> && ...), "arguments are copied to the GPU");
  using Arguments = std::tuple<P...>;
  const auto call = [](const void* function, const void* arguments) {
    std::apply(reinterpret_cast<void (*)(P...)>(const_cast<void*>(function)),
               *static_cast<const Arguments*>(arguments));
  };
  return {reinterpret_cast<const void*>(kernel),
          grid,
          block,
          shared_bytes,
          call,
          std::make_shared<const Arguments>(static_cast<P>(args)...),
          sizeof(Arguments)};
}

/// Enqueues a kernel with `shared_bytes` of shared memory.
template <class... P, class... A>
Status launch(void (*kernel)(P...), const Grid& grid, dim3 block, std::size_t shared_bytes,
              const Stream& stream, A... args) {
  return enqueue(launch_of(kernel, grid, block, shared_bytes, args...), stream);
}

/// The same of a kernel whose blocks wait for each other: at most one for each multiprocessor.
template <class... P, class... A>
Status launch_cooperative(void (*kernel)(P...), const Grid& grid, dim3 block, std::size_t shared_bytes,
                          const Stream& stream, A... args) {
  Launch all = launch_of(kernel, grid, block, shared_bytes, args...);
  all.is_cooperative = true;
  return enqueue(std::move(all), stream);
}

}  // namespace mxinfer::simt
