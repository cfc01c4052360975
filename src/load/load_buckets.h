// Loads the files of a bucketed model into the data of its networks, which share their parameters and packed
// weights.
#pragma once

#include <mxinfer/load_options.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/model_data.h"

namespace mxinfer::api {

struct LoadedBuckets {
  std::string name;
  std::vector<std::pair<std::int64_t, std::shared_ptr<const ModelData>>> networks;  ///< by rising key
};

/// Throws as BucketedModel::load.
LoadedBuckets load_buckets(const std::string& uri, const LoadOptions& options);

}  // namespace mxinfer::api
