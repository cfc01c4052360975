#include "api/items/item_rows.h"

#include <algorithm>
#include <cstring>

#include "base/fail.h"
#include "tensor/data_desc.h"

namespace mxinfer::api {
namespace {

void check_lists(const ModelData& model, ItemLists inputs) {
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

ItemRows::ItemRows(const ModelData& model, const passes::Stages* stages,
                   const std::shared_ptr<runtime::MemoryBudget>& memory, const runtime::Planner& planner,
                   runtime::BatchRunner& runner)
    : model_(model), runner_(runner) {
  if (stages == nullptr) return;
  for (const passes::ItemStage& stage : stages->items)
    transforms_.push_back(std::make_unique<runtime::ItemRunner>(stage, memory, planner));
  for (const DataDesc& input : model.rest_inputs) rest_inputs_.push_back(source_of(*stages, input.name));
}

ItemRows::RestInput ItemRows::source_of(const passes::Stages& stages, const std::string& rest_input) const {
  std::string name = rest_input;
  runtime::ItemRunner* transforms = nullptr;
  for (std::size_t s = 0; s < stages.items.size(); ++s) {
    if (stages.items[s].rest_input != rest_input) continue;
    name = stages.items[s].input;
    transforms = transforms_[s].get();
  }
  const auto& inputs = model_.signature.inputs;
  const auto found =
      std::find_if(inputs.begin(), inputs.end(), [&](const DataDesc& desc) { return desc.name == name; });
  return {static_cast<std::size_t>(found - inputs.begin()), transforms};
}

bool ItemRows::takes_one_list() const {
  return transforms_.size() == 1 && rest_inputs_.size() == 1 && rest_inputs_[0].transforms != nullptr;
}

const Tensor* ItemRows::Rows::usual() const {
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

Tensor ItemRows::Rows::stack() const {
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

TensorView ItemRows::checked(const RestInput& from, const TensorView& given) const {
  return checked_item(model_.signature.inputs[from.input], model_.declared[from.input],
                      model_.dtype_declared[from.input], given);
}

Tensor ItemRows::make_row(std::size_t rest_input, const TensorView& given) {
  const RestInput& from = rest_inputs_[rest_input];
  const DataDesc& desc = model_.signature.inputs[from.input];
  const TensorView item = checked(from, given);
  Tensor row = from.transforms != nullptr
                   ? run_on_item(desc, given, [&] { return from.transforms->run(item, runner_.arena()); })
                   : Tensor::copy_of({item.dtype(), with_batch(item.shape()), item.raw()});
  // Another dtype than the guessed one is allowed if the transforms give the same result: a batch has one
  // dtype.
  if (given.dtype() != desc.dtype && row.dtype() != model_.rest_inputs[rest_input].dtype)
    reject_dtype(desc, given);
  return row;
}

std::vector<std::exception_ptr> ItemRows::make_rows(ItemLists inputs, std::vector<Rows>& batches) {
  const std::size_t count = inputs[0].size();
  const auto& descs = model_.signature.inputs;
  std::vector<std::exception_ptr> thrown = runner_.try_each(count, [&](std::size_t item) {
    for (std::size_t r = 0; r < batches.size(); ++r) {
      const RestInput& from = rest_inputs_[r];
      in_context([&] { return place(descs[from.input].name, item, count); },
                 [&] { batches[r].rows[item] = make_row(r, inputs[from.input][item]); });
    }
  });
  for (std::size_t r = 0; r < batches.size(); ++r) {
    const std::size_t input = rest_inputs_[r].input;
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

std::optional<ItemRows::ListedImages> ItemRows::read_images(const std::vector<TensorView>& items) {
  const RestInput& from = rest_inputs_[0];
  ListedImages images{std::vector<TensorView>(items.size()), std::vector<std::optional<Image>>(items.size())};
  const auto read = [&](std::size_t i) {
    images.views[i] = checked(from, items[i]);
    images.decoded[i] = from.transforms->read(images.views[i]);
    if (images.decoded[i]) images.views[i] = images.decoded[i]->view();
  };
  for (const std::exception_ptr& thrown : runner_.try_each(items.size(), read)) {
    if (thrown) return std::nullopt;
  }
  return images;
}

std::vector<bool> ItemRows::stack(ItemLists inputs, std::vector<ItemError>* errors,
                                  std::vector<Tensor>& stacked) {
  check_lists(model_, inputs);
  const std::size_t count = inputs[0].size();
  std::vector<Rows> batches(model_.rest_inputs.size());
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

}  // namespace mxinfer::api
