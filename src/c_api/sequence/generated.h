// Generated sequences as the caller sees them.
#pragma once

#include <mxinfer/sequence/generate_options.h>
#include <mxinfer_c/generator.h>

namespace mxinfer::c_api {

/// Borrows ids and text; struct_size is for write_struct to set.
mxinfer_generated_sequence struct_of(const Generated& generated);

}  // namespace mxinfer::c_api
