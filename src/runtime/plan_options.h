// What a plan is made for, of what a caller asks for.
#pragma once

#include <mxinfer/options.h>

#include "plan/plan.h"

namespace mxinfer::api {

/// Options::threads. Throws Error(invalid_argument) below 0, and above what any machine runs well: each
/// thread has scratch memory of its own.
int checked_threads(const Options& options);

/// Target and precision by name, the tuning file read and held against this machine; PlanOptions::warnings
/// says where it is of another. Throws what choose_target, choose_precision and load_tuning throw.
plan::PlanOptions plan_options(const Options& options, int threads);

}  // namespace mxinfer::api
