#include "api/core/joint_prediction.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "base/fail.h"
#include "base/log.h"
#include "ops/tensor_type.h"
#include "tensor/closeness.h"
#include "tensor/data_desc.h"
#include "tensor/floating.h"

namespace mxinfer::api {
namespace {

using Impl = PredictorAccess::Impl;
using Call = Span<const TensorView>;

/// Whether the batch is the first dimension of every input, and sizes depend only on shapes.
bool takes_batches(const Impl& impl) {
  const auto& inputs = impl.data().signature.inputs;
  return !impl.data().takes_items && impl.executor.is_whole() &&
         std::all_of(inputs.begin(), inputs.end(),
                     [](const DataDesc& desc) { return batch_axis(desc) == std::size_t{0}; });
}

bool lacks_memory(const TensorView& input) {
  return input.raw() == nullptr && input.shape().elements() > 0;
}

/// The shapes of the inputs with the rows of all calls; nullopt if calls cannot be joined.
std::optional<std::vector<Shape>> shapes_with_rows(const Impl& impl, Call call) {
  const ModelData& data = impl.data();
  if (!takes_batches(impl) || call.size() != data.signature.inputs.size()) return std::nullopt;
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

/// Part `part` of `parts` of each output; nullopt if they do not divide evenly.
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

/// Inputs of a call's types that differ from the call's: zeros, or other values where the call has zeros.
std::vector<Tensor> other_inputs(Call call) {
  std::vector<Tensor> inputs;
  for (const TensorView& view : call) {
    inputs.emplace_back(view.dtype(), view.shape());
    Tensor& input = inputs.back();
    const bool is_same = input.bytes() > 0 && std::memcmp(input.raw(), view.raw(), input.bytes()) == 0;
    if (is_same && is_float(view.dtype())) std::memset(input.raw(), 0x3f, input.bytes());
  }
  return inputs;
}

/// The outputs of the joined calls; nullopt if the network rejects them.
std::optional<std::vector<Tensor>> try_joined(Impl& impl, Span<const Call> calls,
                                              const std::vector<Shape>& shapes) {
  try {
    return predict_joined(impl, calls, shapes);
  } catch (const Error& e) {
    if (e.code() == ErrorCode::out_of_memory) throw;  // says nothing about the network
    return std::nullopt;
  }
}

/// The first batch of such inputs: the calls get their results from running alone. In the batch for
/// comparison, other rows replace those of the last call: if all calls were equal, every row would fit every
/// call.
void compare_with_each_alone(Impl& impl, Span<const Call> calls, const std::vector<Shape>& shapes,
                             TakeOutputs take) {
  const double tolerance = impl.options.precision == Precision::float32 ? 1e-4 : 2e-2;
  const std::vector<Tensor> others = other_inputs(calls[0]);
  const std::vector<TensorView> last(others.begin(), others.end());
  std::vector<Call> compared(calls.begin(), calls.end());
  compared.back() = Call(last);
  const auto joined = try_joined(impl, compared, shapes);
  bool are_independent = joined.has_value();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::vector<Tensor> alone = impl.predict(calls[i]);
    const auto part = joined ? part_of(*joined, i, calls.size()) : std::nullopt;
    const bool is_other = i + 1 == calls.size();
    are_independent = are_independent && part && (is_other || are_close(*part, alone, tolerance));
    const std::vector<TensorView> views(alone.begin(), alone.end());
    take(i, views);
  }
  impl.row_verdicts.keep(calls[0], are_independent);
  if (!are_independent) say_that_rows_run_alone(impl);
}

// Once for each kind of call.
void say_that_the_batch_is_fixed(Impl& impl, Call call) {
  if (impl.row_verdicts.of(call)) return;
  impl.row_verdicts.keep(call, false);
  log_message(LogLevel::warning, describe_model(impl.data()),
              ": its predictions run one by one despite AsyncOptions::max_batch, because the network accepts "
              "only batches of ",
              *impl.network_batch, " alone");
}

}  // namespace

void say_that_rows_run_alone(const Impl& impl) {
  log_message(LogLevel::warning, describe_model(impl.data()),
              ": its predictions run one by one despite AsyncOptions::max_batch, because a batch does not "
              "give the same results as single predictions");
}

void run_jointly(Impl& impl, Span<const Call> calls, TakeOutputs take) {
  if (impl.network_batch) return say_that_the_batch_is_fixed(impl, calls[0]);
  const auto shapes = shapes_with_rows(impl, calls[0]);
  const bool lacks_any = std::any_of(calls.begin(), calls.end(), [](const Call& call) {
    return std::any_of(call.begin(), call.end(), lacks_memory);
  });
  if (!shapes || lacks_any) return;
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
