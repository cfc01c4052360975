// Lists of items of different sizes: transforms all items in parallel, then runs them as one batch.
#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "api/core/fixed_batches.h"
#include "api/core/predictor_call.h"
#include "api/core/predictor_impl.h"
#include "tensor/floating.h"

namespace mxinfer {
namespace {

void fill_missing(DType dtype, std::byte* to, std::size_t bytes) {
  if (dtype == DType::float32) {
    std::fill_n(reinterpret_cast<float*>(to), bytes / sizeof(float), std::numeric_limits<float>::quiet_NaN());
  } else if (dtype == DType::float64) {
    std::fill_n(reinterpret_cast<double*>(to), bytes / sizeof(double),
                std::numeric_limits<double>::quiet_NaN());
  } else {
    // All bits set are NaN in both 16-bit formats.
    std::memset(to, is_half(dtype) ? 0xFF : 0, bytes);
  }
}

// Expands an output with a row for each valid item to a row for each item.
Tensor spread(const Tensor& output, const std::vector<bool>& good) {
  const auto count = static_cast<std::int64_t>(std::count(good.begin(), good.end(), true));
  if (output.shape().rank() == 0 || output.shape()[0] != count || count == 0) return output.clone();
  Shape shape = output.shape();
  shape[0] = static_cast<std::int64_t>(good.size());
  Tensor result = Tensor::uninitialized(output.dtype(), shape);
  const std::size_t row = output.bytes() / static_cast<std::size_t>(count);
  const auto* from = static_cast<const std::byte*>(output.raw());
  auto* to = static_cast<std::byte*>(result.raw());
  for (const bool is_good : good) {
    if (is_good) {
      std::memcpy(to, from, row);
      from += row;
    } else {
      fill_missing(output.dtype(), to, row);
    }
    to += row;
  }
  return result;
}

}  // namespace

std::optional<Predictor::Impl::PackedBatch> Predictor::Impl::pack_items(api::ItemLists inputs) {
  const bool is_list = image_batches && data().stages && inputs.size() == 1 && !inputs[0].empty();
  if (!is_list || (list_batch && *list_batch != static_cast<std::int64_t>(inputs[0].size())))
    return std::nullopt;
  // If one is invalid, items are read and transformed one by one, which says which.
  auto images = item_rows.read_images(inputs[0]);
  if (!images) return std::nullopt;
  return image_batches->pack(std::move(images->views), batch_runner);
}

std::vector<Tensor> Predictor::Impl::run_list(Span<const TensorView> stacked) {
  const auto run = [&](Span<const TensorView> whole) { return list_executor().run(whole, arena); };
  if (!api::needs_filling(list_batch, stacked)) return run(stacked);
  return api::run_in_batches(stacked, *list_batch, data().signature.outputs, run);
}

std::vector<Tensor> Predictor::Impl::predict_lists(api::ItemLists inputs, std::vector<ItemError>* errors) {
  return api::as_call(*this, [&]() -> std::vector<Tensor> {
    if (auto outputs = predict_packed(pack_items(inputs))) return std::move(*outputs);
    std::vector<Tensor> stacked;
    const std::vector<bool> good = item_rows.stack(inputs, errors, stacked);
    if (stacked.empty()) return {};
    std::vector<Tensor> outputs = run_list(TensorViews(stacked).span());
    if (std::count(good.begin(), good.end(), false) > 0) {
      for (Tensor& output : outputs) output = spread(output, good);
    }
    return outputs;
  });
}

void Predictor::Impl::predict_lists_into(api::ItemLists inputs, Span<const MutableTensorView> outputs,
                                         CheckOutputs check, std::vector<ItemError>* errors) {
  return api::as_call(*this, [&] {
    if (auto packed = pack_items(inputs)) return packed->run_into(outputs, arena, check);
    std::vector<Tensor> stacked;
    const std::vector<bool> good = item_rows.stack(inputs, errors, stacked);
    if (stacked.empty()) return;
    const TensorViews views(stacked);
    const bool is_whole = std::count(good.begin(), good.end(), false) == 0;
    if (is_whole && !api::needs_filling(list_batch, views.span()))
      return list_executor().run_into(views.span(), outputs, arena, check);
    std::vector<Tensor> made = run_list(views.span());
    std::vector<ops::TensorType> types;
    for (Tensor& output : made) {
      if (!is_whole) output = spread(output, good);
      types.push_back({output.dtype(), output.shape()});
    }
    check(types);
    runtime::copy_all(made, outputs);
  });
}

}  // namespace mxinfer
