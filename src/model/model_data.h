// What a Model holds. All is immutable after loading but what locks: the graphs that are made of it, and the
// weight store.
#pragma once

#include <mxinfer/model.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "formats/json/signature_json.h"
#include "graph/graph.h"
#include "model/guessed_side.h"
#include "model/optimised_model.h"
#include "ops/op_def.h"
#include "passes/load/stages.h"
#include "plan/lower/weight_store.h"
#include "sources/opener.h"

namespace mxinfer::api {

struct ModelData {
  std::string name;
  /// What pipeline::load made of the file's graph, with parameters bound; it knows no device. Free variables
  /// carry Node::input_index. Of a model that is to run and takes items, the part behind their transforms.
  graph::Graph graph;
  Signature signature;
  /// What the file says, if it says anything.
  std::optional<formats::FileSignature> file_signature;
  /// LoadOptions::load_transforms is false, and there were some.
  bool transforms_left_off = false;
  /// By input: whether caller or file gave the descriptor, so that arrays must fit it.
  std::vector<bool> declared;
  /// By input: whether caller or file gave the dtype; else arrays may have any that the network takes.
  std::vector<bool> dtype_declared;
  std::optional<GuessedSide> guessed_side;
  /// Names of what only the training reads: labels that were pruned. Values for them are passed over.
  std::set<std::string> training_inputs;
  /// Inputs that are labels of a loss, if all outputs need them, and the inner value that needs none.
  std::set<std::string> labels_of_loss;
  std::string value_before_loss;
  std::vector<std::string> labels;
  /// The stored sample as its attribute has it, JSON text; empty if there is none.
  std::string sample;
  std::vector<std::string> warnings;
  /// Of a model that is reported on: variables that hold weights and have no value. They are no inputs.
  std::vector<std::string> missing_parameters;
  /// Where the model has transforms: how items become a batch, and what the batch then goes through.
  std::optional<passes::Stages> stages;
  /// The inputs of stages->rest.
  std::vector<DataDesc> rest_inputs;
  /// An input begins as bytes, whose image has no shape before it is decoded: items can only be treated one
  /// by one.
  bool takes_items = false;
  /// Opens images for it, with what LoadOptions say of addresses; never nullptr once it is loaded.
  std::shared_ptr<const sources::Opener> opener;
  /// What plans are made of.
  mutable OptimisedModels optimised;
  /// Never nullptr; the buckets of a bucketed model share one.
  std::shared_ptr<plan::WeightStore> weights = std::make_shared<plan::WeightStore>();
};

/// For the rest of the library: what a handle stands for, and a handle of it.
class ModelAccess {
 public:
  static const ModelData& data(const Model& model) { return *model.data_; }
  static Model make(std::shared_ptr<const ModelData> data) { return Model(std::move(data)); }
};

inline const ModelData& data_of(const Model& model) {
  return ModelAccess::data(model);
}

}  // namespace mxinfer::api
