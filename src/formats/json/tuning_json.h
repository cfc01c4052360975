// The file of a tuning (mxinfer/tuning.h):
//
//   {"format": "mxinfer tuning", "version": 1,
//    "machine": {"cpu": "AMD EPYC", "target": "avx2", "cores": 2}, "threads": 2,
//    "choices": [{"shape": "1 x 64 x 56 x 56, 64 filters 3 x 3, pad 0 x 1 x 1",
//                 "kernel": "conv_nhwc_winograd4_f32",
//                 "ms": {"conv_nhwc_direct_f32": 3.1, "conv_nhwc_winograd4_f32": 1.2}}]}
#pragma once

#include <mxinfer/tuning.h>

#include <string>
#include <string_view>

namespace mxinfer::formats {

std::string write_tuning(const Tuning& tuning);
/// Throws Error(malformed) if the text is not a tuning or names an unknown kernel,
/// Error(unsupported) if its version is another.
Tuning read_tuning(std::string_view text);

}  // namespace mxinfer::formats
