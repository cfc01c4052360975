#include "runtime/precision.h"

#include "base/fail.h"

namespace mxinfer::api {

kernels::Precision choose_precision(Precision option) {
  switch (option) {
    case Precision::float32:
      return kernels::Precision::float32;
    case Precision::bfloat16:
      return kernels::Precision::bfloat16;
  }
  fail(ErrorCode::invalid_argument, "Options::precision is ", static_cast<int>(option),
       ", which is no value of Precision");
}

}  // namespace mxinfer::api
