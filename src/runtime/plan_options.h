// Translates a caller's Options into plan options.
//
//   const int threads = checked_threads(options);
//   const plan::PlanOptions of_plans = plan_options(options, threads);
#pragma once

#include <mxinfer/options.h>

#include "pipeline/pipeline.h"
#include "plan/plan.h"
#include "runtime/memory_budget.h"

namespace mxinfer::runtime {

/// Options::threads. Throws Error(invalid_argument) if it is negative or above what any machine runs well:
/// each thread has its own scratch memory.
int checked_threads(const Options& options);

/// The option if it is not automatic, else the environment variable MXINFER_TARGET, else the best target of
/// this CPU. Throws Error(invalid_argument) if the variable names no target, Error(unsupported) if this CPU
/// lacks it.
kernels::Target choose_target(Target option);

/// Throws Error(invalid_argument) for a number that is not a precision.
kernels::Precision kernel_precision(Precision option);

/// The same. Throws Error(unsupported) for one that the device lacks; null: the CPU.
kernels::Precision choose_precision(Precision option, const device::Device* device = nullptr);

/// The goal for graphs that run in such plans.
passes::Goal goal_of(const plan::PlanOptions& options);

/// The memory limits of a predictor. Throws Error(invalid_argument) for a negative idle limit.
MemoryLimits memory_limits(const Options& options);

/// Target, devices and precision, and the tuning file if it was made on this machine for this target;
/// otherwise PlanOptions::warnings says so. Throws what choose_target, choose_precision, ops::open_devices
/// and load_tuning throw.
plan::PlanOptions plan_options(const Options& options, int threads);

}  // namespace mxinfer::runtime
