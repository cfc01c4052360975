#include "sequence/input_roles.h"

#include <algorithm>

#include "base/fail.h"
#include "model/check_inputs.h"
#include "sequence/check_options.h"
#include "sequence/input_trace.h"

namespace mxinfer::api {
namespace {

std::optional<std::size_t> axis_of(const DataDesc& desc, char letter) {
  const std::size_t at = desc.layout.find(letter);
  return at == std::string::npos || desc.layout.size() != desc.shape.rank() ? std::nullopt
                                                                            : std::optional(at);
}

// That of T; of a convolution's NCW, that of W.
std::optional<std::size_t> stated_time(const DataDesc& desc) {
  if (const auto time = axis_of(desc, 'T')) return time;
  return desc.shape.rank() == 3 && axis_of(desc, 'H') == std::nullopt ? axis_of(desc, 'W') : std::nullopt;
}

InputTrace trace_of(const SequenceNetwork& network, std::size_t input) {
  return trace_input(*network.graph, variable_of(*network.graph, input));
}

// As GluonNLP exports BERT: tokens, their segments, and how many there are.
bool are_of_bert(const SequenceNetwork& network) {
  const auto& descs = network.inputs;
  return descs.size() == 3 && descs[0].name == "data0" && descs[1].name == "data1" &&
         descs[2].name == "data2" && trace_of(network, 0).rows && trace_of(network, 1).rows &&
         !trace_of(network, 2).rows && descs[2].shape.rank() <= 1;
}

// By its name, by what reads it, or in BERT by its place.
std::optional<std::size_t> find_length(const SequenceNetwork& network, const SequenceOptions& options,
                                       const SequenceLayout& layout) {
  const auto& descs = network.inputs;
  const auto first_with = [&](const auto& is_it) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < descs.size(); ++i) {
      const bool is_open =
          layout.inputs[i].role == SequenceRole::other && descs[i].name != options.sequence_input;
      if (is_open && is_it(i)) return i;
    }
    return std::nullopt;
  };
  if (const auto named = first_with([&](std::size_t i) { return is_length_name(descs[i].name); }))
    return named;
  if (const auto read = first_with([&](std::size_t i) { return trace_of(network, i).is_length; }))
    return read;
  return are_of_bert(network) ? first_with([](std::size_t i) { return i == 2; }) : std::nullopt;
}

void mark(const SequenceNetwork& network, const SequenceOptions& options, SequenceLayout& layout) {
  const auto& descs = network.inputs;
  if (!options.states.empty()) {
    for (const StateNames& state : options.states)
      layout.inputs[index_named(descs, state.input, "SequenceOptions::states", "input", network.name)].role =
          SequenceRole::state;
  } else {
    for (std::size_t i = 0; i < descs.size(); ++i) {
      if (descs[i].is_optional && descs[i].name != options.sequence_input)
        layout.inputs[i].role = SequenceRole::state;
    }
  }
  if (!options.length_input.empty()) {
    layout.length =
        index_named(descs, options.length_input, "SequenceOptions::length_input", "input", network.name);
  } else {
    layout.length = find_length(network, options, layout);
  }
  if (layout.length) layout.inputs[*layout.length].role = SequenceRole::length;
}

void find_sequence(const SequenceNetwork& network, const SequenceOptions& options, SequenceLayout& layout) {
  if (!options.sequence_input.empty()) {
    layout.sequence = index_named(network.inputs, options.sequence_input, "SequenceOptions::sequence_input",
                                  "input", network.name);
    if (layout.inputs[layout.sequence].role != SequenceRole::other) {
      fail(ErrorCode::invalid_argument, "SequenceOptions name input '", printable(options.sequence_input),
           "' of ", network.name, " both as the sequence and as a length or a state");
    }
  } else {
    const auto found = std::find_if(layout.inputs.begin(), layout.inputs.end(),
                                    [](const auto& input) { return input.role == SequenceRole::other; });
    if (found == layout.inputs.end()) {
      fail(ErrorCode::invalid_argument, network.name,
           " has no input that takes a sequence, only lengths and states (", names_of(network.inputs),
           "); name it in SequenceOptions::sequence_input");
    }
    layout.sequence = static_cast<std::size_t>(found - layout.inputs.begin());
  }
  layout.inputs[layout.sequence].role = SequenceRole::sequence;
}

