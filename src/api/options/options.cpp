// The names of option values.
#include <mxinfer/activation.h>
#include <mxinfer/options.h>
#include <mxinfer/remote_options.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/fail.h"
#include "base/text/suggest.h"
#include "kernels/common/precision.h"
#include "kernels/common/target.h"
#include "tensor/names.h"

namespace mxinfer {
namespace {

constexpr Target kTargets[] = {Target::automatic, Target::reference, Target::baseline, Target::avx2,
                               Target::avx512};
constexpr Precision kPrecisions[] = {Precision::float32, Precision::bfloat16, Precision::tf32,
                                     Precision::float16};
constexpr Scheduling kSchedulings[] = {Scheduling::automatic, Scheduling::latency, Scheduling::throughput};
constexpr Activation kActivations[] = {Activation::none, Activation::softmax, Activation::sigmoid};

template <typename Enum, std::size_t kCount>
Enum parse(const char* what, std::string_view name, const Enum (&all)[kCount]) try {
  const auto* found =
      std::find_if(std::begin(all), std::end(all), [&](Enum value) { return name == to_string(value); });
  if (found != std::end(all)) return *found;
  std::vector<std::string> known;
  for (const Enum value : all) known.emplace_back(to_string(value));
  fail(ErrorCode::invalid_argument, "\"", printable(name), "\" is not ", what, "; it can be ", listed(known));
} catch (...) {
  throw_as_error();
}

/// The names of dtypes, and tf32, which is not a dtype.
std::string precision_name(std::string_view name) {
  const std::optional<DType> dtype = dtype_named(name);
  return dtype ? to_string(*dtype) : lower_case(name);
}

}  // namespace

const char* MXINFER_ABI::to_string(Target target) noexcept {
  switch (target) {
    case Target::automatic:
      return "automatic";
    case Target::reference:
      return kernels::to_string(kernels::Target::ref);
    case Target::baseline:
      return kernels::to_string(kernels::Target::baseline);
    case Target::avx2:
      return kernels::to_string(kernels::Target::avx2);
    case Target::avx512:
      return kernels::to_string(kernels::Target::avx512);
  }
  return "unknown";
}

const char* MXINFER_ABI::to_string(Precision precision) noexcept {
  switch (precision) {
    case Precision::float32:
      return kernels::to_string(kernels::Precision::float32);
    case Precision::bfloat16:
      return kernels::to_string(kernels::Precision::bfloat16);
    case Precision::tf32:
      return kernels::to_string(kernels::Precision::tf32);
    case Precision::float16:
      return kernels::to_string(kernels::Precision::float16);
  }
  return "unknown";
}

const char* MXINFER_ABI::to_string(CachePolicy policy) noexcept {
  switch (policy) {
    case CachePolicy::use:
      return "use";
    case CachePolicy::refresh:
      return "refresh";
    case CachePolicy::offline:
      return "offline";
    case CachePolicy::none:
      return "none";
  }
  return "?";
}

const char* MXINFER_ABI::to_string(Scheduling scheduling) noexcept {
  switch (scheduling) {
    case Scheduling::automatic:
      return "automatic";
    case Scheduling::latency:
      return "latency";
    case Scheduling::throughput:
      return "throughput";
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

Target MXINFER_ABI::parse_target(std::string_view name) {
  return name == "reference" ? Target::reference : parse("a target", name, kTargets);
}

Precision MXINFER_ABI::parse_precision(std::string_view name) try {
  const std::string wanted = precision_name(name);
  for (const Precision precision : kPrecisions) {
    if (wanted == to_string(precision)) return precision;
  }
  return parse("a precision", name, kPrecisions);  // whose error lists the devices
} catch (...) {
  throw_as_error();
}

Device MXINFER_ABI::parse_device(std::string_view name) try {
  if (const std::optional<Device> device = device_named(name)) return *device;
  fail(ErrorCode::invalid_argument, "\"", printable(name), "\" is not a device; it can be ", kDeviceNames);
} catch (...) {
  throw_as_error();
}

std::vector<Device> MXINFER_ABI::parse_devices(std::string_view names) try {
  if (auto devices = devices_named(names)) return *std::move(devices);
  fail(ErrorCode::invalid_argument, "\"", printable(names), "\" is not a device; it can be ", kDeviceNames);
} catch (...) {
  throw_as_error();
}

Scheduling MXINFER_ABI::parse_scheduling(std::string_view name) {
  return parse("a scheduling", name, kSchedulings);
}

Activation MXINFER_ABI::parse_activation(std::string_view name) {
  return parse("an activation", name, kActivations);
}

}  // namespace mxinfer
