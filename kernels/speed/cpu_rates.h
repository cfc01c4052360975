// The rates by which plans choose implementations: a table by CPU, and a row for each target for all others.
// They are not measured, so that two processes on one machine choose alike, whatever else it runs.
//
//   const MachineRates& rates = cpu_rates(this_cpu(), Target::avx512);
#pragma once

#include "kernels/common/target.h"
#include "kernels/common/work.h"
#include "kernels/speed/cpu_model.h"

namespace mxinfer::kernels {

/// The rates of one core. A target other than ref.
const MachineRates& cpu_rates(const CpuModel& cpu, Target target) noexcept;

/// Those of this CPU; of the row for all others if MXINFER_MAX_ISA limits the instruction set, so that
/// different CPUs choose alike.
const MachineRates& default_rates(Target target) noexcept;

}  // namespace mxinfer::kernels
