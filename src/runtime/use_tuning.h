// Options::tuning_file, read and held against this machine.
#pragma once

#include <mxinfer/options.h>
#include <mxinfer/tuning.h>

#include <memory>
#include <string>
#include <vector>

#include "kernels/common/target.h"

namespace mxinfer::api {

/// Null where there is none, or where it is of another machine or target, which `warnings` then says. Throws
/// what load_tuning throws.
std::shared_ptr<const Tuning> use_tuning(const Options& options, kernels::Target target,
                                         std::vector<std::string>& warnings);

}  // namespace mxinfer::api
