#include "sequence/pad_batch.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/fail.h"
#include "tensor/floating.h"
#include "tensor/read_element.h"
#include "tensor/write_element.h"

namespace mxinfer::api {
namespace {

std::string place(const SequenceInput& input, const std::string& name) {
  return concat("input '", printable(input.name), "' of ", name);
}

bool is_sequence(const SequenceInput& input) {
  return input.role == SequenceRole::sequence || input.role == SequenceRole::beside;
}

// The shape of a sample, -1 for the time and for unknown sizes.
Shape sample_shape(const SequenceInput& input) {
  Shape shape = input.shape;
  if (input.axes.time) shape[*input.axes.time] = -1;
  if (input.axes.batch) shape.erase(*input.axes.batch);
  return shape;
}

void check_type(const SequenceInput& input, const std::string& name, const TensorView& given) {
  if (given.raw() == nullptr && given.shape().elements() > 0)
    fail(ErrorCode::invalid_argument, place(input, name), " was given a null pointer");
  if (given.device().type != DeviceType::cpu)
    fail(ErrorCode::invalid_argument, place(input, name), " was given GPU memory; expected CPU memory");
  if (given.dtype() != input.dtype) {
    fail(ErrorCode::invalid_argument, place(input, name), " was given ", to_string(given.dtype()), ", ",
         to_string(input.dtype), " is expected");
  }
  if (input.shape.rank() == 0) return;
  const Shape expected = sample_shape(input);
  const bool fits = given.shape().rank() == expected.rank() &&
                    std::equal(expected.begin(), expected.end(), given.shape().begin(),
                               [](std::int64_t stated, std::int64_t d) { return stated < 0 || stated == d; });
  if (fits) return;
  fail(ErrorCode::invalid_argument, place(input, name), " was given a sequence of shape ",
       to_string(given.shape()), ", ", to_string(expected), " is expected (-1 is free)");
}

void check_values(const SequenceInput& input, const std::string& name, const TensorView& given) {
  const char* of = is_sequence(input) ? " of the sequence" : "";
  if (!input.rows && !is_float(given.dtype())) return;
  const ElementReader read = element_reader(given.dtype());
  const std::int64_t count = given.shape().elements();
  const double rows = input.rows ? static_cast<double>(*input.rows) : 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = read(given.raw(), i);
    if (!std::isfinite(value)) {
      fail(ErrorCode::invalid_argument, place(input, name),
           " was given a number that is not finite at position ", i, of);
    }
    if (!input.rows || (value >= 0 && value < rows)) continue;
    fail(ErrorCode::invalid_argument, place(input, name), " was given the id ", value, " at position ", i, of,
         "; its Embedding has rows for 0 to ", *input.rows - 1);
  }
}

void check_length(const SequenceInput& input, const std::string& name, std::int64_t length) {
  if (holds(input.dtype, static_cast<double>(length))) return;
  fail(ErrorCode::invalid_argument, place(input, name), " takes the length of each sequence as ",
       to_string(input.dtype), ", which cannot hold ", length,
       "; give buckets that it can hold, or the input another dtype in LoadOptions::inputs");
}

void fill(Tensor& tensor, double value) {
  if (value == 0) return;  // tensors begin so
  const ElementWriter write = element_writer(tensor.dtype());
  const std::int64_t count = tensor.elements();
  for (std::int64_t i = 0; i < count; ++i) write(tensor.raw(), i, value);
}

}  // namespace

void check_item(const SequenceLayout& layout, const std::string& name, SequenceItem& item) {
  for (std::size_t i = 0; i < layout.inputs.size(); ++i) {
    const SequenceInput& input = layout.inputs[i];
    const TensorView& given = item.inputs[i];
    if (!is_given(given)) {
      if (is_sequence(input) || input.role == SequenceRole::other) {
        fail(ErrorCode::invalid_argument, place(input, name), " was not given");
      }
      continue;
    }
    if (input.role == SequenceRole::length) {
      fail(ErrorCode::invalid_argument, place(input, name),
           " takes the length of the sequence, which is set by itself; leave it out");
    }
    if (!input.axes.batch) {
      fail(ErrorCode::invalid_argument, place(input, name),
           " is a state without an axis of samples, and cannot be given");
    }
    check_type(input, name, given);
    if (input.role == SequenceRole::other) check_values(input, name, given);
    if (!is_sequence(input)) continue;
    const std::int64_t length = given.shape()[sample_time(input.axes)];
    if (length == 0)
      fail(ErrorCode::invalid_argument, place(input, name), " was given a sequence of length 0");
    if (input.role == SequenceRole::sequence) item.length = length;
    check_values(input, name, given);
  }
  for (std::size_t i = 0; i < layout.inputs.size(); ++i) {
    if (layout.inputs[i].role != SequenceRole::beside) continue;
    const std::int64_t length = item.inputs[i].shape()[sample_time(layout.inputs[i].axes)];
    if (length == item.length) continue;
    fail(ErrorCode::invalid_argument, place(layout.inputs[i], name), " was given a length of ", length,
         ", but the sequence is ", item.length, " long");
  }
}

