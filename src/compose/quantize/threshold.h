// The magnitude up to which 8-bit values reach; larger ones are cut off to it.
//
//   threshold_of(statistics, {CalibrationMethod::percentile, 99.9}, 255);
#pragma once

#include <mxinfer/tools/calibration_method.h>

#include "compose/quantize/value_statistics.h"

namespace mxinfer::api {

struct ThresholdRule {
  CalibrationMethod method = CalibrationMethod::minmax;
  double percentile = 99.99;  ///< of CalibrationMethod::percentile
};

/// `levels` is how many steps above 0 there are: 127 of int8, 255 of uint8. 0 if all elements are 0.
float threshold_of(const ValueStatistics& statistics, const ThresholdRule& rule, int levels);

}  // namespace mxinfer::api
