// Counters as the structs of the C interface.
#pragma once

#include <mxinfer/async/call_metrics.h>
#include <mxinfer_c/metrics.h>

namespace mxinfer::c_api {

/// struct_size is for write_struct to set.
mxinfer_call_metrics metrics_of(const CallMetrics& metrics);

}  // namespace mxinfer::c_api
