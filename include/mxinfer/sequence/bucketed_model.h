// BucketedModel: the networks that MXNet's BucketingModule saves, one for each length, with one set of
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

/// The networks of a bucketed model. Immutable and thread-safe. It is a handle: copies are cheap and share
/// networks and weights. A moved-from object still refers to the same model.
class MXINFER_API BucketedModel {
 public:
  /// Reads the local files of a prefix ("models/lstm"), or of a folder that contains one bucketed model. If
  /// there is no "<prefix>.buckets", the buckets are those with a symbol file. `options` apply to each
  /// network. Throws as Model::load, with these codes among others:
  /// - not_found: the files of the prefix or of a key are missing
  /// - malformed: a file is damaged; the message names the file and the place in it
  /// - invalid_argument: there are several models or epochs, which the message lists
  /// - unsupported: `uri` is an address
  [[nodiscard]] static BucketedModel load(const std::string& uri, const LoadOptions& options = {});
  /// Makes a bucketed model from loaded networks, by key. They share weights only if they are copies of one
  /// model. Throws Error(invalid_argument) if there are none, a key is below 1 or occurs twice, or the
  /// networks have different inputs or different numbers of outputs.
  explicit BucketedModel(std::vector<std::pair<std::int64_t, Model>> buckets);

  BucketedModel(const BucketedModel&) noexcept;
  BucketedModel& operator=(const BucketedModel&) noexcept;
  ~BucketedModel();

  /// Returns the lengths in ascending order; there is at least one.
  [[nodiscard]] const std::vector<std::int64_t>& keys() const noexcept;
  /// Returns the network of a key. Throws Error(invalid_argument) if there is none.
  [[nodiscard]] const Model& model(std::int64_t key) const;
  /// Returns the network of the largest key.
  [[nodiscard]] const Model& largest() const noexcept;
  /// Returns the prefix that the model came from, or the name of the largest network if it was made from
  /// models.
  [[nodiscard]] const std::string& name() const noexcept;
  /// Returns the memory of the weights of all networks. Shared weights are counted once.
  [[nodiscard]] ModelMemory memory() const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
