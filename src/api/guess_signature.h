// Finds out what a network takes and gives: from the caller, from the hints in the file, and for what both
// leave open from the parameters: a first Convolution tells the channels, a first FullyConnected the
// elements, and trial inference which of the other dimensions are free.
#pragma once

#include <mxinfer/signature.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "ops/op_def.h"

namespace mxinfer::api {

/// What the network gives for shapes that fit the descriptors of its inputs.
struct Trial {
  std::vector<ops::TensorType> inputs;
  std::vector<ops::TensorType> outputs;
};

/// Sides of pictures, or lengths, that were told apart by trial only.
struct GuessedSide {
  std::int64_t taken = 0, lowest = 0, highest = 0;  ///< all from `lowest` to `highest` fit
  /// By input: the shape with that side left open; of rank 0 where it is not guessed.
  std::vector<Shape> open_shapes;
};

struct GuessedSignature {
  Signature signature;
  std::vector<bool> declared;        ///< by input: its descriptor is in `given`
  std::vector<bool> dtype_declared;  ///< by input: `given` or the file says its dtype
  std::vector<Trial> trials;         ///< several batches and sizes, those that the network takes
  std::optional<GuessedSide> side;   ///< where others than the one in the signature fit too
};

/// `graph` has its parameters bound and Node::input_index set. Throws Error(invalid_argument) for a
/// descriptor in `given` whose name is no input, or that fits no layout.
GuessedSignature guess_signature(const graph::Graph& graph, const std::vector<DataDesc>& given);

/// "input 'data': heights and widths of 42 to 49 fit, 48 is taken; ...".
std::string warning_of(const GuessedSide& side, const Signature& signature);

/// The batch of 1 and the sizes of a typical picture for free dimensions: a concrete shape to try.
Shape concrete_shape(const DataDesc& desc, std::int64_t batch, std::int64_t side);

}  // namespace mxinfer::api
