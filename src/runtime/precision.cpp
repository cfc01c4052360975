#include "runtime/precision.h"

#include "base/fail.h"
#include "passes/passes.h"

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

GraphAtPrecision::GraphAtPrecision(const graph::Graph& graph, kernels::Precision precision) : own_(graph) {
  if (precision == kernels::Precision::float32) return;
  lowered_ = graph;
  passes::lower_precision(*lowered_, precision);
}

}  // namespace mxinfer::api
