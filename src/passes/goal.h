// Goal: what a graph is optimised for.
#pragma once

#include "device/device.h"
#include "kernels/common/precision.h"
#include "kernels/common/target.h"

namespace mxinfer::passes {

struct Goal {
  kernels::Target target = kernels::Target::ref;  ///< constants are computed by its kernels
  kernels::Precision precision = kernels::Precision::float32;
  bool folds_constants = true;
  device::Kind device = device::Kind::cpu;
  bool has_bfloat16 = true;  ///< whether the device has instructions for products of it

  friend bool operator==(const Goal& a, const Goal& b) {
    return a.target == b.target && a.precision == b.precision && a.folds_constants == b.folds_constants &&
           a.device == b.device && a.has_bfloat16 == b.has_bfloat16;
  }
};

}  // namespace mxinfer::passes