// The shape as far as it is known, with the rank that the first readers tell.
void describe_sequence(const SequenceNetwork& network, const DataDesc& desc, const InputTrace& trace,
                       SequenceInput& input) {
  input.shape = desc.shape;
  input.rows = trace.rows;
  if (desc.shape.rank() == 0 && trace.rows) input.shape = {-1, -1};
  if (desc.shape.rank() == 0 && !trace.rows && trace.features) input.shape = {-1, -1, *trace.features};
  if (input.shape.rank() == 3 && desc.layout.empty() && input.shape[2] < 0 && trace.features)
    input.shape[2] = *trace.features;
  if (input.shape.rank() < 2) {
    fail(ErrorCode::invalid_argument, "input '", printable(desc.name), "' of ", network.name,
         " takes sequences, but ",
         desc.shape.rank() == 0 ? "its shape does not follow from the network"
                                : concat("its shape ", to_string(desc.shape), " has no axis of time"),
         "; describe it in LoadOptions::inputs (--describe), such as {\"", printable(desc.name),
         "\", {-1, -1, 80}, DType::float32, \"NTC\"}");
  }
  const auto batch = axis_of(desc, 'N');
  const auto time = stated_time(desc);
  const std::size_t guessed = trace.time_axis.value_or(1);
  input.axes.time = time ? *time : batch && *batch <= 1 ? 1 - *batch : guessed;
  input.axes.batch = batch ? *batch : *input.axes.time == 0 ? 1U : 0U;
}

// Of an input that takes one value for each sequence, or for each time of it.
void describe_other(const DataDesc& desc, const InputTrace& trace, const SequenceInput& sequence,
                    SequenceInput& input) {
  input.shape = desc.shape;
  input.rows = trace.rows;
  const auto time = stated_time(desc);
  const bool has_time = time || (desc.layout.empty() && desc.shape.rank() == 0) ||
                        (desc.layout.empty() && desc.shape.rank() >= 2 &&
                         desc.shape.rank() > *sequence.axes.time && desc.shape[*sequence.axes.time] < 0);
  input.axes.batch = axis_of(desc, 'N').value_or(0);
  if (!has_time) return;
  input.role = SequenceRole::beside;
  if (desc.shape.rank() == 0) input.shape = {-1, -1};
  input.axes.time = time ? *time : *sequence.axes.time;
  if (!axis_of(desc, 'N')) input.axes.batch = *input.axes.time == 0 ? 1U : 0U;
}

}  // namespace

bool is_length_name(std::string_view name) {
  return name == "length" || name.ends_with("_length");
}

void find_roles(const SequenceNetwork& network, const SequenceOptions& options, SequenceLayout& layout) {
  const auto& descs = network.inputs;
  for (const DataDesc& desc : descs)
    layout.inputs.push_back({desc.name, SequenceRole::other, desc.dtype, {}, {}, {}});
  mark(network, options, layout);
  find_sequence(network, options, layout);
  SequenceInput& sequence = layout.inputs[layout.sequence];
  describe_sequence(network, descs[layout.sequence], trace_of(network, layout.sequence), sequence);
  for (std::size_t i = 0; i < descs.size(); ++i) {
    SequenceInput& input = layout.inputs[i];
    switch (input.role) {
      case SequenceRole::sequence:
      case SequenceRole::beside:
        break;
      case SequenceRole::length:
        input.shape = descs[i].shape.rank() > 0 ? descs[i].shape : Shape{-1};
        input.axes.batch = 0;
        break;
      case SequenceRole::state:
        input.shape = descs[i].shape;  // rank 0: not known
        input.axes.batch = axis_of(descs[i], 'N');
        break;
      case SequenceRole::other:
        describe_other(descs[i], trace_of(network, i), sequence, input);
        break;
    }
  }
}

}  // namespace mxinfer::api
