#include "model/check_inputs.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/fail.h"
#include "model/trial.h"
#include "passes/infer_outputs.h"
#include "tensor/data_desc.h"

namespace mxinfer::api {
namespace {

std::string advice_for_shape(const DataDesc& desc, const Shape& given) {
  return concat("input '", printable(desc.name), "' has shape ", to_string(given), ", ",
                desc.is_guess ? "a shape such as " : "", to_string(desc.shape), " is expected (-1 is free)");
}

void check_input(const DataDesc& desc, bool declared, bool dtype_declared, const TensorView& input) {
  if (dtype_declared && input.dtype() != desc.dtype) {
    fail(ErrorCode::invalid_argument, "input '", printable(desc.name), "' is ", to_string(input.dtype()),
         ", ", to_string(desc.dtype), " is expected: convert it first (with NumPy: array.astype(\"",
         to_string(desc.dtype), "\"))");
  }
  if (declared && desc.shape.rank() > 0 && !fits(desc.shape, input.shape()))
    fail(ErrorCode::invalid_argument, advice_for_shape(desc, input.shape()));
  if (input.device() != Device{}) {
    fail(ErrorCode::invalid_argument, "input '", printable(desc.name), "' is in the memory of ",
         to_string(input.device()), "; give host memory, or call predict_on_device");
  }
  if (input.raw() == nullptr && input.shape().elements() > 0) {
    fail(ErrorCode::invalid_argument, "input '", printable(desc.name), "' has no data (a null pointer)");
  }
}

std::size_t required_count(const std::vector<DataDesc>& descs) {
  return static_cast<std::size_t>(
      std::count_if(descs.begin(), descs.end(), [](const DataDesc& desc) { return !desc.is_optional; }));
}

[[noreturn]] void refuse_count(const ModelData& model, std::size_t count) {
  const std::vector<DataDesc>& descs = model.signature.inputs;
  const std::size_t required = required_count(descs);
  const std::string fewer = required == descs.size()
                                ? ""
                                : concat("; or ", required, ", without those that are zeros if not given");
  fail(ErrorCode::invalid_argument, count, count == 1 ? " input was" : " inputs were", " given, ",
       descs.size(), descs.size() == 1 ? " is" : " are", " expected: ", names_of(descs), fewer,
       count < descs.size() ? without_labels(model) : "");
}

}  // namespace

std::string names_of(const std::vector<DataDesc>& descs) {
  std::string names;
  for (const DataDesc& desc : descs) names += (names.empty() ? "'" : ", '") + printable(desc.name) + "'";
  return names.empty() ? "none" : names;
}

bool fits(const DataDesc& desc, const ops::TensorType& type) {
  if (desc.dtype != type.dtype) return false;
  return desc.shape.rank() == 0 || fits(desc.shape, type.shape);
}

void check_inputs(const ModelData& model, Span<const TensorView> inputs) {
  const auto& descs = model.signature.inputs;
  if (inputs.size() != descs.size()) refuse_count(model, inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    check_input(descs[i], model.declared[i], model.dtype_declared[i], inputs[i]);
}

namespace {

bool takes_types(const ModelData& model, const std::vector<ops::TensorType>& types) {
  try {
    (void)passes::infer_outputs(model.graph, types);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::string advice_for_dtype(const DataDesc& desc, const TensorView& input) {
  return concat("input '", printable(desc.name), "' must be ", to_string(desc.dtype), ", and ",
                to_string(input.dtype()), " was given: convert it first (with NumPy: array.astype(\"",
                to_string(desc.dtype),
                "\")), or say in LoadOptions::inputs (--describe) that it has another dtype");
}

// Whether the shape is the signature's except for the number of samples.
bool has_other_batch(const DataDesc& desc, const Shape& given) {
  const auto axis = desc.shape.rank() > 0 ? batch_axis(desc) : std::nullopt;
  if (!axis || given.rank() != desc.shape.rank() || desc.shape[*axis] < 1) return false;
  if (given[*axis] == desc.shape[*axis]) return false;
  Shape as_it_should = given;
  as_it_should[*axis] = desc.shape[*axis];
  return fits(desc.shape, as_it_should);
}

std::string advice_for_batch(const DataDesc& desc, const Shape& given) {
  const std::size_t axis = *batch_axis(desc);
  return concat("input '", printable(desc.name), "' has a batch of ", given[axis], ", in shape ",
                to_string(given), ", but the network accepts only batches of ", desc.shape[axis],
                ": pad or cut it to ", to_string(desc.shape));
}

// The descriptor's shape, with the given sizes where it leaves them free; a batch of 1 if that alone is
// missing.
Shape as_described(const DataDesc& desc, Shape given) {
  const auto axis = desc.shape.rank() > 0 ? batch_axis(desc) : std::nullopt;
  if (axis && given.rank() + 1 == desc.shape.rank()) given.insert(*axis, 1);
  if (given.rank() != desc.shape.rank()) given = Shape(std::vector<std::int64_t>(desc.shape.rank(), 1));
  for (std::size_t i = 0; i < given.rank(); ++i)
    if (desc.shape[i] >= 0) given[i] = desc.shape[i];
  return given;
}

}  // namespace

std::string advice_for(const ModelData& model, Span<const TensorView> inputs) {
  const auto& descs = model.signature.inputs;
  if (model.takes_items || inputs.size() != descs.size()) return "";
  std::vector<ops::TensorType> types, described;
  std::string of_dtypes, of_batches, of_shapes;
  for (std::size_t i = 0; i < descs.size(); ++i) {
    types.push_back({descs[i].dtype, inputs[i].shape()});
    described.push_back(types.back());
    if (descs[i].shape.rank() > 0 && !is_left_out(inputs[i]) && !fits(descs[i].shape, inputs[i].shape())) {
      described.back().shape = as_described(descs[i], inputs[i].shape());
      if (of_shapes.empty()) of_shapes = advice_for_shape(descs[i], inputs[i].shape());
    }
    if (of_dtypes.empty() && inputs[i].dtype() != descs[i].dtype)
      of_dtypes = advice_for_dtype(descs[i], inputs[i]);
    if (of_batches.empty() && has_other_batch(descs[i], inputs[i].shape()))
      of_batches = advice_for_batch(descs[i], inputs[i].shape());
  }
  if (!of_batches.empty()) return of_batches;
  if (!of_dtypes.empty() && takes_types(model, types)) return of_dtypes;
  return !of_shapes.empty() && takes_types(model, described) ? of_shapes : std::string();
}

namespace {

void check_output_count(const std::vector<DataDesc>& descs, std::size_t expected, std::size_t given) {
  if (given == expected) return;
  fail(ErrorCode::invalid_argument, given, given == 1 ? " output was" : " outputs were", " given, ", expected,
       expected == 1 ? " is" : " are", " expected: ", names_of(descs));
}

void check_output_memory(const DataDesc& desc, const ops::TensorType& expected,
                         const MutableTensorView& output) {
  if (output.device() != Device{}) {
    fail(ErrorCode::invalid_argument, "the memory for output '", printable(desc.name), "' is of ",
         to_string(output.device()), "; give host memory, or call predict_on_device");
  }
  if (output.raw() != nullptr || expected.shape.elements() == 0) return;
  fail(ErrorCode::invalid_argument, "output '", printable(desc.name),
       "' was given no memory (a null pointer)");
}

}  // namespace

void check_outputs(const ModelData& model, const std::vector<ops::TensorType>& expected,
                   Span<const MutableTensorView> outputs) {
  const auto& descs = model.signature.outputs;
  check_output_count(descs, expected.size(), outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const ops::TensorType given{outputs[i].dtype(), outputs[i].shape()};
    if (given != expected[i]) {
      fail(ErrorCode::invalid_argument, "the memory for output '", printable(descs[i].name), "' is ",
           ops::to_string(given), ", ", ops::to_string(expected[i]), " is expected");
    }
    check_output_memory(descs[i], expected[i], outputs[i]);
  }
}

void check_flat_outputs(const ModelData& model, const std::vector<ops::TensorType>& expected,
                        Span<const MutableTensorView> outputs) {
  const auto& descs = model.signature.outputs;
  check_output_count(descs, expected.size(), outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const bool fits = outputs[i].dtype() == expected[i].dtype &&
                      outputs[i].shape().elements() == expected[i].shape.elements();
    if (!fits) {
      fail(ErrorCode::invalid_argument, "the array for output '", printable(descs[i].name), "' has ",
           outputs[i].shape().elements(), " elements of ", to_string(outputs[i].dtype()), "; the output is ",
           ops::to_string(expected[i]), ", which are ", expected[i].shape.elements());
    }
    check_output_memory(descs[i], expected[i], outputs[i]);
  }
}

std::vector<MutableTensorView> order_outputs(const ModelData& model,
                                             const std::map<std::string, MutableTensorView>& outputs) {
  const auto& descs = model.signature.outputs;
  std::vector<MutableTensorView> ordered;
  for (const DataDesc& desc : descs) {
    const auto found = outputs.find(desc.name);
    if (found == outputs.end()) {
      fail(ErrorCode::invalid_argument, "output '", printable(desc.name),
           "' was given no memory; the network's outputs are ", names_of(descs));
    }
    ordered.push_back(found->second);
  }
  if (ordered.size() == outputs.size()) return ordered;
  for (const auto& [name, view] : outputs) {
    const bool known = std::any_of(descs.begin(), descs.end(),
                                   [&name = name](const DataDesc& desc) { return desc.name == name; });
    if (known) continue;
    fail(ErrorCode::not_found, "the network has no output '", printable(name), "'; its outputs are ",
         names_of(descs));
  }
  return ordered;
}

std::vector<TensorView> order_inputs(const ModelData& model,
                                     const std::map<std::string, TensorView>& inputs) {
  const auto& descs = model.signature.inputs;
  std::set<std::string_view> known;
  for (const DataDesc& desc : descs) known.insert(desc.name);
  for (const auto& [name, view] : inputs) {
    if (known.count(name) > 0 || model.training_inputs.count(name) > 0) continue;
    fail(ErrorCode::invalid_argument, "the network has no input '", printable(name), "'; its inputs are ",
         names_of(descs));
  }
  std::vector<TensorView> ordered;
  for (const DataDesc& desc : descs) {
    const auto found = inputs.find(desc.name);
    if (found == inputs.end() && !desc.is_optional) {
      fail(ErrorCode::invalid_argument, "input '", printable(desc.name),
           "' was not given; the network's inputs are ", names_of(descs),
           model.labels_of_loss.count(desc.name) > 0 ? without_labels(model) : "");
    }
    ordered.push_back(found == inputs.end() ? TensorView() : found->second);
  }
  return ordered;
}

std::string without_labels(const ModelData& model) {
  if (model.labels_of_loss.empty()) return {};
  std::string labels;
  for (const std::string& name : model.labels_of_loss)
    labels += (labels.empty() ? "'" : ", '") + printable(name) + "'";
  const std::string value = printable(model.value_before_loss);
  return concat(
      ". The network ends in a loss, which reads ", labels,
      "; to predict without it, take the value before the loss: load the model with LoadOptions::outputs = ",
      value);
}

bool is_left_out(const TensorView& input) {
  return input.raw() == nullptr && input.shape().rank() == 0;
}

bool may_leave_out(const ModelData& model, std::size_t count) {
  const auto& descs = model.signature.inputs;
  return count < descs.size() && count == required_count(descs);
}

namespace {

// The descriptor of input `index` of `count`.
const DataDesc& desc_of(const ModelData& model, std::size_t index, std::size_t count) {
  const auto& descs = model.signature.inputs;
  if (!may_leave_out(model, count)) return descs[index];
  std::size_t required = 0;
  for (const DataDesc& desc : descs) {
    if (!desc.is_optional && required++ == index) return desc;
  }
  return descs[index];
}

// The shape of one sample, as far as it is known.
Shape sample_of(const DataDesc& desc) {
  const auto axis = batch_axis(desc);
  Shape shape = desc.shape;
  if (axis) shape[*axis] = 1;
  return shape;
}

// Whether that many elements can only be one sample of the guessed size.
bool is_one_sample(const ModelData& model, std::size_t input, std::int64_t elements) {
  const DataDesc& desc = model.signature.inputs[input];
  const GuessedSide& side = *model.guessed_side;
  if (elements != sample_of(desc).elements()) return false;
  for (std::int64_t other = side.lowest; other <= side.highest; ++other) {
    const DataDesc open{desc.name, side.open_shapes[input], desc.dtype, desc.layout, desc.meaning};
    const std::int64_t sample = concrete_shape(open, 1, other).elements();
    if (other != side.taken && (sample == 0 || elements % sample == 0)) return false;
  }
  return true;
}

void refuse_guess(const ModelData& model, const DataDesc& desc, std::int64_t elements) {
  const auto input = static_cast<std::size_t>(&desc - model.signature.inputs.data());
  if (!desc.is_guess || is_one_sample(model, input, elements)) return;
  const GuessedSide& side = *model.guessed_side;
  fail(ErrorCode::invalid_argument, "input '", printable(desc.name), "' was given ", elements,
       " elements, but the size of a sample was only guessed: ", side.lowest, " to ", side.highest, " fit, ",
       side.taken, " was used, for which a sample ", to_string(sample_of(desc)), " has ",
       sample_of(desc).elements(),
       "; state it in LoadOptions::inputs (--describe) or sign the model, or give a tensor, which has a "
       "shape");
}

}  // namespace

Shape shape_of_flat_array(const ModelData& model, std::size_t index, std::size_t count,
                          std::size_t elements) {
  const auto& descs = model.signature.inputs;
  if (count != descs.size() && !may_leave_out(model, count)) refuse_count(model, count);
  const DataDesc& desc = desc_of(model, index, count);
  if (is_file(desc.meaning)) return {static_cast<std::int64_t>(elements)};
  const auto axis = batch_axis(desc);
  Shape shape = sample_of(desc);
  const bool known =
      shape.rank() > 0 && std::all_of(shape.begin(), shape.end(), [](std::int64_t d) { return d >= 0; });
  if (!known) {
    fail(ErrorCode::invalid_argument, "input '", printable(desc.name), "' has shape ", to_string(desc.shape),
         ", so the shape of a flat array is not known; describe the input in LoadOptions::inputs, or give a "
         "tensor");
  }
  const std::int64_t sample = shape.elements();
  const auto given = static_cast<std::int64_t>(elements);
  refuse_guess(model, desc, given);
  const bool whole = axis ? sample > 0 && given > 0 && given % sample == 0 : given == sample;
  if (!whole) {
    fail(ErrorCode::invalid_argument, "input '", printable(desc.name), "' was given ", given,
         " elements; one sample ", to_string(shape), " has ", sample,
         axis ? ", and a batch a multiple of that" : "");
  }
  if (axis) shape[*axis] = given / sample;
  return shape;
}

const std::vector<DataDesc>& plan_inputs(const ModelData& model) {
  return model.takes_items ? model.rest_inputs : model.signature.inputs;
}

bool lacks_batch(const ModelData& model, std::size_t index, const TensorView& input) {
  if (!model.stages || index >= model.signature.inputs.size()) return false;
  const DataDesc& desc = model.signature.inputs[index];
  return batch_axis(desc) == 0 && input.shape().rank() + 1 == desc.shape.rank();
}

std::string describe_model(const ModelData& model) {
  return "model '" + printable(model.name) + "'";
}

}  // namespace mxinfer::api
