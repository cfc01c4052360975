// The names of what options choose from.
#include <mxinfer/activation.h>
#include <mxinfer/options.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "base/fail.h"

namespace mxinfer {
namespace {

constexpr Target kTargets[] = {Target::automatic, Target::reference, Target::baseline, Target::avx2,
                               Target::avx512};
constexpr Precision kPrecisions[] = {Precision::float32, Precision::bfloat16};
constexpr Activation kActivations[] = {Activation::none, Activation::softmax, Activation::sigmoid};

template <typename Enum, std::size_t kCount>
Enum parse(const char* what, std::string_view name, const Enum (&all)[kCount]) {
  const auto* found =
      std::find_if(std::begin(all), std::end(all), [&](Enum value) { return name == to_string(value); });
  if (found != std::end(all)) return *found;
  std::string known;
  for (std::size_t i = 0; i < kCount; ++i)
    known += concat(i == 0 ? "" : i + 1 == kCount ? " or " : ", ", to_string(all[i]));
  fail(ErrorCode::invalid_argument, "\"", printable(name), "\" is no ", what, "; it can be ", known);
}

}  // namespace

const char* MXINFER_ABI::to_string(Target target) noexcept {
  switch (target) {
    case Target::automatic:
      return "automatic";
    case Target::reference:
      return "ref";
    case Target::baseline:
      return "baseline";
    case Target::avx2:
      return "avx2";
    case Target::avx512:
      return "avx512";
  }
  return "unknown";
}

const char* MXINFER_ABI::to_string(Precision precision) noexcept {
  switch (precision) {
    case Precision::float32:
      return "float32";
    case Precision::bfloat16:
      return "bfloat16";
  }
  return "unknown";
}

const char* MXINFER_ABI::to_string(Activation activation) noexcept {
  switch (activation) {
    case Activation::none:
      return "none";
    case Activation::softmax:
      return "softmax";
    case Activation::sigmoid:
      return "sigmoid";
  }
  return "unknown";
}

Target MXINFER_ABI::parse_target(std::string_view name) try {
  return name == "reference" ? Target::reference : parse("target", name, kTargets);
} catch (...) {
  throw_as_error();
}

Precision MXINFER_ABI::parse_precision(std::string_view name) try {
  return parse("precision", name, kPrecisions);
} catch (...) {
  throw_as_error();
}

Activation MXINFER_ABI::parse_activation(std::string_view name) try {
  return parse("activation", name, kActivations);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
