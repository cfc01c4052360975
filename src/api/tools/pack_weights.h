// Packs the weights of a model, to be stored in a bundle.
//
//   const PackedWeightsOf packed(symbol, params, options.packed_for);
//   bundle.packed = packed.sets();          // while `packed` lives
//
// Internal to this folder.
#pragma once

#include <mxinfer/span.h>
#include <mxinfer/tools/bundle.h>

#include <memory>
#include <string>
#include <vector>

#include "formats/archive/write_bundle.h"
#include "plan/lower/weight_store.h"

namespace mxinfer::api {

class PackedWeightsOf {
 public:
  /// Throws as Model::load, Predictor and Predictor::warmup, and Error(invalid_argument) for a device.
  PackedWeightsOf(const std::string& symbol, Span<const std::byte> params,
                  const std::vector<PackedFor>& wanted);

  const std::vector<formats::PackedToWrite>& sets() const { return sets_; }

 private:
  std::vector<plan::WeightStore::Made> made_;  ///< keeps the bytes
  std::vector<formats::PackedToWrite> sets_;
};

}  // namespace mxinfer::api
