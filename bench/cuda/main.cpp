// mxinfer_cuda_bench: measures networks and single layers on a GPU.
//
//   mxinfer_cuda_bench network models/resnet50 --inputs models/b1 --inputs models/b32
//   mxinfer_cuda_bench layers --layer 3x3
//
// libmxinfer_cuda.so, or the emulator's, is found as the library finds it (MXINFER_CUDA_LIBRARY).
#include <exception>
#include <iostream>

#include "cuda/commands.h"

int main(int argc, char** argv) {
  using namespace mxinfer::bench;
  try {
    const CudaBenchOptions options = parse_cuda_bench_options(argc, argv);
    if (options.command == "help") {
      std::cout << kCudaBenchHelp;
    } else if (options.command == "network") {
      return run_network(options) == 0 ? 0 : 1;
    } else {
      run_layers(options);
    }
    return 0;
  } catch (const UsageError& error) {
    std::cerr << "mxinfer_cuda_bench: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "mxinfer_cuda_bench: " << error.what() << '\n';
    return 1;
  }
}
