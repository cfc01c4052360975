// Interprets the shapes that files state for inputs: hints in the symbol file, descriptions in the archives
// of model servers, the form of MXNet's design document. Writers leave the batch out or state that of some
// run. If the rest contradicts the network's weights, the weights decide.
//
//   const StatedShape read = read_stated_shape({3, 224, 224}, network);     // {-1, 3, 224, 224}, corrected
#pragma once

#include <mxinfer/shape.h>

#include <string>

#include "load/signature/network_inputs.h"

namespace mxinfer::api {

struct StatedShape {
  Shape shape;                ///< with -1 for the batch
  bool is_corrected = false;  ///< it differs from the file's in more than the batch
};

/// `stated` is the file's shape, in which sizes below 1 are free. `network` is what the network reveals about
/// the input; `layout` is the file's, or empty.
StatedShape read_stated_shape(const Shape& stated, const std::string& layout, const NetworkInput& network);

/// A warning: "the file states input 'data' as (3, 224, 224), but the network takes (-1, 3, 224, 224), ...".
std::string correction_of(const std::string& input, const Shape& stated, const Shape& read);

}  // namespace mxinfer::api
