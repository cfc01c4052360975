// Adapts the functions of a float32 implementation, which count floats, to ConvImpl, which counts bytes:
//
//   constexpr ConvImpl kImpl{"name", kPacking, float_bytes<PackedElements>, pack_floats<Pack>, Tasks,
//                            float_bytes<ScratchElements>, run_floats<Run>, WorkOf};
#pragma once

#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

template <std::int64_t (*kElements)(const ConvProblem&)>
std::size_t float_bytes(const ConvProblem& problem) {
  return static_cast<std::size_t>(kElements(problem)) * sizeof(float);
}

template <void (*kPack)(const ConvProblem&, const float*, float*)>
void pack_floats(const ConvProblem& problem, const float* weight, std::byte* packed) {
  kPack(problem, weight, reinterpret_cast<float*>(packed));
}

template <void (*kRun)(const ConvArgs&, std::int64_t, std::int64_t, float*)>
void run_floats(const ConvArgs& args, std::int64_t begin, std::int64_t end, std::byte* scratch) {
  kRun(args, begin, end, reinterpret_cast<float*>(scratch));
}

}  // namespace mxinfer::kernels
