#include "api/quantize/choose_layers.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "ops/op_def.h"

namespace mxinfer::api {
namespace {

std::vector<std::string> names_of_compared(const std::vector<ComparedValue>& compared) {
  std::vector<std::string> names;
  for (const ComparedValue& value : compared) names.push_back(value.name);
  return names;
}

class LayerSearch {
 public:
  LayerSearch(SampleRuns& runs, const CalibratedNetwork& network, const std::vector<bool>& may_be)
      : runs_(runs), network_(network), may_be_(may_be) {}

  LayerChoice run(double max_drop) {
    const std::vector<double> noise_db = measure_noise();
    const std::vector<std::size_t> ranking = worst_first(noise_db);
    LayerChoice best{may_be_, noise_db, agreement_of(may_be_), 0};
    best.drop_of_all = best.agreement.drop();
    if (best.drop_of_all <= max_drop) return best;
    // With all of them float32, nothing differs.
    std::size_t too_few = 0, enough = ranking.size();
    best.enabled = without(ranking, enough);
    best.agreement = Agreement(network_.compared);
    while (enough - too_few > 1) {
      const std::size_t middle = too_few + (enough - too_few) / 2;
      const std::vector<bool> enabled = without(ranking, middle);
      Agreement agreement = agreement_of(enabled);
      if (agreement.drop() > max_drop) {
        too_few = middle;
        continue;
      }
      enough = middle;
      best.enabled = enabled;
      best.agreement = std::move(agreement);
    }
    return best;
  }

 private:
  EightBitRequest request(const std::vector<bool>& enabled) const {
    return {network_.graph, network_.layers, enabled, network_.range_of};
  }

  /// Of each layer by itself, on the values of the float32 network.
  std::vector<double> measure_noise() {
    std::vector<std::string> names;
    std::vector<std::size_t> measured;
    for (std::size_t i = 0; i < network_.layers.size(); ++i) {
      if (!may_be_[i]) continue;
      const EightBitLayer& layer = network_.layers[i];
      measured.push_back(i);
      names.push_back(ops::output_name(network_.graph, layer.output));
      names.push_back(name_beside(network_.graph.nodes[static_cast<std::size_t>(layer.product)]));
    }
    std::vector<SignalNoise> noise(measured.size());
    runs_.each(beside_8bit_layers(request(may_be_)), names,
               [&](std::size_t, const std::vector<Tensor>& values) {
                 for (std::size_t i = 0; i < noise.size(); ++i)
                   noise[i].add(values.at(2 * i), values.at(2 * i + 1));
               });
    std::vector<double> decibels(network_.layers.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < noise.size(); ++i) decibels[measured[i]] = noise[i].decibels();
    return decibels;
  }

  std::vector<std::size_t> worst_first(const std::vector<double>& noise_db) const {
    std::vector<std::size_t> ranking;
    for (std::size_t i = 0; i < may_be_.size(); ++i) {
      if (may_be_[i]) ranking.push_back(i);
    }
    std::stable_sort(ranking.begin(), ranking.end(),
                     [&](std::size_t a, std::size_t b) { return noise_db[a] < noise_db[b]; });
    return ranking;
  }

  std::vector<bool> without(const std::vector<std::size_t>& ranking, std::size_t count) const {
    std::vector<bool> enabled = may_be_;
    for (std::size_t i = 0; i < count; ++i) enabled[ranking[i]] = false;
    return enabled;
  }

  Agreement agreement_of(const std::vector<bool>& enabled) {
    Agreement agreement(network_.compared);
    const std::vector<std::string> names = names_of_compared(network_.compared);
    const auto& kept = network_.observed.results;
    std::optional<Predictor> float_network;
    if (kept.empty()) float_network.emplace(runs_.predictor(network_.graph, names));
    runs_.each(with_8bit_layers(request(enabled)), names,
               [&](std::size_t sample, const std::vector<Tensor>& values) {
                 if (!float_network) return agreement.add(kept.at(sample), values);
                 const std::vector<Tensor> inputs = runs_.inputs_of(sample);
                 const std::vector<TensorView> views = input_views(inputs);
                 agreement.add(float_network->predict(Span<const TensorView>(views)), values);
               });
    return agreement;
  }

  SampleRuns& runs_;
  const CalibratedNetwork& network_;
  const std::vector<bool>& may_be_;
};

}  // namespace

LayerChoice choose_layers(SampleRuns& runs, const CalibratedNetwork& network, const std::vector<bool>& may_be,
                          double max_drop) {
  return LayerSearch(runs, network, may_be).run(max_drop);
}

std::size_t most_evaluations(std::size_t layers) {
  std::size_t evaluations = 2;  // the noise, and all layers
  for (std::size_t left = layers; left > 1; left = (left + 1) / 2) ++evaluations;
  return evaluations;
}

}  // namespace mxinfer::api
