#include "api/sequence/sequences.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/fail.h"
#include "base/threads/call_context.h"
#include "model/check_inputs.h"
#include "tensor/write_element.h"

namespace mxinfer {

using api::SequenceItem;

std::size_t SequencePredictor::Sequences::network_of(std::int64_t length) const {
  for (std::size_t i = 0; i < networks.size(); ++i) {
    if (networks[i].length == length) return i;
  }
  return networks.size() - 1;
}

std::int64_t SequencePredictor::Sequences::bucket_of(std::int64_t length) const {
  if (length < 1)
    fail(ErrorCode::invalid_argument, "a sequence of length ", length, " was given; expected 1 or more");
  if (layout.buckets.empty()) return length;
  const auto bucket = std::lower_bound(layout.buckets.begin(), layout.buckets.end(), length);
  if (bucket != layout.buckets.end()) return *bucket;
  if (padding.too_long == TooLong::truncate) return layout.buckets.back();
  fail(ErrorCode::invalid_argument, "a sequence of length ", length, " was given to ", name,
       ", whose largest bucket is ", layout.buckets.back(),
       "; give larger SequenceOptions::buckets, or TooLong::truncate");
}

SequenceItem SequencePredictor::Sequences::item_of(Span<const std::int32_t> ids,
                                                   std::vector<Tensor>& owned) const {
  const api::SequenceInput& input = layout.inputs[layout.sequence];
  const auto count = static_cast<std::int64_t>(ids.size());
  if (input.shape.rank() != 2) {
    fail(ErrorCode::invalid_argument, "ids were given to input '", printable(input.name), "' of ", name,
         ", which takes vectors: ", to_string(input.shape));
  }
  if (input.dtype == DType::int32) return item_of(TensorView(ids.data(), {count}));
  Tensor converted = Tensor::uninitialized(input.dtype, {count});
  const ElementWriter write = element_writer(input.dtype);
  for (std::int64_t i = 0; i < count; ++i) {
    const double id = ids[static_cast<std::size_t>(i)];
    if (!holds(input.dtype, id)) {
      fail(ErrorCode::invalid_argument, "the id ", ids[static_cast<std::size_t>(i)], " at position ", i,
           " of the sequence does not fit into ", to_string(input.dtype), ", the dtype of input '",
           printable(input.name), "' of ", name, " takes");
    }
    write(converted.raw(), i, id);
  }
  owned.push_back(std::move(converted));
  return item_of(owned.back().view());
}

SequenceItem SequencePredictor::Sequences::item_of(const TensorView& sequence) const {
  SequenceItem item{std::vector<TensorView>(layout.inputs.size()), 0};
  item.inputs[layout.sequence] = sequence;
  return item;
}

SequenceItem SequencePredictor::Sequences::item_of(const NamedViews<TensorView>& inputs) const {
  SequenceItem item{std::vector<TensorView>(layout.inputs.size()), 0};
  for (const auto& [given, view] : inputs.map()) {
    const auto found = std::find_if(layout.inputs.begin(), layout.inputs.end(),
                                    [&, &wanted = given](const auto& input) { return input.name == wanted; });
    if (found == layout.inputs.end()) {
      fail(ErrorCode::invalid_argument, "'", printable(given), "' is not an input of ", name,
           "; its inputs are ", api::names_of(networks.back().inputs));
    }
    item.inputs[static_cast<std::size_t>(found - layout.inputs.begin())] = view;
  }
  return item;
}

void SequencePredictor::Sequences::prepare(SequenceItem& item, std::vector<Tensor>& owned) const {
  api::check_item(layout, name, item);
  api::truncate_item(layout, padding, bucket_of(item.length), item, owned);
}

std::vector<Tensor> SequencePredictor::Sequences::run_batch(api::PredictorAccess::Impl& impl,
                                                            Span<const SequenceItem* const> items,
                                                            std::size_t network,
                                                            const std::vector<ops::TensorType>& types) const {
  const std::vector<Tensor> inputs = api::pad_batch(layout, padding, items, types);
  std::vector<TensorView> views;
  for (const Tensor& input : inputs) views.push_back(input.view());
  std::vector<Tensor> outputs = executors[network]->run(Span<const TensorView>(views), impl.arena);
  const std::size_t sequence = layout.sequence;
  const std::int64_t size = types[sequence].shape[*layout.inputs[sequence].axes.batch];
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const auto axis = layout.outputs[o].axes.batch;
    if (!axis || (*axis < outputs[o].shape().rank() && outputs[o].shape()[*axis] == size)) continue;
    fail(ErrorCode::unsupported, "output '", printable(layout.outputs[o].name), "' of ", name, " has shape ",
         to_string(outputs[o].shape()), " for ", size,
         " sequences: its size depends on values, so it is unknown which part belongs to which sequence");
  }
  return outputs;
}

