// Creates the data of a SequencePredictor from a model and options.
#pragma once

#include <mxinfer/sequence/sequence_predictor.h>

#include <memory>

#include "api/sequence/sequences.h"

namespace mxinfer::api {

/// The network behind the texts if the model takes texts; otherwise the model itself.
Model network_of(const Model& model);

/// Completes the options from the model's file.
SequenceOptions with_stated(const Model& model, SequenceOptions options);

/// Options with room for the plans of all buckets, so that none evicts another.
Options with_room_for_plans(const Model& model, const SequenceOptions& options);

/// Of one network; of the networks of all buckets. Throws as SequencePredictor().
std::shared_ptr<const SequenceAccess::Sequences> make_sequences(const Predictor& predictor,
                                                                const SequenceOptions& options);
std::shared_ptr<const SequenceAccess::Sequences> make_sequences(const Predictor& predictor,
                                                                const BucketedModel& model,
                                                                const SequenceOptions& options);

}  // namespace mxinfer::api
