// SequencePredictor: a Predictor of sequences of any length, one or many, of ids or of vectors.
//
//   mxinfer::SequencePredictor predictor("model");
//   std::vector<std::int32_t> ids = {5, 17, 4};
//   std::vector<mxinfer::Tensor> outputs = predictor.predict_sequence(ids);   // without a batch
//   mxinfer::Session session = predictor.session();
//   session.step(ids);                                                        // goes on where it stopped
//
// Sequences are padded to buckets (SequenceOptions): each length that the network sees has one plan, and all
// plans share the weights. A network of many lengths in one file has a free dimension; one that was trained
// with MXNet's BucketingModule has a file for each bucket and one of weights, and BucketedModel reads them
// all.
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

class MXINFER_API SequencePredictor : public Predictor {
 public:
  /// Of a model that takes texts, the network behind them. Errors as Predictor, and invalid_argument for
  /// names that are not the model's, buckets that do not rise or that the network does not take, and an input
  /// whose axis of time or features are not known (LoadOptions::inputs says them).
  explicit SequencePredictor(const Model& model, const SequenceOptions& options = {});
  /// The predictor's own model(), and what predict runs, is that of the largest bucket.
  explicit SequencePredictor(const BucketedModel& model, const SequenceOptions& options = {});
  /// Loads the model, or the bucketed model, at `uri`.
  explicit SequencePredictor(const std::string& uri, const SequenceOptions& options = {},
                             const LoadOptions& load = {});
  SequencePredictor(const SequencePredictor&) noexcept;
  SequencePredictor& operator=(const SequencePredictor&) noexcept;
  ~SequencePredictor() override;

  /// One sequence of ids; they become the dtype of the input. Gives the outputs in order, without a batch.
  /// Errors (invalid_argument): no ids (a length of 0), one that a leading Embedding has no row for, too many
  /// where TooLong::error is asked for. Thread-safe, as all that is const.
  [[nodiscard]] std::vector<Tensor> predict_sequence(Span<const std::int32_t> ids) const;
  /// One sequence (length) or (length, features...), of the dtype of the input.
  [[nodiscard]] std::vector<Tensor> predict_sequence(const TensorView& sequence) const;
  /// Many: each runs in its bucket, those of one bucket in batches, and the outputs come in the order of the
  /// sequences, first by sequence, then by output. With `errors`, wrong ones are reported there, in order,
  /// cost the others nothing and have no outputs.
  [[nodiscard]] std::vector<std::vector<Tensor>> predict_sequences(
      Span<const std::vector<std::int32_t>> sequences, std::vector<ItemError>* errors = nullptr) const;
  [[nodiscard]] std::vector<std::vector<Tensor>> predict_sequences(
      const TensorViews& sequences, std::vector<ItemError>* errors = nullptr) const;
  /// The same for networks of several inputs (ids, segments): for each sequence its inputs by name. Those
  /// with an axis of time are as long as the sequence and are padded like it; others are given without a
  /// batch.
  [[nodiscard]] std::vector<std::vector<Tensor>> predict_sequences(
      Span<const NamedViews<TensorView>> sequences, std::vector<ItemError>* errors = nullptr) const;

  /// As predict_sequence, through queue(); what waits runs as one batch where AsyncOptions::max_batch allows.
  [[nodiscard]] Prediction<std::vector<Tensor>> predict_sequence_async(
      std::vector<std::int32_t> ids, const SubmitOptions& options = {}) const;
  /// As predict_sequences, without a list of errors: the first sequence that is wrong fails the prediction.
  [[nodiscard]] Prediction<std::vector<std::vector<Tensor>>> predict_sequences_async(
      std::vector<std::vector<std::int32_t>> sequences, const SubmitOptions& options = {}) const;

  /// A conversation: its states begin as zeros, or as given, and are kept between calls. Error(unsupported)
  /// if the network has no states that it takes and gives.
  [[nodiscard]] Session session() const;
  /// Each session one piece further, those of one length as batches: pieces[i] goes to sessions[i]. Gives
  /// what Session::step gives for each. With `errors`, wrong pieces are reported there, cost the others
  /// nothing, have no outputs, and leave their sessions as they are. Errors (invalid_argument) also: a
  /// session that is there twice, or of another predictor.
  std::vector<std::vector<Tensor>> step(Span<Session* const> sessions,
                                        Span<const std::vector<std::int32_t>> pieces,
                                        std::vector<ItemError>* errors = nullptr) const;
  std::vector<std::vector<Tensor>> step(Span<Session* const> sessions, const TensorViews& pieces,
                                        std::vector<ItemError>* errors = nullptr) const;

  /// Rising; empty if sequences run at their own length.
  [[nodiscard]] const std::vector<std::int64_t>& buckets() const noexcept;
  /// The length at which a sequence of `length` runs. Error(invalid_argument): less than 1, or too long where
  /// TooLong::error is asked for.
  [[nodiscard]] std::int64_t bucket_of(std::int64_t length) const;
  /// What runs for each bucket is made now, so that first calls are as fast as others.
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
