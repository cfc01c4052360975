// What can compute a layer: a kernel with its tile and the pieces that its sum is cut into.
//
//   for (const Candidate& candidate : candidates(layer, {Precision::float16}, gpu))
//     candidate.launch(scratch, stream);      // scratch: candidate.scratch_bytes on the GPU
//
// A kernel that the library gets goes into the functions below.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cuda/gpu.h"
#include "cuda/layer_cases.h"
#include "kernels/common/precision.h"

namespace mxinfer::bench {

struct Candidate {
  std::string kernel;  ///< "implicit_gemm_128x64_f16"
  kernels::Precision precision = kernels::Precision::float32;
  int splits = 1;
  bool is_planned = false;  ///< the library's choice for this precision
  double flops = 0;         ///< of the layer, as it is defined
  double bytes = 0;         ///< that it must move: operands and outputs, once each
  std::size_t scratch_bytes = 0;
  /// Holds the operands.
  std::function<kernels::cuda::Status(void* scratch, const kernels::cuda::Stream& stream)> launch;
};

using Precisions = std::vector<kernels::Precision>;

std::vector<Candidate> candidates(const ConvLayer& layer, const Precisions& precisions, Gpu& gpu);
std::vector<Candidate> candidates(const DenseLayer& layer, const Precisions& precisions, Gpu& gpu);
std::vector<Candidate> candidates(const AttentionLayer& layer, const Precisions& precisions, Gpu& gpu);
std::vector<Candidate> candidates(const DepthwiseLayer& layer, const Precisions& precisions, Gpu& gpu);
std::vector<Candidate> candidates(const ScaleShiftLayer& layer, const Precisions& precisions, Gpu& gpu);
std::vector<Candidate> candidates(const AddLayer& layer, const Precisions& precisions, Gpu& gpu);
std::vector<Candidate> candidates(const LayerNormLayer& layer, const Precisions& precisions, Gpu& gpu);
std::vector<Candidate> candidates(const PoolLayer& layer, const Precisions& precisions, Gpu& gpu);
std::vector<Candidate> candidates(const LstmLayer& layer, const Precisions& precisions, Gpu& gpu);

/// 1, 2, 4, ... as long as so many pieces of `blocks` are not more than keep a GPU busy; at most 32.
std::vector<int> splits_to_try(std::int64_t blocks, const Gpu& gpu);

}  // namespace mxinfer::bench