std::vector<std::int64_t> SequencePredictor::Sequences::sizes_for(std::size_t count) const {
  if (!layout.batch) return api::batch_sizes(static_cast<std::int64_t>(count), max_batch);
  const auto size = static_cast<std::size_t>(*layout.batch);
  return std::vector<std::int64_t>((count + size - 1) / size, *layout.batch);
}

void SequencePredictor::Sequences::run_all(api::PredictorAccess::Impl& impl,
                                           const std::vector<SequenceItem>& items, LengthOf length_of,
                                           Take take, std::vector<std::exception_ptr>& thrown) const {
  std::map<std::int64_t, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!thrown[i]) groups[length_of(i)].push_back(i);
  }
  for (const auto& [bucket, members] : groups) {
    std::size_t next = 0;
    for (const std::int64_t size : sizes_for(members.size())) {
      const std::size_t count = std::min(members.size() - next, static_cast<std::size_t>(size));
      const Span<const std::size_t> batch(members.data() + next, count);
      run_group(impl, items, batch, bucket, size, take, thrown);
      next += count;
    }
  }
}

void SequencePredictor::Sequences::run_group(api::PredictorAccess::Impl& impl,
                                             const std::vector<SequenceItem>& items,
                                             Span<const std::size_t> members, std::int64_t bucket,
                                             std::int64_t size, Take take,
                                             std::vector<std::exception_ptr>& thrown) const {
  std::vector<std::size_t> fitting;
  try {
    const std::size_t network = network_of(bucket);
    const auto types = api::batch_types(networks[network], layout, size, bucket);
    std::vector<const SequenceItem*> batch;
    for (const std::size_t i : members) {
      try {
        api::check_rows(layout, name, items[i], types);
      } catch (const Error&) {
        thrown[i] = std::current_exception();
        continue;
      }
      batch.push_back(&items[i]);
      fitting.push_back(i);
    }
    if (batch.empty()) return;
    const std::vector<Tensor> outputs = run_batch(impl, batch, network, types);
    for (std::size_t n = 0; n < fitting.size(); ++n)
      take(fitting[n], outputs, static_cast<std::int64_t>(n), bucket);
  } catch (...) {
    throw_if_cancelled();
    for (const std::size_t i :
         fitting.empty() ? std::vector<std::size_t>(members.begin(), members.end()) : fitting)
      thrown[i] = std::current_exception();
  }
}

void api::report(const std::vector<std::exception_ptr>& thrown, std::vector<ItemError>* errors) {
  for (std::size_t i = 0; i < thrown.size(); ++i) {
    if (!thrown[i]) continue;
    if (errors != nullptr) {
      errors->push_back({i, as_error(thrown[i])});
    } else if (thrown.size() == 1) {
      std::rethrow_exception(thrown[i]);
    } else {
      in_context([&] { return concat("sequence ", i); }, [&] { std::rethrow_exception(thrown[i]); });
    }
  }
}

}  // namespace mxinfer
