#include "sequence/batch_rows.h"

#include <cstring>

namespace mxinfer::api {
namespace {

// Elements from one index of each dimension to the next.
Shape steps_of(const Shape& shape) {
  Shape steps = shape;
  std::int64_t step = 1;
  for (std::size_t i = shape.rank(); i > 0; --i) {
    steps[i - 1] = step;
    step *= shape[i - 1];
  }
  return steps;
}

// A block of elements in each of two arrays.
struct Block {
  Shape sizes;
  Shape from_steps, to_steps;
};

// The last dimensions that are dense in both arrays are copied at once.
void copy_block(const Block& block, std::size_t element, const std::byte* from, std::byte* to) {
  const std::size_t rank = block.sizes.rank();
  if (block.sizes.elements() == 0) return;
  std::int64_t run = 1;
  std::size_t outer = rank;
  while (outer > 0 && block.from_steps[outer - 1] == run && block.to_steps[outer - 1] == run)
    run *= block.sizes[--outer];
  const std::size_t bytes = static_cast<std::size_t>(run) * element;
  std::int64_t index[Shape::kMaxRank] = {};
  std::int64_t source = 0, target = 0;
  while (true) {
    std::memcpy(to + static_cast<std::size_t>(target) * element,
                from + static_cast<std::size_t>(source) * element, bytes);
    std::size_t i = outer;
    while (i > 0) {
      --i;
      source += block.from_steps[i];
      target += block.to_steps[i];
      if (++index[i] < block.sizes[i]) break;
      source -= block.from_steps[i] * block.sizes[i];
      target -= block.to_steps[i] * block.sizes[i];
      index[i] = 0;
      if (i == 0) return;
    }
    if (outer == 0) return;
  }
}

const std::byte* bytes_at(const TensorView& view, std::int64_t element) {
  return static_cast<const std::byte*>(view.raw()) +
         static_cast<std::size_t>(element) * size_of(view.dtype());
}

}  // namespace

std::size_t sample_time(const Axes& axes) {
  return axes.batch && *axes.batch < *axes.time ? *axes.time - 1 : *axes.time;
}

void put_row(const TensorView& sample, const MutableTensorView& batch, const Axes& axes, std::int64_t n,
             std::int64_t at) {
  Shape to_steps = steps_of(batch.shape());
  std::int64_t offset = n * to_steps[*axes.batch];
  if (axes.time) offset += at * to_steps[*axes.time];
  to_steps.erase(*axes.batch);
  const Block block{sample.shape(), steps_of(sample.shape()), to_steps};
  const std::size_t element = size_of(sample.dtype());
  copy_block(block, element, static_cast<const std::byte*>(sample.raw()),
             static_cast<std::byte*>(batch.raw()) + static_cast<std::size_t>(offset) * element);
}

Tensor take_row(const TensorView& value, const Axes& axes, std::int64_t n, std::int64_t from,
                std::int64_t count) {
  Shape sizes = value.shape();
  Shape from_steps = steps_of(value.shape());
  std::int64_t offset = 0;
  if (axes.time) {
    sizes[*axes.time] = count;
    offset += from * from_steps[*axes.time];
  }
  if (axes.batch) {
    offset += n * from_steps[*axes.batch];
    sizes.erase(*axes.batch);
    from_steps.erase(*axes.batch);
  }
  Tensor row = Tensor::uninitialized(value.dtype(), sizes);
  copy_block({sizes, from_steps, steps_of(sizes)}, size_of(value.dtype()), bytes_at(value, offset),
             static_cast<std::byte*>(row.raw()));
  return row;
}

void gather_rows(const TensorView& from, std::size_t batch, Span<const std::size_t> rows, Tensor& to) {
  Shape shape = from.shape();
  shape[batch] = static_cast<std::int64_t>(rows.size());
  if (to.dtype() != from.dtype() || to.shape() != shape) to = Tensor::uninitialized(from.dtype(), shape);
  Block row{shape, steps_of(from.shape()), steps_of(shape)};
  const std::int64_t from_step = row.from_steps[batch], to_step = row.to_steps[batch];
  row.sizes.erase(batch);
  row.from_steps.erase(batch);
  row.to_steps.erase(batch);
  const std::size_t element = size_of(from.dtype());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto at = static_cast<std::size_t>(static_cast<std::int64_t>(i) * to_step);
    copy_block(row, element, bytes_at(from, static_cast<std::int64_t>(rows[i]) * from_step),
               static_cast<std::byte*>(to.raw()) + at * element);
  }
}

Tensor join_times(Span<const TensorView> parts, std::size_t time) {
  Shape shape = parts[0].shape();
  shape[time] = 0;
  for (const TensorView& part : parts) shape[time] += part.shape()[time];
  Tensor joined = Tensor::uninitialized(parts[0].dtype(), shape);
  const Shape to_steps = steps_of(shape);
  const std::size_t element = size_of(joined.dtype());
  std::int64_t at = 0;
  for (const TensorView& part : parts) {
    copy_block(
        {part.shape(), steps_of(part.shape()), to_steps}, element, bytes_at(part, 0),
        static_cast<std::byte*>(joined.raw()) + static_cast<std::size_t>(at * to_steps[time]) * element);
    at += part.shape()[time];
  }
  return joined;
}

}  // namespace mxinfer::api
