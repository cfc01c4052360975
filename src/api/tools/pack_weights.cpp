#include "api/tools/pack_weights.h"

#include <mxinfer/predictor.h>

#include <map>
#include <utility>

#include "base/checksum.h"
#include "base/fail.h"
#include "formats/arrays/params.h"
#include "formats/json/symbol_json.h"
#include "load/load_model.h"
#include "model/model_data.h"
#include "sources/source.h"

namespace mxinfer::api {
namespace {

// As a bundle with packed weights is loaded: parameters stay where they are.
Model load(const std::string& symbol, Span<const std::byte> params) {
  RawModel raw;
  raw.name = "(to be packed)";
  raw.symbol = formats::parse_symbol(symbol);
  raw.has_params_file = !params.empty();
  if (!params.empty()) raw.params = formats::index_params(sources::from_memory(params, "params"));
  return ModelAccess::make(build_model(std::move(raw), {}));
}

void check_device(const Options& options) {
  if (options.device.empty() || options.device == "cpu") return;
  fail(ErrorCode::invalid_argument, "weights are packed for the CPU, but Options::device is '",
       printable(options.device), "'; leave it empty");
}

// What `made` has of the model's parameters. The order is that of the parameters.
formats::PackedToWrite set_of(formats::PackedKey key, const OptimisedModel& model,
                              const std::vector<plan::WeightStore::Made>& made) {
  formats::PackedToWrite set;
  set.index.key = std::move(key);
  const std::vector<PlacedParameter> parameters = parameters_of(model);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::map<std::string, const plan::PackedWeight*> by_packing;
    for (const auto& [parameter, packing, weight] : made) {
      if (parameter == parameters[i].parameter) by_packing.emplace(packing, weight.get());
    }
    for (const auto& [packing, weight] : by_packing) {
      if (weight->bytes() == 0) continue;
      set.bytes.emplace_back(weight->data(), weight->bytes());
      set.index.weights.push_back(
          {i, parameters[i].name, packing, 0, weight->bytes(), checksum64(weight->data(), weight->bytes())});
    }
  }
  return set;
}

}  // namespace

PackedWeightsOf::PackedWeightsOf(const std::string& symbol, Span<const std::byte> params,
                                 const std::vector<PackedFor>& wanted) {
  const Model model = load(symbol, params);
  for (const PackedFor& one : wanted) {
    check_device(one.options);
    Predictor(model, one.options).warmup(one.shapes);
  }
  const ModelData& data = data_of(model);
  made_ = data.weights->made();
  for (const auto& optimised : data.optimised.all())
    sets_.push_back(set_of(packed_key(symbol_key(symbol), data, *optimised), *optimised, made_));
}

}  // namespace mxinfer::api
