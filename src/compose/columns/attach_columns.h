// Attaches the columns of a table in front of an input of a network: each becomes an input of the model, goes
// through its steps, and is concatenated with the others to the network's features.
#pragma once

#include <mxinfer/tools/transforms.h>

#include <vector>

#include "compose/attach_transforms.h"
#include "compose/network.h"

namespace mxinfer::api {

/// Of the network's input `index`. Throws Error with the column and the step, or with every column's width if
/// their sum does not match the network.
void attach_columns(graph::Graph& graph, const Network& network, std::size_t index,
                    const std::vector<ColumnTransform>& columns, AttachedInputs& attached);

}  // namespace mxinfer::api
