// The data of a SequencePredictor besides its Predictor, and the run of sequences.
#pragma once

#include <mxinfer/sequence/sequence_predictor.h>

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "api/core/predictor_impl.h"
#include "base/function_ref.h"
#include "sequence/pad_batch.h"
#include "sequence/sequence_layout.h"

namespace mxinfer {

struct __attribute__((visibility("hidden"))) SequencePredictor::Sequences {
  api::SequenceLayout layout;
  api::Padding padding;
  bool cuts = true;
  std::int64_t max_batch = 1;
  std::string name;                                ///< "model 'digits'"
  std::vector<api::SequenceNetwork> networks;      ///< by ascending length; one of length 0 if not bucketed
  std::vector<runtime::GraphExecutor*> executors;  ///< of each
  std::vector<DataDesc> state_descs;               ///< of layout.states

  /// Which of `networks` runs sequences of a length.
  std::size_t network_of(std::int64_t length) const;
  std::int64_t bucket_of(std::int64_t length) const;

  /// Views of ids in the input's dtype; `owned` gets converted data. Throws Error(invalid_argument) for an id
  /// that the dtype cannot hold.
  api::SequenceItem item_of(Span<const std::int32_t> ids, std::vector<Tensor>& owned) const;
  api::SequenceItem item_of(const TensorView& sequence) const;
  /// Throws Error(invalid_argument) for names that are not inputs.
  api::SequenceItem item_of(const NamedViews<TensorView>& inputs) const;

  /// The sequence to run: checked, and cut if it is too long.
  void prepare(api::SequenceItem& item, std::vector<Tensor>& owned) const;
  /// One batch of items of these types.
  std::vector<Tensor> run_batch(api::PredictorAccess::Impl& impl, Span<const api::SequenceItem* const> items,
                                std::size_t network, const std::vector<ops::TensorType>& types) const;
  /// The batch sizes for this many sequences.
  std::vector<std::int64_t> sizes_for(std::size_t count) const;
  /// Runs all items, grouped by `length_of` (the bucket, or the own length). Skips items with an exception in
  /// `thrown`. Calls take(item, outputs, row, bucket) with the outputs of each.
  using LengthOf = FunctionRef<std::int64_t(std::size_t item)>;
  using Take = FunctionRef<void(std::size_t item, const std::vector<Tensor>& outputs, std::int64_t row,
                                std::int64_t bucket)>;
  void run_all(api::PredictorAccess::Impl& impl, const std::vector<api::SequenceItem>& items,
               LengthOf length_of, Take take, std::vector<std::exception_ptr>& thrown) const;
  /// Some of them, of one bucket, as one batch.
  void run_group(api::PredictorAccess::Impl& impl, const std::vector<api::SequenceItem>& items,
                 Span<const std::size_t> members, std::int64_t bucket, std::int64_t size, Take take,
                 std::vector<std::exception_ptr>& thrown) const;
};

namespace api {

class SequenceAccess {
 public:
  using Sequences = SequencePredictor::Sequences;
  static const Sequences& sequences(const SequencePredictor& predictor) { return *predictor.sequences_; }
};

/// Converts the exceptions to `errors`, by position; without a list, rethrows the first.
void report(const std::vector<std::exception_ptr>& thrown, std::vector<ItemError>* errors);

}  // namespace api
}  // namespace mxinfer
