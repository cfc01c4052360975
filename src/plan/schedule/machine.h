// The machine that this process runs on: what tells it from another, and how fast it computes and reads. The
// rates of one core are measured when the first plan is made: a few milliseconds, once for a process and a
// target; those of more threads when somebody asks what they are predicted to take. They change no bit of a
// result: docs/design/algorithms.md tells what they decide.
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