void truncate_item(const SequenceLayout& layout, const Padding& padding, std::int64_t most,
                   SequenceItem& item, std::vector<Tensor>& owned) {
  if (item.length <= most) return;
  const std::int64_t from = padding.truncate_side == Side::left ? item.length - most : 0;
  for (std::size_t i = 0; i < layout.inputs.size(); ++i) {
    if (!is_sequence(layout.inputs[i])) continue;
    const Axes cut{std::nullopt, sample_time(layout.inputs[i].axes)};
    owned.push_back(take_row(item.inputs[i], cut, 0, from, most));
    item.inputs[i] = owned.back().view();
  }
  item.length = most;
}

void check_rows(const SequenceLayout& layout, const std::string& name, const SequenceItem& item,
                const std::vector<ops::TensorType>& types) {
  if (layout.length) check_length(layout.inputs[*layout.length], name, item.length);
  for (std::size_t i = 0; i < types.size(); ++i) {
    const SequenceInput& input = layout.inputs[i];
    const Shape& given = item.inputs[i].shape();
    if (!is_given(item.inputs[i]) || !input.axes.batch) continue;
    Shape expected = types[i].shape;
    expected.erase(*input.axes.batch);
    if (input.axes.time) {
      const std::size_t time = sample_time(input.axes);
      expected[time] = std::min(expected[time], item.length);
    }
    if (given == expected) continue;
    fail(ErrorCode::invalid_argument, place(input, name), " was given a sequence of shape ", to_string(given),
         ", ", to_string(expected), " is expected");
  }
}

std::vector<Tensor> pad_batch(const SequenceLayout& layout, const Padding& padding,
                              Span<const SequenceItem* const> items,
                              const std::vector<ops::TensorType>& types) {
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const SequenceInput& input = layout.inputs[i];
    inputs.emplace_back(types[i].dtype, types[i].shape);
    if (!input.axes.batch) continue;  // a state that is the same for all: zeros
    Tensor& batch = inputs.back();
    if (input.role == SequenceRole::sequence) fill(batch, padding.pad_value);
    const std::int64_t count = batch.shape()[*input.axes.batch];
    for (std::int64_t n = 0; n < count; ++n) {
      const SequenceItem& item = *items[std::min(static_cast<std::size_t>(n), items.size() - 1)];
      if (input.role == SequenceRole::length) {
        element_writer(batch.dtype())(batch.raw(), n, static_cast<double>(item.length));
        continue;
      }
      if (!is_given(item.inputs[i])) continue;
      const bool left = input.axes.time && padding.pad_side == Side::left;
      put_row(item.inputs[i], batch, input.axes, n, left ? batch.shape()[*input.axes.time] - item.length : 0);
    }
  }
  return inputs;
}

std::vector<Tensor> cut_outputs(const SequenceLayout& layout, const Padding& padding, bool cuts,
                                const std::vector<Tensor>& outputs, std::int64_t n, std::int64_t bucket,
                                std::int64_t length) {
  std::vector<Tensor> cut;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    Axes axes = layout.outputs[o].axes;
    const Shape& shape = outputs[o].shape();
    if (axes.batch && *axes.batch >= shape.rank()) axes.batch = std::nullopt;
    const bool shortens = cuts && axes.time && *axes.time < shape.rank() && shape[*axes.time] == bucket;
    if (!shortens) axes.time = std::nullopt;
    const std::int64_t from = padding.pad_side == Side::left ? bucket - length : 0;
    cut.push_back(take_row(outputs[o], axes, n, from, length));
  }
  return cut;
}

std::vector<std::int64_t> batch_sizes(std::int64_t count, std::int64_t most) {
  std::int64_t size = 1;
  while (size * 2 <= most) size *= 2;
  std::vector<std::int64_t> sizes;
  while (count > 0) {
    // The smallest size that holds all of them, unless more than a quarter of it would be empty.
    while (size > 1 && (size / 2 >= count || (size > count && (size - count) * 4 > size))) size /= 2;
    sizes.push_back(size);
    count -= std::min(count, size);
  }
  return sizes;
}

}  // namespace mxinfer::api
