#include "api/joint_prediction.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "base/fail.h"
#include "base/log.h"
#include "tensor/closeness.h"
#include "tensor/data_desc.h"

namespace mxinfer::api {
namespace {

using Impl = PredictorAccess::Impl;
using Call = Span<const TensorView>;

/// The shapes of the inputs with their rows in front; nothing if calls cannot be joined there.
std::optional<std::vector<Shape>> shapes_with_rows(const Impl& impl, Call call) {
  const ModelData& data = impl.data();
  if (data.takes_items || call.empty() || call.size() != data.signature.inputs.size()) return std::nullopt;
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < call.size(); ++i) {
    const Shape& shape = call[i].shape();
    shapes.push_back(lacks_batch(data, i, call[i]) ? with_batch(shape) : shape);
    const bool has_rows = shapes[i].rank() > 0 && shapes[i][0] > 0 && shapes[i][0] == shapes[0][0];
    if (is_left_out(call[i]) || !has_rows) return std::nullopt;
  }
  return shapes;
}

std::vector<Tensor> predict_joined(Impl& impl, Span<const Call> calls, const std::vector<Shape>& shapes) {
  std::vector<Tensor> inputs;
  std::vector<TensorView> views;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    Shape shape = shapes[i];
    shape[0] *= static_cast<std::int64_t>(calls.size());
    inputs.push_back(Tensor::uninitialized(calls[0][i].dtype(), shape));
    auto* to = static_cast<std::byte*>(inputs[i].raw());
    const std::size_t bytes = inputs[i].bytes() / calls.size();
    for (const Call& call : calls) {
      if (bytes > 0) std::memcpy(to, call[i].raw(), bytes);
      to += bytes;
    }
    views.push_back(inputs[i].view());
  }
  return impl.predict(Call(views));
}

/// Part `part` of `parts` of each output; nothing if they do not divide.
std::optional<std::vector<TensorView>> part_of(const std::vector<Tensor>& outputs, std::size_t part,
                                               std::size_t parts) {
  std::vector<TensorView> views;
  for (const Tensor& output : outputs) {
    Shape shape = output.shape();
    const auto count = static_cast<std::int64_t>(parts);
    if (shape.rank() == 0 || shape[0] % count != 0) return std::nullopt;
    shape[0] /= count;
    const auto* from = static_cast<const std::byte*>(output.raw());
    views.emplace_back(output.dtype(), shape, from + part * (output.bytes() / parts));
  }
  return views;
}

bool are_close(const std::vector<TensorView>& joined, const std::vector<Tensor>& alone, double tolerance) {
  return std::equal(
      joined.begin(), joined.end(), alone.begin(), alone.end(),
      [&](const TensorView& a, const Tensor& b) { return mxinfer::are_close(b.view(), a, tolerance); });
}

/// What joining gives; nothing if the network does not take it.
std::optional<std::vector<Tensor>> try_joined(Impl& impl, Span<const Call> calls,
                                              const std::vector<Shape>& shapes) {
  try {
    return predict_joined(impl, calls, shapes);
  } catch (const Error& e) {
    if (e.code() == ErrorCode::out_of_memory) throw;  // says nothing of the network
    return std::nullopt;
  }
}

/// The first batch of such inputs: the calls get what they get alone.
void compare_with_each_alone(Impl& impl, Span<const Call> calls, const std::vector<Shape>& shapes,
                             TakeOutputs take) {
  const double tolerance = impl.options.precision == Precision::float32 ? 1e-4 : 2e-2;
  const auto joined = try_joined(impl, calls, shapes);
  bool are_independent = joined.has_value();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::vector<Tensor> alone = impl.predict(calls[i]);
    const auto part = joined ? part_of(*joined, i, calls.size()) : std::nullopt;
    are_independent = are_independent && part && are_close(*part, alone, tolerance);
    const std::vector<TensorView> views(alone.begin(), alone.end());
    take(i, views);
  }
  impl.row_verdicts.keep(calls[0], are_independent);
  if (!are_independent) {
    log_message(
        LogLevel::warning, describe_model(impl.data()),
        ": its predictions run one by one in spite of AsyncOptions::max_batch, for the rows of a batch "
        "depend on each other");
  }
}

}  // namespace

void run_jointly(Impl& impl, Span<const Call> calls, TakeOutputs take) {
  const auto shapes = shapes_with_rows(impl, calls[0]);
  if (!shapes) return;
  const std::optional<bool> verdict = impl.row_verdicts.of(calls[0]);
  if (!verdict) {
    compare_with_each_alone(impl, calls, *shapes, take);
    return;
  }
  if (!*verdict) return;
  const std::vector<Tensor> joined = predict_joined(impl, calls, *shapes);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (const auto part = part_of(joined, i, calls.size())) take(i, *part);
  }
}

}  // namespace mxinfer::api
