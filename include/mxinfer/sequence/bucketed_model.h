// BucketedModel: the networks that MXNet's BucketingModule saves, one for each length, and their one set of
// weights.
//
//   mxinfer::BucketedModel model = mxinfer::BucketedModel::load("lstm");    // lstm-10-symbol.json, ...
//   model.keys();                                                           // {10, 20, 40}
//   mxinfer::SequencePredictor predictor(model);
//   predictor.predict_sequence(ids);                                        // 12 ids run in the network of 20
//
// BucketingModule.save_checkpoint("lstm", 1) writes "lstm-10-symbol.json" for each key, the keys as
// "lstm.buckets", and "lstm-0001.params". The key of a bucket is the length of its sequences.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/load_options.h>
#include <mxinfer/memory_use.h>
#include <mxinfer/model.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// Immutable and a handle: copies are cheap and stand for the same networks and weights, and any thread may
/// use one. A model that was moved from stays the same model.
class MXINFER_API BucketedModel {
 public:
  /// Reads the files of a prefix ("models/lstm"), or of a folder that holds one bucketed model. Where
  /// "<prefix>.buckets" is not there, the buckets are those whose symbol files are. The options are those of
  /// each network. Errors: not_found (no such files, or not those of all keys), malformed (the file and the
  /// place in it), invalid_argument (several models, or epochs, that are listed), and as Model::load.
  [[nodiscard]] static BucketedModel load(const std::string& uri, const LoadOptions& options = {});
  /// Of networks that are loaded already, by key. They share weights only if they are one model's.
  /// Errors (invalid_argument): none, a key below 1 or twice, networks with other inputs than the others or
  /// another number of outputs.
  explicit BucketedModel(std::vector<std::pair<std::int64_t, Model>> buckets);

  BucketedModel(const BucketedModel&) noexcept;
  BucketedModel& operator=(const BucketedModel&) noexcept;
  ~BucketedModel();

  /// The lengths, rising; never empty.
  [[nodiscard]] const std::vector<std::int64_t>& keys() const noexcept;
  /// The network of a key. Error(invalid_argument) if there is none.
  [[nodiscard]] const Model& model(std::int64_t key) const;
  /// That of the largest.
  [[nodiscard]] const Model& largest() const noexcept;
  /// The prefix it came from; the name of the largest network if it was made of models.
  [[nodiscard]] const std::string& name() const noexcept;
  /// What the weights of all networks take together; what they share is counted once.
  [[nodiscard]] ModelMemory memory() const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
