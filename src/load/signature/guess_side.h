// Finds the sides of images and the lengths of sequences that a network accepts, if its file does not state
// them.
#pragma once

#include <mxinfer/signature.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "model/guessed_side.h"

namespace mxinfer::api {

/// Whether a dimension besides the batch is free.
bool has_free_side(const DataDesc& input);

/// The usual one of the sides that fit with this batch, without `open_shapes`. `taken` is 0 if the size is
/// free; nullopt if none of the usual ones fits.
std::optional<GuessedSide> find_side(const graph::Graph& graph, const std::vector<DataDesc>& inputs,
                                     std::int64_t batch);

/// "input 'data': heights and widths of 42 to 49 fit, 48 is used; ...".
std::string warning_of(const GuessedSide& side, const Signature& signature);

}  // namespace mxinfer::api
