// The command line of mxinfer_cuda_bench.
#pragma once

#include <mxinfer/options.h>

#include <string>
#include <vector>

#include "command_line.h"

namespace mxinfer::bench {

struct CudaBenchOptions {
  std::string command;  ///< "network", "layers" or "help"
  std::string model;    ///< of network: a prefix
  std::vector<std::string> inputs;
  std::string outputs;  ///< a folder; empty: outputs are not written
  std::vector<Precision> precisions;
  std::string layer;  ///< of layers: part of the title
  int device = 0;
  int calls = 10, rounds = 5;
  double seconds = 0.2;
  bool tiny = false;
};

extern const char* const kCudaBenchHelp;

/// Throws UsageError.
CudaBenchOptions parse_cuda_bench_options(int argc, const char* const* argv);

}  // namespace mxinfer::bench
