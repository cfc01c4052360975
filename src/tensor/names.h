// Names of dtypes, devices and layouts in options, in files and on the command line: the only parser of each,
// with the spellings that other libraries use.
#pragma once

#include <mxinfer/device.h>
#include <mxinfer/dtype.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer {

/// Lowercases ASCII letters.
std::string lower_case(std::string_view text);

/// The known names, for messages.
inline constexpr const char* kDtypeNames =
    "float32, float64, float16, uint8, int32, int8, int64, bool, int16, uint16, uint32, uint64 or bfloat16";
inline constexpr const char* kDeviceNames =
    "cpu, or a GPU: cuda:0, cuda:1, ..., or several different GPUs: cuda:0,cuda:1, or cuda:all";

/// to_string(DType) and other spellings ("fp32", "half", "double", "bf16"), in any case; else nothing.
std::optional<DType> dtype_named(std::string_view name);

/// "cpu", "" or "cpu:0"; "cuda" or "gpu", the first GPU; "cuda:1", "cuda(1)"; in any case. Else nothing.
std::optional<Device> device_named(std::string_view name);

/// The same for one device or several: GPUs with commas between them, each once, or "cuda:all" or "gpu:all",
/// which is one Device with the index kAllDevices. Else nothing.
std::optional<std::vector<Device>> devices_named(std::string_view names);

/// As devices_named() reads them: "cuda:0,cuda:1".
std::string to_string(const std::vector<Device>& devices);

/// A layout by its letters, "nchw" as "NCHW". Text with anything but letters is returned unchanged, for the
/// caller to reject.
std::string layout_named(std::string_view name);

}  // namespace mxinfer
