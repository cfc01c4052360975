// Lists of items of different sizes: transforms all items in parallel, then runs them as one batch.
#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "api/core/fixed_batches.h"
#include "api/core/predictor_call.h"
#include "api/core/predictor_impl.h"
#include "tensor/data_desc.h"
#include "tensor/floating.h"

namespace mxinfer {
namespace {

using Lists = Span<const std::vector<TensorView>>;

void check_lists(const api::ModelData& model, Lists inputs) {
  const auto& descs = model.signature.inputs;
  if (!model.stages) {
    fail(ErrorCode::unsupported, "model '", printable(model.name),
         "' has no transforms that bring items of different sizes to one size; give a batch to predict, or "
         "attach transforms with `mxinfer fuse`");
  }
  if (inputs.size() != descs.size()) {
    fail(ErrorCode::invalid_argument, inputs.size(), inputs.size() == 1 ? " list was" : " lists were",
         " given; model '", printable(model.name), "' has ", descs.size(),
         descs.size() == 1 ? " input" : " inputs", " and takes one list for each");
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].empty() && inputs[i].size() == inputs[0].size()) continue;
    fail(ErrorCode::invalid_argument, "input '", printable(descs[i].name), "' was given ", inputs[i].size(),
         inputs[i].size() == 1 ? " item" : " items", "; expected ",
         inputs[0].empty()
             ? std::string("at least one")
             : concat("as many as input '", printable(descs[0].name), "' has, ", inputs[0].size()));
  }
}

// An item without its batch, which may be given as a batch of one.
TensorView one_sample(const DataDesc& desc, const TensorView& item) {
  const Shape& shape = item.shape();
  if (shape.rank() != desc.shape.rank() || batch_axis(desc) != 0 || shape.rank() == 0) return item;
  if (shape[0] != 1) {
    fail(ErrorCode::invalid_argument, "it has shape ", to_string(shape), ", which is a batch of ", shape[0],
         "; an item of a list is one sample");
  }
  return {item.dtype(), without_batch(shape), item.raw()};
}

// A decoded image may be given instead of an encoded one.
bool is_decoded(const DataDesc& desc, const TensorView& item) {
  return is_file(desc.meaning) && item.shape().rank() == 3;
}

void reject_dtype(const DataDesc& desc, const TensorView& given) {
  fail(ErrorCode::invalid_argument, "it is ", to_string(given.dtype()), ", ", to_string(desc.dtype),
       " is expected");
}

TensorView checked_item(const DataDesc& desc, bool declared, bool dtype_declared, const TensorView& given) {
  if (given.dtype() != desc.dtype && (dtype_declared || is_file(desc.meaning))) reject_dtype(desc, given);
  if (given.raw() == nullptr) fail(ErrorCode::invalid_argument, "it has no data (a null pointer)");
  const TensorView item = one_sample(desc, given);
  if (!declared || is_decoded(desc, item)) return item;
  const bool batched = batch_axis(desc) == 0;
  if (!fits(batched ? without_batch(desc.shape) : desc.shape, item.shape())) {
    fail(ErrorCode::invalid_argument, "it has shape ", to_string(item.shape()), ", but the input ",
         to_string(desc), " takes ",
         batched ? "samples of this shape without the batch dimension" : "this shape", " (-1 is free)");
  }
  return item;
}

bool same_type(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape();
}

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

const Tensor* Predictor::Impl::Rows::usual() const {
  const Tensor* usual = nullptr;
  std::ptrdiff_t most = 0;
  for (const auto& row : rows) {
    if (!row || (usual != nullptr && same_type(*row, *usual))) continue;
    const auto like = std::count_if(rows.begin(), rows.end(), [&](const auto& other) {
      return other.has_value() && same_type(*other, *row);
    });
    if (like > most) {
      most = like;
      usual = &*row;
    }
    if (2 * most >= static_cast<std::ptrdiff_t>(rows.size())) break;
  }
  return usual;
}

Tensor Predictor::Impl::Rows::stack() const {
  const Tensor& first = *usual();
  Shape shape = first.shape();
  shape[0] = std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.has_value(); });
  Tensor batch = Tensor::uninitialized(first.dtype(), shape);
  auto* to = static_cast<std::byte*>(batch.raw());
  for (const auto& row : rows) {
    if (!row) continue;
    std::memcpy(to, row->raw(), row->bytes());
    to += row->bytes();
  }
  return batch;
}

namespace {

// If the transforms reject an item, reports a dtype that differs from the signature's first.
template <typename Run>
Tensor run_on_item(const DataDesc& desc, const TensorView& given, const Run& run) {
  try {
    return run();
  } catch (const Error& e) {
    if (given.dtype() == desc.dtype) throw;
    throw Error(e.code(), concat("it is ", to_string(given.dtype()), ", ", to_string(desc.dtype),
                                 " is expected", kTrail, e.what()));
  }
}

}  // namespace

Tensor Predictor::Impl::make_row(std::size_t rest_input, const TensorView& given) {
  const RestInput& from = rest_inputs[rest_input];
  const DataDesc& desc = data().signature.inputs[from.input];
  const TensorView item =
      checked_item(desc, data().declared[from.input], data().dtype_declared[from.input], given);
  Tensor row = from.transforms != nullptr
                   ? run_on_item(desc, given, [&] { return from.transforms->run(item, arena); })
                   : Tensor::copy_of({item.dtype(), with_batch(item.shape()), item.raw()});
  // Another dtype than the guessed one is allowed if the transforms give the same result: a batch has one
  // dtype.
  if (given.dtype() != desc.dtype && row.dtype() != data().rest_inputs[rest_input].dtype)
    reject_dtype(desc, given);
  return row;
}

