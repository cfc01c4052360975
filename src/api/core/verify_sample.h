// Runs a stored sample, and compares.
#pragma once

#include <mxinfer/model.h>
#include <mxinfer/tools/verify.h>

#include <memory>
#include <vector>

#include "formats/json/sample_json.h"

namespace mxinfer::api {

/// Compares the outputs of one run with the stored ones by the rule in mxinfer/tools/verify.h. `meanings` are
/// those of the outputs, in order. Throws Error(malformed) for the first difference.
std::vector<OutputCheck> compare_outputs(const std::vector<formats::NamedArray>& stored,
                                         const std::vector<Tensor>& computed,
                                         const std::vector<DataDesc>& outputs, bool is_quantized = false);

/// LoadOptions::verify: like mxinfer::verify, but a model without a sample passes.
void verify_on_load(const Model& model);

}  // namespace mxinfer::api
