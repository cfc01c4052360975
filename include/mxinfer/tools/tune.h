// Measures which kernel is fastest for each convolution of a model, if there are several.
//
//   mxinfer::Tuning tuning = mxinfer::tune_model(model, {}, {{"data", {1, 3, 224, 224}}});
//   mxinfer::save_tuning(tuning, "resnet18.tuning");
//   mxinfer::Options options;
//   options.tuning_file = "resnet18.tuning";
//   mxinfer::Predictor predictor(model, options);      // PlanInfo's reasons then say "tuned: ..."
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/model.h>
#include <mxinfer/predictor.h>
#include <mxinfer/tuning.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// Receives how many shapes are done, of how many, after each shape.
using TuneProgress = std::function<void(std::size_t done, std::size_t total)>;

/// Times every kernel of every convolution of the model, with the target, threads and precision of `options`.
/// Inputs that `input_shapes` does not name have the shape of the signature, with 1 for a free batch. Takes a
/// few hundred milliseconds per shape. Weights come from memory, as they do in a network. If sizes depend on
/// values (boolean_mask), only what runs before that is timed. Throws as Predictor::explain.
MXINFER_API Tuning tune_model(const Model& model, const Options& options,
                              const std::vector<NamedShape>& input_shapes = {},
                              const TuneProgress& progress = {});

}  // namespace MXINFER_ABI
}  // namespace mxinfer
