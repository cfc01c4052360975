// Checks what a caller gives against the model's signature, and says what does not fit.
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

/// The dtype is the same, and the shape one that the descriptor, if it has one, allows.
bool fits(const DataDesc& desc, const ops::TensorType& type);

/// Count and dtypes; and rank and every dimension that the caller's own descriptor fixes. (What the file
/// merely hints at, or what was guessed, is left to the network itself.)
void check_inputs(const ModelData& model, Span<const TensorView> inputs);

/// What to do about inputs that the network has refused, of a model whose signature says more of them than
/// was checked: another dtype, or another batch than the one that is written into the network. Empty if
/// nothing of the kind is wrong. Infers shapes: for errors alone.
std::string advice_for(const ModelData& model, Span<const TensorView> inputs);

/// run(), with that advice in front of its errors.
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

/// The caller's memory has the types that the plan writes.
void check_outputs(const ModelData& model, const std::vector<ops::TensorType>& expected,
                   Span<const MutableTensorView> outputs);
/// The caller's flat arrays have the dtypes and counts of elements that the plan writes.
void check_flat_outputs(const ModelData& model, const std::vector<ops::TensorType>& expected,
                        Span<const MutableTensorView> outputs);

/// Inputs by name in the order of the signature. Unknown names are errors, but for inputs of the training,
/// and missing ones, but for optional inputs, which become views that are left out.
std::vector<TensorView> order_inputs(const ModelData& model, const std::map<std::string, TensorView>& inputs);

/// Outputs by name in the order of the signature; every one must be there, and no other name.
std::vector<MutableTensorView> order_outputs(const ModelData& model,
                                             const std::map<std::string, MutableTensorView>& outputs);

/// What to do without the labels that a model's loss reads, as the end of a message; empty if it reads none.
std::string without_labels(const ModelData& model);

/// An empty view, which stands for an optional input that is not given.
bool is_left_out(const TensorView& input);
/// Whether so many inputs are those that are not optional, and there are optional ones.
bool may_leave_out(const ModelData& model, std::size_t count);

/// The shape of a flat array of samples: the descriptor's, with the batch that the count of elements gives.
Shape shape_of_flat_array(const ModelData& model, std::size_t index, std::size_t count, std::size_t elements);

/// The inputs that plans are made for: the signature's, or of what is behind the items' transforms.
const std::vector<DataDesc>& plan_inputs(const ModelData& model);

/// Whether an input is one sample without its batch, of a model with transforms.
bool lacks_batch(const ModelData& model, std::size_t index, const TensorView& input);

/// "model 'digits'"
std::string describe_model(const ModelData& model);

}  // namespace mxinfer::api
