// How the range of 8-bit values follows from those of samples (mxinfer/tools/quantize.h).
#pragma once

#include <mxinfer/export.h>

#include <cstdint>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// A rule for the magnitude up to which 8-bit values reach. Larger ones are cut off to it.
enum class CalibrationMethod : std::uint8_t {
  minmax,      ///< the largest magnitude
  entropy,     ///< the magnitude that keeps most of the distribution (Kullback-Leibler divergence)
  percentile,  ///< the magnitude that QuantizeOptions::percentile of a hundred elements do not exceed
};

/// Returns "minmax", "entropy" or "percentile".
MXINFER_API const char* to_string(CalibrationMethod method) noexcept;

}  // namespace MXINFER_ABI
}  // namespace mxinfer
