#include <mxinfer/sequence/sequence_predictor.h>

#include "api/core/predictor_call.h"
#include "api/sequence/make_sequences.h"
#include "api/sequence/sequences.h"
#include "base/fail.h"
#include "formats/files/bucket_files.h"

namespace mxinfer {
namespace {

using api::SequenceItem;
using Sequences = api::SequenceAccess::Sequences;
using Outputs = std::vector<Tensor>;

/// A function that converts sequence i to an item and stores new data in `owned`.
using MakeItem = FunctionRef<SequenceItem(std::size_t i, std::vector<Tensor>& owned)>;

std::vector<Outputs> run_sequences(const SequencePredictor& predictor, std::size_t count, MakeItem make,
                                   std::vector<ItemError>* errors) {
  const Sequences& sequences = api::SequenceAccess::sequences(predictor);
  return api::as_call(predictor, [&] {
    std::vector<SequenceItem> items(count);
    std::vector<Tensor> owned;
    std::vector<std::exception_ptr> thrown(count);
    for (std::size_t i = 0; i < count; ++i) {
      try {
        items[i] = make(i, owned);
        sequences.prepare(items[i], owned);
      } catch (const Error&) {
        thrown[i] = std::current_exception();
      }
    }
    if (errors == nullptr) api::report(thrown, nullptr);
    std::vector<Outputs> outputs(count);
    const auto length_of = [&](std::size_t i) { return sequences.bucket_of(items[i].length); };
    const auto take = [&](std::size_t i, const Outputs& batch, std::int64_t row, std::int64_t bucket) {
      outputs[i] = api::cut_outputs(sequences.layout, sequences.padding, sequences.cuts, batch, row, bucket,
                                    items[i].length);
    };
    sequences.run_all(api::PredictorAccess::impl(predictor), items, length_of, take, thrown);
    api::report(thrown, errors);
    return outputs;
  });
}

}  // namespace

SequencePredictor::SequencePredictor(const Model& model, const SequenceOptions& options) try
    : Predictor(api::network_of(model), api::with_room_for_plans(model, options)),
      sequences_(api::make_sequences(*this, options)) {
} catch (...) {
  throw_as_error();
}

SequencePredictor::SequencePredictor(const BucketedModel& model, const SequenceOptions& options) try
    : Predictor(model.largest(), options.options), sequences_(api::make_sequences(*this, model, options)) {
} catch (...) {
  throw_as_error();
}

SequencePredictor::SequencePredictor(const std::string& uri, const SequenceOptions& options,
                                     const LoadOptions& load) try
    : SequencePredictor(formats::find_buckets(uri, load.epoch)
                            ? SequencePredictor(BucketedModel::load(uri, load), options)
                            : SequencePredictor(Model::load(uri, load), options)) {
} catch (...) {
  throw_as_error();
}

SequencePredictor::SequencePredictor(const SequencePredictor&) noexcept = default;
SequencePredictor& SequencePredictor::operator=(const SequencePredictor&) noexcept = default;
SequencePredictor::~SequencePredictor() = default;

std::vector<Tensor> SequencePredictor::predict_sequence(Span<const std::int32_t> ids) const try {
  const auto make = [&](std::size_t, std::vector<Tensor>& owned) { return sequences_->item_of(ids, owned); };
  return std::move(run_sequences(*this, 1, make, nullptr)[0]);
} catch (...) {
  throw_as_error();
}

std::vector<Tensor> SequencePredictor::predict_sequence(const TensorView& sequence) const try {
  const auto make = [&](std::size_t, std::vector<Tensor>&) { return sequences_->item_of(sequence); };
  return std::move(run_sequences(*this, 1, make, nullptr)[0]);
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<Tensor>> SequencePredictor::predict_sequences(
    Span<const std::vector<std::int32_t>> sequences, std::vector<ItemError>* errors) const try {
  const auto make = [&](std::size_t i, std::vector<Tensor>& owned) {
    return sequences_->item_of(Span<const std::int32_t>(sequences[i]), owned);
  };
  return run_sequences(*this, sequences.size(), make, errors);
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<Tensor>> SequencePredictor::predict_sequences(const TensorViews& sequences,
                                                                      std::vector<ItemError>* errors) const
    try {
  const auto make = [&](std::size_t i, std::vector<Tensor>&) { return sequences_->item_of(sequences[i]); };
  return run_sequences(*this, sequences.size(), make, errors);
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<Tensor>> SequencePredictor::predict_sequences(
    Span<const NamedViews<TensorView>> sequences, std::vector<ItemError>* errors) const try {
  const auto make = [&](std::size_t i, std::vector<Tensor>&) { return sequences_->item_of(sequences[i]); };
  return run_sequences(*this, sequences.size(), make, errors);
} catch (...) {
  throw_as_error();
}

const std::vector<std::int64_t>& SequencePredictor::buckets() const noexcept {
  return sequences_->layout.buckets;
}

std::int64_t SequencePredictor::bucket_of(std::int64_t length) const try {
  return sequences_->bucket_of(length);
} catch (...) {
  throw_as_error();
}

void SequencePredictor::warmup_buckets() const try {
  const auto& layout = sequences_->layout;
  for (const std::int64_t bucket : layout.buckets) {
    for (std::int64_t size = layout.batch.value_or(1); size <= sequences_->max_batch; size *= 2) {
      const auto run = [&] {
        const std::size_t network = sequences_->network_of(bucket);
        const auto types = api::batch_types(sequences_->networks[network], layout, size, bucket);
        SequenceItem item{std::vector<TensorView>(layout.inputs.size()), bucket};
        const SequenceItem* only = &item;
        (void)sequences_->run_batch(api::PredictorAccess::impl(*this), {&only, 1}, network, types);
      };
      api::on_each_device(api::PredictorAccess::impl(*this), [&] { api::as_call(*this, run); });
    }
  }
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
