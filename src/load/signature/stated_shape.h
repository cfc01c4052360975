// The one reading of the shapes that files state for inputs: hints in the symbol file, descriptions in the
// archives of model servers, the form of MXNet's design document. Writers leave the batch out, or state that
// of some run; where the rest is not what the network's weights take, the weights decide.
//
//   const StatedShape read = read_stated_shape({3, 224, 224}, network);     // {-1, 3, 224, 224}, corrected
#pragma once

#include <mxinfer/shape.h>

#include <string>

#include "load/signature/network_inputs.h"

namespace mxinfer::api {

struct StatedShape {
  Shape shape;                ///< with -1 for the batch
  bool is_corrected = false;  ///< it is another than the file's, but for the size of the batch
};

/// `stated` is as the file has it, a size below 1 being open. `network` is what the network says of the
/// input; `layout` is the file's, or empty.
StatedShape read_stated_shape(const Shape& stated, const std::string& layout, const NetworkInput& network);

/// "the file states input 'data' as (3, 224, 224), and the network takes (-1, 3, 224, 224), ...": a warning.
std::string correction_of(const std::string& input, const Shape& stated, const Shape& read);

}  // namespace mxinfer::api
