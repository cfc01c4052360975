#include "api/sequence/make_sequences.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "load/text_parts.h"
#include "model/check_inputs.h"
#include "runtime/plan_options.h"
#include "sequence/check_options.h"

namespace mxinfer::api {
namespace {

using Sequences = SequenceAccess::Sequences;

/// The network that sequences go through: the part behind the transforms, if there are any.
SequenceNetwork network_for(const Model& model, std::int64_t length) {
  const ModelData& data = data_of(model);
  SequenceNetwork network;
  network.outputs = data.signature.outputs;
  network.length = length;
  network.name = describe_model(data);
  if (data.stages) {
    network.graph = &data.stages->rest;
    network.inputs = data.rest_inputs;
    return network;
  }
  network.graph = &data.graph;
  network.inputs = data.signature.inputs;
  network.declared = data.declared;
  for (std::size_t i = 0; i < network.inputs.size(); ++i) {
    DataDesc& input = network.inputs[i];
    if (input.is_guess && data.guessed_side) input.shape = data.guessed_side->open_shapes[i];
  }
  return network;
}

/// All possible batch sizes of batch_sizes().
std::size_t sizes_of_batches(int max_batch) {
  std::size_t sizes = 1;
  for (std::int64_t size = 2; size <= max_batch; size *= 2) ++sizes;
  return sizes;
}

std::vector<DataDesc> describe_states(const Sequences& sequences) {
  std::vector<DataDesc> descs;
  const SequenceLayout& layout = sequences.layout;
  if (layout.states.empty()) return descs;
  const std::int64_t length = layout.known_length;
  const SequenceNetwork& network = sequences.networks[sequences.network_of(length)];
  const auto types = batch_types(network, layout, 1, length);
  for (const StatePair& state : layout.states) {
    DataDesc desc;
    desc.name = layout.inputs[state.input].name;
    desc.shape = types[state.input].shape;
    desc.dtype = types[state.input].dtype;
    descs.push_back(std::move(desc));
  }
  return descs;
}

std::shared_ptr<const Sequences> finish(std::shared_ptr<Sequences> sequences,
                                        const SequenceOptions& options) {
  if (options.max_batch < 1) {
    fail(ErrorCode::invalid_argument, "SequenceOptions::max_batch is ", options.max_batch,
         "; expected 1 or more");
  }
  sequences->padding.pad_side = options.pad_side.value_or(Side::right);
  sequences->padding.pad_value = options.pad_value.value_or(0.0);
  sequences->padding.too_long = options.too_long.value_or(TooLong::truncate);
  sequences->padding.truncate_side = options.truncate_side.value_or(Side::right);
  sequences->cuts = options.cut_outputs;
  sequences->name = sequences->networks.back().name;
  sequences->layout = sequence_layout(sequences->networks, options);
  sequences->max_batch = sequences->layout.batch.value_or(options.max_batch);
  const std::size_t input = sequences->layout.sequence;
  check_pad_value(sequences->padding.pad_value, sequences->networks.back().inputs[input],
                  sequences->layout.inputs[input].rows, "SequenceOptions::pad_value", sequences->name);
  sequences->state_descs = describe_states(*sequences);
  return sequences;
}

}  // namespace

BucketNetwork::BucketNetwork(const Model& m, const runtime::Planner& like,
                             const std::shared_ptr<runtime::MemoryBudget>& memory)
    : model(m),
      planner(describe_model(data_of(m)), like.options(), *data_of(m).weights),
      network(data_of(m).optimised.of(data_of(m), runtime::goal_of(like.options()))),
      executor(network->graph, memory, planner) {}

SequenceOptions with_stated(const Model& model, SequenceOptions options) {
  const auto& file = data_of(model).file_signature;
  if (!file || !file->sequence) return options;
  const formats::FileSequence& stated = *file->sequence;
  if (options.sequence_input.empty()) options.sequence_input = stated.ids;
  if (options.length_input.empty()) options.length_input = stated.length;
  if (options.buckets.empty()) options.buckets = stated.buckets;
  if (!options.pad_side) options.pad_side = stated.pad_side;
  if (!options.pad_value) options.pad_value = stated.pad_value;
  if (!options.too_long) options.too_long = stated.too_long;
  if (!options.truncate_side) options.truncate_side = stated.truncate_side;
  return options;
}

Model network_of(const Model& model) {
  const auto parts = text_parts(model);
  return parts ? parts->network : model;
}

Options with_room_for_plans(const Model& model, const SequenceOptions& options) {
  Options roomy = options.options;
  // If the model takes texts, the network has the buckets stated in the file of the whole model.
  const std::size_t plans = with_stated(model, options).buckets.size() * sizes_of_batches(options.max_batch);
  roomy.max_plans = std::max(roomy.max_plans, plans);
  return roomy;
}

std::shared_ptr<const Sequences> make_sequences(const Predictor& predictor, const SequenceOptions& options) {
  auto& impl = PredictorAccess::impl(predictor);
  if (data_of(impl.model).takes_items) {
    fail(ErrorCode::unsupported, describe_model(impl.data()), " takes files, not sequences");
  }
  auto sequences = std::make_shared<Sequences>();
  sequences->networks.push_back(network_for(impl.model, 0));
  sequences->executors.push_back(&impl.list_executor());
  return finish(std::move(sequences), with_stated(impl.model, options));
}

std::shared_ptr<const Sequences> make_sequences(const Predictor& predictor, const BucketedModel& model,
                                                const SequenceOptions& options) {
  auto& impl = PredictorAccess::impl(predictor);
  auto sequences = std::make_shared<Sequences>();
  for (const std::int64_t key : model.keys()) {
    const Model& of_key = model.model(key);
    sequences->networks.push_back(network_for(of_key, key));
    if (key == model.keys().back()) {
      sequences->executors.push_back(&impl.list_executor());
      continue;
    }
    impl.bucket_networks.push_back(std::make_unique<BucketNetwork>(of_key, impl.planner, impl.memory));
    sequences->executors.push_back(&impl.bucket_networks.back()->executor);
  }
  return finish(std::move(sequences), with_stated(impl.model, options));
}

}  // namespace mxinfer::api
