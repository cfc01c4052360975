// The weights that a model's file has packed: which of them belong to an optimised graph.
//
//   offer_packed(data, optimised);       // plans of the graph then take them from data.weights
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/regular_file.h"
#include "formats/archive/packed_index.h"
#include "formats/files/archived_model.h"
#include "passes/goal.h"
#include "tensor/parameter.h"

namespace mxinfer::api {

struct ModelData;
struct OptimisedModel;

struct PackedFile {
  explicit PackedFile(const std::string& path) : bundle(path) {}

  RegularFile bundle;        ///< stays open, as the file may be replaced
  std::uint64_t symbol = 0;  ///< symbol_key() of the graph that was loaded
  std::vector<formats::PackedSet> sets;
};

/// Of a symbol file's text.
std::uint64_t symbol_key(std::string_view text);

/// The key of what plans of `model` pack. The passes depend on nothing but the parameters, the goal and the
/// graphs as they were loaded, so the same key and parameters give the same weights.
formats::PackedKey packed_key(std::uint64_t symbol, const ModelData& data, const OptimisedModel& model);

/// A parameter of optimised graphs, and the name of its variable.
struct PlacedParameter {
  std::string name;
  std::shared_ptr<const Parameter> parameter;
};
/// Each once, in an order that depends on the graphs alone.
std::vector<PlacedParameter> parameters_of(const OptimisedModel& model);

/// Offers the weights of data.packed that were packed for the goal of the model to data.weights. What cannot
/// be used is passed over. Precondition: data.packed is there.
void offer_packed(const ModelData& data, const OptimisedModel& model);

}  // namespace mxinfer::api
