// What Step::kernel may say: the name of an implementation, and in brackets whose instructions its code uses.
#pragma once

#include <string>

#include "kernels/common/target.h"

namespace mxinfer::test {

/// "avx2" of "softmax_exp_rows_float32 [avx2]"; empty where there are no brackets at the end.
std::string instructions_of(const std::string& label);

/// What is wrong with the label of a step that was lowered for a target, empty if nothing is: a reference is
/// plain code; plain code names no instruction set, and vector code none better than what was asked for.
std::string label_fault(const std::string& label, kernels::Target asked);

}  // namespace mxinfer::test
