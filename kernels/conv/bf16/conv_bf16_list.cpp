// The convolution algorithms of bfloat16 data, by the instructions of the CPU.
#include "kernels/conv/bf16/conv_bf16.h"
#include "kernels/conv/conv_algorithm.h"

namespace mxinfer::kernels {
namespace {

const char* rejects_amx(const ConvProblem& s, Target target) {
  // Below so many positions most of a tile of AMX would be empty.
  constexpr std::int64_t kLeastPositions = 16;
  if (s.type != ConvType::bfloat16) return kConvOtherType;
  if (target != Target::avx512 || conv_bf16_amx() == nullptr) return "the CPU or the target has no AMX";
  return s.batch * volume(s.output) >= kLeastPositions ? nullptr : "few positions";
}

const char* rejects_amx_lines(const ConvProblem& s, Target target) {
  if (const char* why = rejects_amx(s, target)) return why;
  return is_bf16_lines(s) ? nullptr : "one tap, strides, or channels that are not a multiple of 32";
}

const char* rejects_dot(const ConvProblem& s, Target target) {
  if (s.type != ConvType::bfloat16) return kConvOtherType;
  if (rejects_amx(s, target) == nullptr) return "AMX multiplies faster";
  return target == Target::avx512 && conv_bf16_dot() != nullptr ? nullptr
                                                                : "the CPU or the target has no AVX512_BF16";
}

const char* rejects_emulated(const ConvProblem& s, Target target) {
  if (s.type != ConvType::bfloat16) return kConvOtherType;
  return rejects_amx(s, target) == nullptr ? "AMX multiplies faster" : nullptr;
}

// On AMX the transforms would take longer than the multiplications that they save.
constexpr const char* kNoBf16Winograd =
    "not 3 x 3 filters of stride 1, or channels that are not a multiple of 16";

const char* rejects_dot_winograd(const ConvProblem& s, Target target) {
  if (const char* why = rejects_dot(s, target)) return why;
  return is_bf16_winograd(s) ? nullptr : kNoBf16Winograd;
}

const char* rejects_emulated_winograd(const ConvProblem& s, Target target) {
  if (const char* why = rejects_emulated(s, target)) return why;
  return is_bf16_winograd(s) ? nullptr : kNoBf16Winograd;
}

constexpr const char* kBf16WinogradReason =
    "3 x 3 filters of stride 1: Winograd's tiles of 2 x 2 outputs need 4/9 of the multiplications";

}  // namespace

extern const ConvAlgorithm conv_amx_bf16, conv_lines_amx_bf16, conv_dot_bf16, conv_emulated_bf16,
    conv_winograd2_dot_bf16, conv_winograd2_emulated_bf16;
const ConvAlgorithm conv_amx_bf16{"conv_bf16_amx", rejects_amx, [](Target) { return conv_bf16_amx(); },
                                  "AMX: one instruction adds 32 products to each of 16 x 16 sums"};
const ConvAlgorithm conv_lines_amx_bf16{"conv_bf16_lines_amx", rejects_amx_lines,
                                        [](Target) { return conv_bf16_amx(Bf16Method::lines); },
                                        "AMX; all taps read one copy of the inputs, without a gather"};
const ConvAlgorithm conv_dot_bf16{"conv_bf16_dot", rejects_dot, [](Target) { return conv_bf16_dot(); },
                                  "AVX512_BF16: one instruction adds two products to each lane"};
const ConvAlgorithm conv_emulated_bf16{
    "conv_bf16_emulated", rejects_emulated, [](Target target) { return &conv_bf16_emulated(target); },
    "the CPU or the target has no fast instructions for bfloat16: converted to float32 in registers"};
const ConvAlgorithm conv_winograd2_dot_bf16{"conv_bf16_winograd2_dot", rejects_dot_winograd,
                                            [](Target) { return conv_bf16_dot(Bf16Method::winograd); },
                                            kBf16WinogradReason};
const ConvAlgorithm conv_winograd2_emulated_bf16{
    "conv_bf16_winograd2_emulated", rejects_emulated_winograd,
    [](Target target) { return &conv_bf16_emulated(target, Bf16Method::winograd); }, kBf16WinogradReason};

}  // namespace mxinfer::kernels
