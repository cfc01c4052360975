// The list of all implementations of convolutions that are chosen between, in order: of two that cost the
// same, the first is taken.
#include <algorithm>

#include "kernels/conv/bf16/conv_bf16.h"
#include "kernels/conv/conv.h"

namespace mxinfer::kernels {
namespace {

struct ConvListed {
  const char* name;
  /// Null if it computes the problem and may be chosen for it on this CPU, else why not.
  const char* (*rejects)(const ConvProblem&, Target);
  /// Null if this CPU or the build lacks it. A target other than ref.
  const ConvImpl* (*impl)(Target);
  const char* reason;  ///< why it is chosen
};

constexpr const char* kOtherType = "data of another type";
constexpr const char* kChannelsFirst = "src is channels-first";

// float32.

bool has_filter_a_channel(const ConvProblem& s) {
  return is_depthwise(s) && s.filters == s.channels;
}

const char* rejects_nchw(const ConvProblem& s, Target) {
  if (s.type != ConvType::float32) return kOtherType;
  return s.src_layout == SrcLayout::nchw ? nullptr : "src is channels-last";
}

const char* rejects_depthwise(const ConvProblem& s, Target) {
  if (s.type != ConvType::float32) return kOtherType;
  if (s.src_layout != SrcLayout::nhwc) return kChannelsFirst;
  return has_filter_a_channel(s) ? nullptr : "not one filter for each channel";
}

const char* rejects_direct(const ConvProblem& s, Target) {
  if (s.type != ConvType::float32) return kOtherType;
  if (s.src_layout != SrcLayout::nhwc) return kChannelsFirst;
  return has_filter_a_channel(s) ? "one filter for each channel: there is no sum over channels" : nullptr;
}

const char* rejects_strip(const ConvProblem& s, Target target) {
  if (const char* why = rejects_direct(s, target)) return why;
  return reads_nchw(s) ? nullptr : "many input channels, several groups or three dimensions";
}

const char* rejects_winograd(const ConvProblem& s, Target target) {
  // With fewer, vectors of channels and filters would be empty for the most part.
  constexpr std::int64_t kLeastChannels = 16;
  if (const char* why = rejects_direct(s, target)) return why;
  if (!is_winograd(s)) return "not 3 x 3 filters of stride 1 over one group";
  return s.channels >= kLeastChannels && s.filters >= kLeastChannels ? nullptr : "few channels or filters";
}

// bfloat16.

const char* rejects_amx(const ConvProblem& s, Target target) {
  // Below so many positions most of a tile of AMX would be empty.
  constexpr std::int64_t kLeastPositions = 16;
  if (s.type != ConvType::bfloat16) return kOtherType;
  if (target != Target::avx512 || conv_bf16_amx() == nullptr) return "the CPU or the target has no AMX";
  return s.batch * volume(s.output) >= kLeastPositions ? nullptr : "few positions";
}

const char* rejects_dot(const ConvProblem& s, Target target) {
  if (s.type != ConvType::bfloat16) return kOtherType;
  if (rejects_amx(s, target) == nullptr) return "AMX multiplies faster";
  return target == Target::avx512 && conv_bf16_dot() != nullptr ? nullptr
                                                                : "the CPU or the target has no AVX512_BF16";
}

const char* rejects_emulated(const ConvProblem& s, Target target) {
  if (s.type != ConvType::bfloat16) return kOtherType;
  const bool instructions = rejects_amx(s, target) == nullptr || rejects_dot(s, target) == nullptr;
  return instructions ? "the CPU has instructions for bfloat16" : nullptr;
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

constexpr const char* kWinograd4Reason =
    "3 x 3 filters of stride 1: Winograd's tiles of 4 x 4 outputs need a quarter of the multiplications";
constexpr const char* kWinograd2Reason =
    "3 x 3 filters of stride 1 on a small image: Winograd's tiles of 2 x 2 outputs need 4/9 of the "
    "multiplications";
constexpr const char* kBf16WinogradReason =
    "3 x 3 filters of stride 1: Winograd's tiles of 2 x 2 outputs need 4/9 of the multiplications";

constexpr ConvListed kList[] = {
    {"conv_nhwc_strip_of_nchw_f32", rejects_nchw,
     [](Target target) { return &conv_strip(SrcLayout::nchw, target); },
     "reads an NCHW image, and writes channels-last"},
    {"conv_nhwc_depthwise_f32", rejects_depthwise, [](Target target) { return &conv_depthwise(target); },
     "depthwise: vectors along the channels, tap by tap"},
    {"conv_nhwc_direct_f32", rejects_direct, [](Target target) { return &conv_direct(target); },
     "channels-last: the taps are contiguous runs of memory, without gathering"},
    {"conv_nhwc_strip_f32", rejects_strip, [](Target target) { return &conv_strip(SrcLayout::nhwc, target); },
     "few input channels: the taps of a row of the filter are summed as one run"},
    {"conv_nhwc_winograd4_f32", rejects_winograd, [](Target target) { return &conv_winograd(target, 4); },
     kWinograd4Reason},
    {"conv_nhwc_winograd2_f32", rejects_winograd, [](Target target) { return &conv_winograd(target, 2); },
     kWinograd2Reason},
    {"conv_bf16_amx", rejects_amx, [](Target) { return conv_bf16_amx(); },
     "AMX: one instruction adds 32 products to each of 16 x 16 sums"},
    {"conv_bf16_dot", rejects_dot, [](Target) { return conv_bf16_dot(); },
     "AVX512_BF16: one instruction adds two products to each lane"},
    {"conv_bf16_emulated", rejects_emulated, [](Target target) { return &conv_bf16_emulated(target); },
     "the CPU or the target has no instructions for bfloat16: converted to float32 in registers"},
    {"conv_bf16_winograd2_dot", rejects_dot_winograd,
     [](Target) { return conv_bf16_dot(Bf16Method::winograd); }, kBf16WinogradReason},
    {"conv_bf16_winograd2_emulated", rejects_emulated_winograd,
     [](Target target) { return &conv_bf16_emulated(target, Bf16Method::winograd); }, kBf16WinogradReason},
};

}  // namespace

std::vector<ConvCandidate> conv_candidates(const ConvProblem& problem, Target target) {
  if (target == Target::ref || problem.type == ConvType::float64)
    return {{&conv_ref(problem), target == Target::ref ? "the reference kernel was asked for"
                                                       : "float64 has the reference kernel only"}};
  std::vector<ConvCandidate> candidates;
  for (const ConvListed& listed : kList) {
    if (listed.rejects(problem, target) == nullptr)
      candidates.push_back({listed.impl(target), listed.reason});
  }
  return candidates;
}

std::vector<ConvRejection> conv_rejections(const ConvProblem& problem, Target target) {
  std::vector<ConvRejection> rejections;
  for (const ConvListed& listed : kList) {
    if (const char* why = listed.rejects(problem, target)) rejections.push_back({listed.name, why});
  }
  return rejections;
}

const ConvImpl& select_conv(const ConvProblem& problem, Target target, const char** reason,
                            const MachineRates& rates) {
  const std::vector<ConvCandidate> candidates = conv_candidates(problem, target);
  ConvProblem whole = problem;
  whole.task_hint = 1;  // on one core, and not cut into tasks
  const auto cost = [&](const ConvCandidate& candidate) {
    return predicted_seconds(candidate.impl->work(whole), rates, 1);
  };
  // A single candidate need not have a cost.
  const ConvCandidate& best =
      candidates.size() == 1
          ? candidates.front()
          : *std::min_element(candidates.begin(), candidates.end(),
                              [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
  *reason = best.reason;
  return *best.impl;
}

}  // namespace mxinfer::kernels
