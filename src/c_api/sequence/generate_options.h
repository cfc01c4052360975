// Options of generators, from the structs of the C interface.
#pragma once

#include <mxinfer/sequence/generate_options.h>
#include <mxinfer/settings.h>
#include <mxinfer_c/generator.h>

namespace mxinfer::c_api {

/// `settings` are those of the groups "run" and "queue". NULL: what the graph says.
GeneratorOptions generator_options_of(const mxinfer_generator_options* about, const Settings& settings);

/// NULL: the defaults. The arrays of `inputs` are borrowed.
GenerateOptions generate_options_of(const mxinfer_generate_options* options);

/// The way back, for a generator that was made: all points into its handle. struct_size is for write_struct
/// to set.
mxinfer_generator_options found_options(const mxinfer_sequence_generator& generator);

}  // namespace mxinfer::c_api
