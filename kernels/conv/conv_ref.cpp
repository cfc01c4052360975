#include <type_traits>

#include "kernels/common/bfloat16.h"
#include "kernels/conv/conv.h"
#include "kernels/conv/conv_taps.h"

namespace mxinfer::kernels {
namespace {

/// The type of sums once they are summed, and of weights and bias. T: float, double, BFloat16.
template <typename T>
using Value = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <typename T>
double factor(Value<T> weight) {
  if constexpr (std::is_same_v<T, BFloat16>) return static_cast<float>(BFloat16(weight));
  return weight;
}

/// Elements from one channel to the next, and from one position to the next.
struct Steps {
  std::int64_t channel, position, image;
};

Steps steps_of(const ConvArgs& args) {
  const ConvProblem& s = args.problem;
  if (s.src_layout == SrcLayout::nchw) return {volume(s.input), 1, s.channels * volume(s.input)};
  return {1, args.src_step(), args.src_step() * volume(s.input)};
}

/// One element of dst before bias. `src` and `border` begin at the group's first channel.
template <typename T>
double dot_at(const ConvProblem& s, Steps steps, const T* src, const float* border, const Value<T>* weight,
              const Spatial& at) {
  double sum = 0;
  for_each_tap(s, at, [&](std::int64_t c, std::int64_t position) {
    if (position >= 0) {
      sum += factor<T>(*weight) *
             static_cast<double>(static_cast<Value<T>>(src[position * steps.position + c * steps.channel]));
    } else if (border != nullptr) {
      sum += factor<T>(*weight) * static_cast<double>(border[c]);
    }
    ++weight;
  });
  return sum;
}

template <typename T>
Value<T> activated(const ConvArgs& args, std::int64_t m, Value<T> x) {
  if (args.slopes == nullptr) return activate(args.post_ops, x);
  return x > 0 ? x : x * static_cast<Value<T>>(args.slopes[m]);
}

/// A task is one position of one image, with all its filters.
template <typename T>
void run_position(const ConvArgs& args, std::int64_t task) {
  const ConvProblem& s = args.problem;
  const Steps steps = steps_of(args);
  const std::int64_t positions = volume(s.output), position = task % positions;
  const T* image = typed<T>(args.src) + task / positions * steps.image;
  const Spatial at{position / (s.output[1] * s.output[2]), position / s.output[2] % s.output[1],
                   position % s.output[2]};
  for (std::int64_t m = 0; m < s.filters; ++m) {
    const std::int64_t channel = m / s.group_filters() * s.group_channels();
    const float* border = args.border != nullptr ? args.border + channel : nullptr;
    double sum = dot_at(s, steps, image + channel * steps.channel, border,
                        typed<Value<T>>(args.weight) + m * s.depth(), at);
    if (args.bias != nullptr) sum += typed<Value<T>>(args.bias)[m];
    const std::int64_t i = task * s.filters + m;
    if (args.residual != nullptr) sum += static_cast<Value<T>>(typed<T>(args.residual)[i]);
    const Value<T> value = activated<T>(args, m, static_cast<Value<T>>(sum));
    if (args.dst_is_float32) {
      typed<float>(args.dst)[i] = static_cast<float>(value);
    } else {
      typed<T>(args.dst)[task * args.dst_step() + m] = static_cast<T>(value);
    }
  }
}

template <typename T>
constexpr ConvImpl reference(const char* name) {
  ConvImpl impl;
  impl.name = name;
  impl.tasks = [](const ConvProblem& s) { return s.batch * volume(s.output); };
  impl.scratch_bytes = [](const ConvProblem&) { return std::size_t{0}; };
  impl.run = [](const ConvArgs& args, std::int64_t begin, std::int64_t end, std::byte*) {
    for (std::int64_t task = begin; task < end; ++task) run_position<T>(args, task);
  };
  return impl;
}

constexpr ConvImpl kFloat32 = reference<float>("conv_nhwc_ref_f32");
constexpr ConvImpl kFloat64 = reference<double>("conv_nhwc_ref_f64");
constexpr ConvImpl kBFloat16 = reference<BFloat16>("conv_bf16_ref");

}  // namespace

const ConvImpl& conv_ref(const ConvProblem& problem) {
  if (problem.type == ConvType::float64) return kFloat64;
  return problem.type == ConvType::bfloat16 ? kBFloat16 : kFloat32;
}

}  // namespace mxinfer::kernels
