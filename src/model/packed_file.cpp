#include "model/packed_file.h"

#include <mxinfer/version.h>

#include <algorithm>
#include <set>

#include "base/checksum.h"
#include "base/fail.h"
#include "base/files/aligned_memory.h"
#include "base/files/mapped_part.h"
#include "base/log.h"
#include "model/model_data.h"

namespace mxinfer::api {
namespace {

class Collector {
 public:
  void add(const graph::Graph& graph) {
    for (const graph::Node& node : graph.nodes) {
      if (node.constant && seen_.insert(node.constant.get()).second)
        found_.push_back({node.name, node.constant});
      for (const auto& body : node.subgraphs) add(*body);
    }
  }
  std::vector<PlacedParameter> take() { return std::move(found_); }

 private:
  std::set<const Parameter*> seen_;
  std::vector<PlacedParameter> found_;
};

// A compiler decides how sums are rounded, and weights of some algorithms are sums.
std::string library_text() {
  return concat(version(), ", ", build_info().compiler);
}

void offer_set(const formats::PackedSet& set, const PackedFile& file,
               const std::vector<PlacedParameter>& parameters, plan::WeightStore& store) {
  const auto bytes = static_cast<std::size_t>(set.place.bytes);
  const auto mapping = std::make_shared<const MappedPart>(file.bundle, set.place.offset, bytes);
  // An archive that another program has written again, or that follows other bytes.
  if (reinterpret_cast<std::uintptr_t>(mapping->data()) % kAlignment != 0) return;
  for (const formats::PackedEntry& entry : set.index.weights) {
    if (entry.bytes == 0 || entry.parameter >= parameters.size()) continue;
    const PlacedParameter& placed = parameters[entry.parameter];
    if (placed.name != entry.name) continue;
    store.offer(placed.parameter, entry.packing,
                {mapping, mapping->data() + entry.offset, entry.bytes, entry.checksum});
  }
}

}  // namespace

std::uint64_t symbol_key(std::string_view text) {
  return checksum64(text.data(), text.size());
}

formats::PackedKey packed_key(std::uint64_t symbol, const ModelData& data, const OptimisedModel& model) {
  // Those as they were loaded decide what the passes do; the optimised ones number the parameters.
  std::string graphs = concat(symbol, '\n');
  const auto append = [&](const graph::Graph& graph, const std::optional<passes::Stages>& stages) {
    graphs += graph::dump(graph) + '\n';
    if (!stages) return;
    for (const passes::ItemStage& item : stages->items) graphs += graph::dump(item.graph) + '\n';
    graphs += graph::dump(stages->rest) + '\n';
  };
  append(data.graph, data.stages);
  append(model.graph, model.stages);
  return {library_text(), kernels::to_string(model.goal.target), kernels::to_string(model.goal.precision),
          checksum64(graphs.data(), graphs.size())};
}

std::vector<PlacedParameter> parameters_of(const OptimisedModel& model) {
  Collector collector;
  collector.add(model.graph);
  if (model.stages) {
    for (const passes::ItemStage& item : model.stages->items) collector.add(item.graph);
    collector.add(model.stages->rest);
  }
  return collector.take();
}

void offer_packed(const ModelData& data, const OptimisedModel& model) {
  if (model.goal.device != device::Kind::cpu) return;
  const formats::PackedKey key = packed_key(data.packed->symbol, data, model);
  const auto& sets = data.packed->sets;
  const auto set = std::find_if(sets.begin(), sets.end(), [&](const formats::PackedSet& candidate) {
    return candidate.index.key == key;
  });
  if (set == sets.end()) return;
  try {
    offer_set(*set, *data.packed, parameters_of(model), *data.weights);
  } catch (const Error& e) {
    // The file was cut since it was opened, or the process has no address space left for it.
    log_message(LogLevel::warning, "packed weights are not used: ", e.what());
  }
}

}  // namespace mxinfer::api
