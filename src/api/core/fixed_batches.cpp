#include "api/core/fixed_batches.h"

#include <algorithm>
#include <cstring>

#include "base/fail.h"

namespace mxinfer::api {
namespace {

std::size_t bytes_of_row(const TensorView& rows) {
  const std::int64_t count = rows.shape()[0];
  return count == 0 ? 0 : static_cast<std::size_t>(rows.shape().elements() / count) * size_of(rows.dtype());
}

Shape of_rows(Shape shape, std::int64_t rows) {
  shape[0] = rows;
  return shape;
}

// `rows` rows from `begin` on, padded to `batch` with copies of the last one.
Tensor filled_up(const TensorView& all, std::int64_t begin, std::int64_t rows, std::int64_t batch) {
  Tensor result = Tensor::uninitialized(all.dtype(), of_rows(all.shape(), batch));
  const std::size_t row = bytes_of_row(all);
  const auto* from = static_cast<const std::byte*>(all.raw());
  auto* to = static_cast<std::byte*>(result.raw());
  for (std::int64_t i = 0; i < batch && row > 0; ++i) {
    const std::int64_t source = begin + std::min(i, rows - 1);
    std::memcpy(to + static_cast<std::size_t>(i) * row, from + static_cast<std::size_t>(source) * row, row);
  }
  return result;
}

void require_rows(const std::vector<Tensor>& made, std::int64_t batch, const std::vector<DataDesc>& outputs) {
  for (std::size_t o = 0; o < made.size(); ++o) {
    const Shape& shape = made[o].shape();
    if (shape.rank() > 0 && shape[0] == batch) continue;
    fail(ErrorCode::unsupported, "output '", o < outputs.size() ? printable(outputs[o].name) : "",
         "' has shape ", to_string(shape), " for a batch of ", batch,
         ", not one row for each sample, and the network accepts no other batch size; give full batches of ",
         batch, " to predict");
  }
}

void take_rows(const Tensor& from, std::int64_t begin, std::int64_t rows, Tensor& to) {
  const std::size_t row = bytes_of_row(to.view());
  if (row == 0) return;
  std::memcpy(static_cast<std::byte*>(to.raw()) + static_cast<std::size_t>(begin) * row, from.raw(),
              static_cast<std::size_t>(rows) * row);
}

}  // namespace

bool needs_filling(std::optional<std::int64_t> batch, Span<const TensorView> inputs) {
  return batch && !inputs.empty() && inputs[0].shape().rank() > 0 && inputs[0].shape()[0] > 0 &&
         inputs[0].shape()[0] != *batch;
}

std::vector<Tensor> run_in_batches(Span<const TensorView> inputs, std::int64_t batch,
                                   const std::vector<DataDesc>& outputs, RunBatch run) {
  const std::int64_t count = inputs[0].shape()[0];
  std::vector<Tensor> results;
  for (std::int64_t begin = 0; begin < count; begin += batch) {
    const std::int64_t rows = std::min(batch, count - begin);
    std::vector<Tensor> whole;
    for (const TensorView& input : inputs) whole.push_back(filled_up(input, begin, rows, batch));
    const std::vector<TensorView> views(whole.begin(), whole.end());
    const std::vector<Tensor> made = run(views);
    require_rows(made, batch, outputs);
    for (std::size_t o = 0; o < made.size(); ++o) {
      if (begin == 0)
        results.push_back(Tensor::uninitialized(made[o].dtype(), of_rows(made[o].shape(), count)));
      take_rows(made[o], begin, rows, results[o]);
    }
  }
  return results;
}

}  // namespace mxinfer::api
