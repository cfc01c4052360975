#include "sequence/sequences.h"

#include <mxinfer/error.h>

#include <utility>

#include "sequence/texts.h"

namespace mxinfer::python {
namespace nb = nanobind;
namespace {

bool is_list(nb::handle object) {
  return nb::isinstance<nb::list>(object) || nb::isinstance<nb::tuple>(object) ||
         nb::isinstance(object, nb::handle(reinterpret_cast<PyObject*>(&PyRange_Type)));
}

/// Lists that hold anything but whole numbers, such as [0.5, 1] and [[1, 2], [3, 4]], are arrays.
bool holds_ids(const nb::list& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const nb::object item = list[i];
    if (!is_id(item)) return false;
  }
  return true;
}

bool is_integer(const TensorView& view) {
  switch (view.dtype()) {
    case DType::float16:
    case DType::bfloat16:
    case DType::float32:
    case DType::float64:
    case DType::boolean:
      return false;
    default:
      return true;
  }
}

using Sequence = std::variant<SequenceArgument::Ids, HeldArray, NamedArrays>;

Sequence sequence_of(nb::handle sequence, const char* what, const Model& model) {
  const std::vector<DataDesc>& inputs = model.signature().inputs;
  const DType dtype = inputs.empty() ? DType::float32 : inputs[0].dtype;
  if (nb::isinstance<nb::dict>(sequence)) return NamedArrays(sequence, what, inputs, dtype);
  if (nb::isinstance<nb::str>(sequence) || nb::isinstance<nb::bytes>(sequence) || sequence.is_none()) {
    throw Error(ErrorCode::invalid_argument,
                std::string(what) + ": a " + class_name(sequence) +
                    " is none; expected a list of ids, an array (length, features...), or arrays by name");
  }
  if (is_list(sequence)) {
    const nb::list list = list_of(sequence, what);
    if (holds_ids(list)) return ids_of(list, what);
  }
  HeldArray array(sequence, {what, "", dtype});
  if (array.view().shape().rank() == 1 && is_integer(array.view())) return ids_of(sequence, what);
  return array;
}

const char* kind_of(const SequenceArgument& sequence) {
  if (sequence.ids() != nullptr) return "a list of ids";
  return sequence.named() != nullptr ? "arrays by name" : "an array";
}

}  // namespace

SequenceOptions sequence_options(const OptionFields& fields, const Options& common) {
  SequenceOptions options;
  options.options = common;
  fields.read("buckets", options.buckets, "a list of lengths");
  fields.choose("pad_side", options.pad_side, {{"left", Side::left}, {"right", Side::right}});
  fields.read("pad_value", options.pad_value, "a number");
  fields.choose("too_long", options.too_long, {{"truncate", TooLong::truncate}, {"error", TooLong::error}});
  fields.choose("truncate_side", options.truncate_side, {{"left", Side::left}, {"right", Side::right}});
  fields.read("sequence_input", options.sequence_input, "the name of an input");
  fields.read("length_input", options.length_input, "the name of an input");
  std::vector<std::pair<std::string, std::string>> states;
  fields.read("states", states, "a list of (input, output)");
  for (auto& [input, output] : states) options.states.push_back({std::move(input), std::move(output)});
  fields.read("cut_outputs", options.cut_outputs, "True or False");
  fields.read("max_batch", options.max_batch, "a whole number");
  return options;
}

SequenceArgument::SequenceArgument(nb::handle sequence, const char* what, const Model& model)
    : sequence_(sequence_of(sequence, what, model)) {}

SequenceArguments::SequenceArguments(const nb::list& sequences, const char* what, const Model& model,
                                     bool collect) {
  const char* kind = nullptr;
  items_ = read_items<SequenceArgument>(sequences, what, collect, [&](nb::handle item, const char* name) {
    SequenceArgument sequence(item, name, model);
    if (kind == nullptr) kind = kind_of(sequence);
    if (std::string(kind) != kind_of(sequence)) {
      throw Error(ErrorCode::invalid_argument, std::string(name) + " is " + kind_of(sequence) +
                                                   ", but the first one is " + kind +
                                                   "; those of one call are of one kind");
    }
    return sequence;
  });
  for (const SequenceArgument& sequence : items_.values) add(sequence);
}

void SequenceArguments::add(const SequenceArgument& sequence) {
  if (sequence.ids() != nullptr) {
    ids_.push_back(*sequence.ids());
  } else if (sequence.array() != nullptr) {
    views_.push_back(sequence.array()->view());
  } else {
    std::map<std::string, TensorView> views = sequence.named()->views();
    named_.emplace_back(views);
  }
}

}  // namespace mxinfer::python
