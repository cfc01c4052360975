// The machine that this process runs on: its identity, and how fast it computes and reads memory. The rates
// of one core are measured when the first plan is made, in a few milliseconds, once per process and target;
// those of more threads when predicted times are first requested. They do not change results;
// docs/design/algorithms.md describes what they decide.
#pragma once

#include <string>

#include "kernels/common/target.h"
#include "kernels/common/work.h"

namespace mxinfer::plan {

/// The name of the CPU, as the system has it.
const std::string& cpu_name();
/// The cores that this process may use.
int usable_cores();

/// Thread-safe. A target other than ref.
const kernels::MachineRates& machine_rates(kernels::Target target, int threads);

}  // namespace mxinfer::plan
