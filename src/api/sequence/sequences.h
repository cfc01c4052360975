// What a SequencePredictor holds beside a Predictor, and how it runs sequences.
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
  std::string name;                            ///< "model 'digits'"
  std::vector<api::SequenceNetwork> networks;  ///< by rising length; one of length 0 if it is not bucketed
  std::vector<runtime::GraphExecutor*> executors;  ///< of each
  std::vector<DataDesc> state_descs;               ///< of layout.states

  /// Which of `networks` runs sequences of a length.
  std::size_t network_of(std::int64_t length) const;
  std::int64_t bucket_of(std::int64_t length) const;

  /// Views of ids as the input takes them; `owned` gets what is converted. Throws Error(invalid_argument) for
  /// an id that the dtype has not.
  api::SequenceItem item_of(Span<const std::int32_t> ids, std::vector<Tensor>& owned) const;
  api::SequenceItem item_of(const TensorView& sequence) const;
  /// Throws Error(invalid_argument) for names that are no inputs.
  api::SequenceItem item_of(const NamedViews<TensorView>& inputs) const;

  /// The sequence as it runs: checked, and cut if it is too long.
  void prepare(api::SequenceItem& item, std::vector<Tensor>& owned) const;
  /// One batch of items of these types.
  std::vector<Tensor> run_batch(api::PredictorAccess::Impl& impl, Span<const api::SequenceItem* const> items,
                                std::size_t network, const std::vector<ops::TensorType>& types) const;
  /// The sizes of the batches that so many sequences run as.
  std::vector<std::int64_t> sizes_for(std::size_t count) const;
  /// All, grouped by `length_of` each (the bucket, or its own length). One that threw before, by `thrown`,
  /// is passed over. take(item, outputs, row, bucket) gets the outputs of each.
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

/// What was thrown becomes `errors`, by position; without a list the first of it is thrown again.
void report(const std::vector<std::exception_ptr>& thrown, std::vector<ItemError>* errors);

}  // namespace api
}  // namespace mxinfer
