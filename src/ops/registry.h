// The operators this library knows, by name.
#pragma once

#include <string_view>
#include <vector>

#include "ops/op_def.h"

namespace mxinfer::ops {

/// The operator of that name or alias, nullptr where there is none. Thread-safe; the table is made at the
/// first call.
const OpDef* find_op(std::string_view name);

/// Every operator, sorted by name.
const std::vector<const OpDef*>& all_ops();

}  // namespace mxinfer::ops
