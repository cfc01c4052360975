// SequencePredictor: a Predictor for sequences of any length, of ids or of vectors.
//
//   mxinfer::SequencePredictor predictor("model");
//   std::vector<std::int32_t> ids = {5, 17, 4};
//   std::vector<mxinfer::Tensor> outputs = predictor.predict_sequence(ids);   // without a batch
//   mxinfer::Session session = predictor.session();
//   session.step(ids);                                                        // continues where it stopped
//
// Sequences are padded to buckets (SequenceOptions). Each length that the network sees has one plan, and all
// plans share the weights. If one file serves many lengths, the network has a free dimension. A network that
// was trained with MXNet's BucketingModule has a file for each bucket and one file of weights, which
// BucketedModel reads.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/item_error.h>
#include <mxinfer/predictor.h>
#include <mxinfer/sequence/bucketed_model.h>
#include <mxinfer/sequence/sequence_options.h>
#include <mxinfer/sequence/session.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mxinfer::api {
class SequenceAccess;
}  // namespace mxinfer::api

namespace mxinfer {
inline namespace MXINFER_ABI {

/// Runs a network on sequences. All const functions are thread-safe.
class MXINFER_API SequencePredictor : public Predictor {
 public:
  /// If the model takes texts, uses the network behind the tokenizer. Throws as Predictor. Throws
  /// Error(invalid_argument) if:
  /// - a name is not one of the model's
  /// - the buckets are not in ascending order, or the network does not take them
  /// - the time axis or the features of an input are unknown; state them by LoadOptions::inputs
  explicit SequencePredictor(const Model& model, const SequenceOptions& options = {});
  /// Makes a predictor for a bucketed model. model() is the network of the largest bucket, which predict
  /// runs.
  explicit SequencePredictor(const BucketedModel& model, const SequenceOptions& options = {});
  /// Loads the model, or the bucketed model, at `uri`.
  explicit SequencePredictor(const std::string& uri, const SequenceOptions& options = {},
                             const LoadOptions& load = {});
  SequencePredictor(const SequencePredictor&) noexcept;
  SequencePredictor& operator=(const SequencePredictor&) noexcept;
  ~SequencePredictor() override;

  /// Runs one sequence of ids, converted to the dtype of the input. Returns the outputs in order, without a
  /// batch. Throws Error(invalid_argument) if there are no ids, a leading Embedding has no row for one, or
  /// there are too many under TooLong::error.
  [[nodiscard]] std::vector<Tensor> predict_sequence(Span<const std::int32_t> ids) const;
  /// Runs one sequence (length) or (length, features...), of the dtype of the input.
  [[nodiscard]] std::vector<Tensor> predict_sequence(const TensorView& sequence) const;
  /// Runs many sequences, each in its bucket; those of one bucket run in batches. Returns the outputs in the
  /// order of the sequences: first by sequence, then by output. With `errors`, sequences that fail are
  /// appended there in order, the others are not affected, and failed ones have no outputs.
  [[nodiscard]] std::vector<std::vector<Tensor>> predict_sequences(
      Span<const std::vector<std::int32_t>> sequences, std::vector<ItemError>* errors = nullptr) const;
  [[nodiscard]] std::vector<std::vector<Tensor>> predict_sequences(
      const TensorViews& sequences, std::vector<ItemError>* errors = nullptr) const;
  /// As above, for networks with several inputs (ids, segments). Pass the inputs of each sequence by name.
  /// Inputs with a time axis are as long as the sequence and are padded like it. Pass the other inputs
  /// without a batch.
  [[nodiscard]] std::vector<std::vector<Tensor>> predict_sequences(
      Span<const NamedViews<TensorView>> sequences, std::vector<ItemError>* errors = nullptr) const;

  /// As predict_sequence, through queue(). Waiting sequences run as one batch if AsyncOptions::max_batch
  /// allows.
  [[nodiscard]] Prediction<std::vector<Tensor>> predict_sequence_async(
      std::vector<std::int32_t> ids, const SubmitOptions& options = {}) const;
  /// As predict_sequences without `errors`: the first sequence that fails makes the prediction fail.
  [[nodiscard]] Prediction<std::vector<std::vector<Tensor>>> predict_sequences_async(
      std::vector<std::vector<std::int32_t>> sequences, const SubmitOptions& options = {}) const;

  /// Returns a new session, whose states are zeros until you set them. Throws Error(unsupported) if the
  /// network has no states.
  [[nodiscard]] Session session() const;
  /// Advances each session by one piece: pieces[i] goes to sessions[i]. Pieces of one length run as batches.
  /// Returns for each what Session::step returns. With `errors`, pieces that fail are appended there and have
  /// no outputs, their sessions do not change, and the others are not affected. Throws
  /// Error(invalid_argument) if a session occurs twice or belongs to another predictor.
  std::vector<std::vector<Tensor>> step(Span<Session* const> sessions,
                                        Span<const std::vector<std::int32_t>> pieces,
                                        std::vector<ItemError>* errors = nullptr) const;
  std::vector<std::vector<Tensor>> step(Span<Session* const> sessions, const TensorViews& pieces,
                                        std::vector<ItemError>* errors = nullptr) const;

  /// Returns the buckets in ascending order. Empty if sequences run at their own length.
  [[nodiscard]] const std::vector<std::int64_t>& buckets() const noexcept;
  /// Returns the length at which a sequence of `length` runs. Throws Error(invalid_argument) if `length` is
  /// below 1, or too long under TooLong::error.
  [[nodiscard]] std::int64_t bucket_of(std::int64_t length) const;
  /// Makes the plans of all buckets, so that first calls are as fast as later ones.
  void warmup_buckets() const;

 protected:
  struct Sequences;
  std::shared_ptr<const Sequences> sequences_;

 private:
  friend class Session;
  friend class api::SequenceAccess;
  struct SequenceJob;
  std::vector<std::vector<Tensor>*> states_of(Span<Session* const> sessions) const;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
