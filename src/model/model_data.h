// The data of a Model. Immutable after loading, except the optimised graphs and the weight store, which lock.
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
#include "model/packed_file.h"
#include "ops/op_def.h"
#include "passes/load/stages.h"
#include "plan/lower/weight_store.h"
#include "sources/opener.h"

namespace mxinfer::api {

struct ModelData {
  std::string name;
  /// The result of pipeline::load for the file's graph, with bound parameters and independent of devices.
  /// Free variables carry Node::input_index. For a runnable model that takes items, the part behind their
  /// transforms.
  graph::Graph graph;
  Signature signature;
  /// What the file says, if it says anything.
  std::optional<formats::FileSignature> file_signature;
  /// LoadOptions::load_transforms is false, and there were some.
  bool transforms_left_off = false;
  /// By input: whether the caller or the file gave the descriptor, which arrays must then fit.
  std::vector<bool> declared;
  /// By input: whether the caller or the file gave the dtype; otherwise arrays may have any that the network
  /// accepts.
  std::vector<bool> dtype_declared;
  std::optional<GuessedSide> guessed_side;
  /// Names of pruned training inputs, such as labels. Values given for them are ignored.
  std::set<std::string> training_inputs;
  /// Inputs that are labels of a loss, if all outputs need them, and the inner value that needs none.
  std::set<std::string> labels_of_loss;
  std::string value_before_loss;
  std::vector<std::string> labels;
  /// The stored sample as its attribute has it, JSON text; empty if there is none.
  std::string sample;
  /// How the model was quantized, as the file says it, JSON text; empty if it does not.
  std::string quantization;
  std::vector<std::string> warnings;
  /// For a model that is only reported on: weights without a value. They are not inputs.
  std::vector<std::string> missing_parameters;
  /// If the model has transforms: how items become a batch, and the graph that the batch goes through.
  std::optional<passes::Stages> stages;
  /// The inputs of stages->rest.
  std::vector<DataDesc> rest_inputs;
  /// An input is encoded bytes, whose image has no shape before it is decoded, so items are processed one by
  /// one.
  bool takes_items = false;
  /// Opens images for the model, with the address options of LoadOptions; not nullptr after loading.
  std::shared_ptr<const sources::Opener> opener;
  /// The weights that the model's file has packed; nullptr if there are none.
  std::shared_ptr<const PackedFile> packed;
  /// What plans are made of.
  mutable OptimisedModels optimised;
  /// Never nullptr; the buckets of a bucketed model share one.
  std::shared_ptr<plan::WeightStore> weights = std::make_shared<plan::WeightStore>();
};

/// For the rest of the library: the data of a handle, and a handle for data.
class ModelAccess {
 public:
  static const ModelData& data(const Model& model) { return *model.data_; }
  static Model make(std::shared_ptr<const ModelData> data) { return Model(std::move(data)); }
};

inline const ModelData& data_of(const Model& model) {
  return ModelAccess::data(model);
}

}  // namespace mxinfer::api