namespace {

std::string place(const std::string& input, std::size_t item, std::size_t count) {
  const std::string name = "input '" + printable(input) + "'";
  return count == 1 ? name : concat("item ", item, " of ", name);
}

// An item's row does not fit into one batch with most others.
Error misfit(const std::string& place, const Tensor& row, const Tensor& usual, const TensorView& item) {
  return {ErrorCode::invalid_argument,
          concat(place, " › its shape ", to_string(item.shape()), " becomes ", to_string(row.dtype()), " ",
                 to_string(row.shape()), ", but those of most others become ", to_string(usual.dtype()), " ",
                 to_string(usual.shape()),
                 "; to make a batch, the transforms must bring all items to one shape")};
}

}  // namespace

// Transforms all items in parallel; returns the exceptions by item.
std::vector<std::exception_ptr> Predictor::Impl::make_rows(Lists inputs, std::vector<Rows>& batches) {
  const std::size_t count = inputs[0].size();
  const auto& descs = data().signature.inputs;
  std::vector<std::exception_ptr> thrown = batch_runner.try_each(count, [&](std::size_t item) {
    for (std::size_t r = 0; r < batches.size(); ++r) {
      const RestInput& from = rest_inputs[r];
      in_context([&] { return place(descs[from.input].name, item, count); },
                 [&] { batches[r].rows[item] = make_row(r, inputs[from.input][item]); });
    }
  });
  for (std::size_t r = 0; r < batches.size(); ++r) {
    const std::size_t input = rest_inputs[r].input;
    const Tensor* usual = batches[r].usual();
    for (std::size_t item = 0; item < count; ++item) {
      const std::optional<Tensor>& row = batches[r].rows[item];
      if (thrown[item] || !row || same_type(*row, *usual)) continue;
      const std::string where = place(descs[input].name, item, count);
      thrown[item] = std::make_exception_ptr(misfit(where, *row, *usual, inputs[input][item]));
    }
  }
  return thrown;
}

std::optional<Predictor::Impl::PackedBatch> Predictor::Impl::pack_items(Lists inputs) {
  const bool is_list = image_batches && data().stages && inputs.size() == 1 && !inputs[0].empty();
  if (!is_list || (list_batch && *list_batch != static_cast<std::int64_t>(inputs[0].size())))
    return std::nullopt;
  const RestInput& from = rest_inputs[0];
  const DataDesc& desc = data().signature.inputs[from.input];
  std::vector<TensorView> images(inputs[0].size());
  std::vector<std::optional<Image>> decoded(images.size());
  const auto read = [&](std::size_t i) {
    images[i] =
        checked_item(desc, data().declared[from.input], data().dtype_declared[from.input], inputs[0][i]);
    decoded[i] = from.transforms->read(images[i]);
    if (decoded[i]) images[i] = decoded[i]->view();
  };
  // If one is invalid, items are read and transformed one by one, which says which.
  for (const std::exception_ptr& thrown : batch_runner.try_each(images.size(), read)) {
    if (thrown) return std::nullopt;
  }
  return image_batches->pack(std::move(images), batch_runner);
}

std::vector<bool> Predictor::Impl::stack_lists(Lists inputs, std::vector<ItemError>* errors,
                                               std::vector<Tensor>& stacked) {
  check_lists(data(), inputs);
  const std::size_t count = inputs[0].size();
  std::vector<Rows> batches(data().rest_inputs.size());
  for (Rows& batch : batches) batch.rows.resize(count);
  const std::vector<std::exception_ptr> thrown = make_rows(inputs, batches);

  std::vector<bool> good(count, true);
  for (std::size_t item = 0; item < count; ++item) {
    if (!thrown[item]) continue;
    if (errors == nullptr) std::rethrow_exception(thrown[item]);
    errors->push_back({item, as_error(thrown[item])});
    good[item] = false;
    for (Rows& batch : batches) batch.rows[item].reset();
  }
  if (std::count(good.begin(), good.end(), true) == 0) return good;
  for (const Rows& batch : batches) stacked.push_back(batch.stack());
  return good;
}

std::vector<Tensor> Predictor::Impl::run_list(Span<const TensorView> stacked) {
  const auto run = [&](Span<const TensorView> whole) { return list_executor().run(whole, arena); };
  if (!api::needs_filling(list_batch, stacked)) return run(stacked);
  return api::run_in_batches(stacked, *list_batch, data().signature.outputs, run);
}

std::vector<Tensor> Predictor::Impl::predict_lists(Lists inputs, std::vector<ItemError>* errors) {
  return api::as_call(*this, [&]() -> std::vector<Tensor> {
    if (auto outputs = predict_packed(pack_items(inputs))) return std::move(*outputs);
    std::vector<Tensor> stacked;
    const std::vector<bool> good = stack_lists(inputs, errors, stacked);
    if (stacked.empty()) return {};
    std::vector<Tensor> outputs = run_list(TensorViews(stacked).span());
    if (std::count(good.begin(), good.end(), false) > 0) {
      for (Tensor& output : outputs) output = spread(output, good);
    }
    return outputs;
  });
}

void Predictor::Impl::predict_lists_into(Lists inputs, Span<const MutableTensorView> outputs,
                                         CheckOutputs check, std::vector<ItemError>* errors) {
  return api::as_call(*this, [&] {
    if (auto packed = pack_items(inputs)) return packed->run_into(outputs, arena, check);
    std::vector<Tensor> stacked;
    const std::vector<bool> good = stack_lists(inputs, errors, stacked);
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
