// Checks a caller's inputs and outputs against the model's signature, and reports mismatches.
#pragma once

#include <mxinfer/model.h>

#include <map>
#include <string>
#include <vector>

#include "base/fail.h"
#include "model/model_data.h"

namespace mxinfer::api {

/// "'data', 'rois'"; "none" if there are none.
std::string names_of(const std::vector<DataDesc>& descs);

/// The dtype must match, and the shape must fit the descriptor's, if it has one.
bool fits(const DataDesc& desc, const ops::TensorType& type);

/// Checks count and dtypes, and rank and every dimension that the caller's own descriptor fixes. (The network
/// itself checks what the file only hints at or what was guessed.)
void check_inputs(const ModelData& model, Span<const TensorView> inputs);

/// Advice on inputs that the network rejected although they passed the checks: the dtype, the batch that is
/// written into the network, or the shape differs from the signature's. Empty if none is the cause. Infers
/// shapes, so use it only for errors.
std::string advice_for(const ModelData& model, Span<const TensorView> inputs);

/// Calls run() and prefixes its errors with that advice.
template <typename Run>
auto run_advised(const ModelData& model, Span<const TensorView> inputs, const Run& run) {
  try {
    return run();
  } catch (const Error& e) {
    const bool may_be_inputs = e.code() == ErrorCode::invalid_argument || e.code() == ErrorCode::unsupported;
    const std::string advice = may_be_inputs ? advice_for(model, inputs) : std::string();
    if (advice.empty()) throw;
    throw Error(e.code(), advice + kTrail + e.what());
  }
}

/// Checks that the caller's memory has the types that the plan writes.
void check_outputs(const ModelData& model, const std::vector<ops::TensorType>& expected,
                   Span<const MutableTensorView> outputs);
/// Checks that the caller's flat arrays have the dtypes and element counts that the plan writes.
void check_flat_outputs(const ModelData& model, const std::vector<ops::TensorType>& expected,
                        Span<const MutableTensorView> outputs);

/// Named inputs in the order of the signature. Unknown names are errors, except those of training inputs.
/// Missing inputs are errors, except optional ones, which become empty views.
std::vector<TensorView> order_inputs(const ModelData& model, const std::map<std::string, TensorView>& inputs);

/// Named outputs in the order of the signature. Every output must be present, and no other name.
std::vector<MutableTensorView> order_outputs(const ModelData& model,
                                             const std::map<std::string, MutableTensorView>& outputs);

/// The end of a message: how to predict without the labels that a model's loss reads. Empty if it reads none.
std::string without_labels(const ModelData& model);

/// An empty view, for an optional input that is not given.
bool is_left_out(const TensorView& input);
/// Whether `count` is the number of required inputs, and there are optional ones.
bool may_leave_out(const ModelData& model, std::size_t count);

/// The shape of a flat array of samples: the descriptor's, with the batch that follows from the number of
/// elements.
Shape shape_of_flat_array(const ModelData& model, std::size_t index, std::size_t count, std::size_t elements);

/// The inputs that plans are made for: those of the signature, or of the part behind the items' transforms.
const std::vector<DataDesc>& plan_inputs(const ModelData& model);

/// Whether an input is one sample without its batch, of a model with transforms.
bool lacks_batch(const ModelData& model, std::size_t index, const TensorView& input);

/// "model 'digits'"
std::string describe_model(const ModelData& model);

}  // namespace mxinfer::api
