#include "tensor/names.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace mxinfer {
namespace {

struct Spelling {
  std::string_view name;
  DType dtype;
};

constexpr Spelling kSpellings[] = {
    {"fp32", DType::float32},   {"f32", DType::float32},   {"float", DType::float32},
    {"single", DType::float32}, {"fp64", DType::float64},  {"f64", DType::float64},
    {"double", DType::float64}, {"fp16", DType::float16},  {"f16", DType::float16},
    {"half", DType::float16},   {"bf16", DType::bfloat16}, {"boolean", DType::boolean},
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// ":1" or "(1)" after the kind of a device; 0 if it is empty.
std::optional<std::int32_t> device_number(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() == '(' && text.back() == ')') {
    text.remove_suffix(1);
  } else if (text.front() != ':') {
    return std::nullopt;
  }
  text.remove_prefix(1);
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && number >= 0;
  return is_number ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::optional<DType> dtype_named(std::string_view name) {
  const std::string lower = lower_case(name);
  for (int number = 0; number <= static_cast<int>(DType::bfloat16); ++number) {
    if (lower == to_string(static_cast<DType>(number))) return static_cast<DType>(number);
  }
  for (const Spelling& spelling : kSpellings) {
    if (lower == spelling.name) return spelling.dtype;
  }
  return std::nullopt;
}

std::optional<Device> device_named(std::string_view name) {
  const std::string lower = lower_case(name);
  const std::string_view text = lower;
  const std::size_t letters =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_letter) - text.begin());
  const std::string_view kind = text.substr(0, letters);
  const std::optional<std::int32_t> number = device_number(text.substr(letters));
  if (!number) return std::nullopt;
  if (kind == "cuda" || kind == "gpu") return Device{DeviceType::cuda, *number};
  const bool is_cpu = kind == "cpu" || text.empty();
  return is_cpu && *number == 0 ? std::optional(Device{}) : std::nullopt;  // there is only one CPU
}

std::optional<std::vector<Device>> devices_named(std::string_view names) {
  if (const std::string lower = lower_case(names); lower == "cuda:all" || lower == "gpu:all")
    return std::vector<Device>{{DeviceType::cuda, kAllDevices}};
  std::vector<Device> devices;
  for (;;) {
    const std::size_t comma = names.find(',');
    const std::optional<Device> device = device_named(trimmed(names.substr(0, comma)));
    const bool is_new = device && std::find(devices.begin(), devices.end(), *device) == devices.end();
    if (!is_new) return std::nullopt;
    devices.push_back(*device);
    if (comma == names.npos) break;
    names.remove_prefix(comma + 1);
  }
  // The CPU is a device of its own.
  const bool are_gpus = std::all_of(devices.begin(), devices.end(),
                                    [](const Device& device) { return device.type == DeviceType::cuda; });
  return devices.size() == 1 || are_gpus ? std::optional(devices) : std::nullopt;
}

std::string to_string(const std::vector<Device>& devices) {
  std::string names;
  for (const Device& device : devices) names += (names.empty() ? "" : ",") + to_string(device);
  return names;
}

std::string layout_named(std::string_view name) {
  std::string layout(name);
  if (!std::all_of(name.begin(), name.end(), is_letter)) return layout;
  for (char& c : layout) {
    if (c >= 'a') c = static_cast<char>(c - 'a' + 'A');
  }
  return layout;
}

}  // namespace mxinfer
