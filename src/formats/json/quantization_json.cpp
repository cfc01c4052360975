#include "formats/json/quantization_json.h"

#include <map>
#include <nlohmann/json.hpp>

#include "base/fail.h"

namespace mxinfer::formats {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const Quantization& quantization) {
  ordered_json out;
  out["version"] = kQuantizationVersion;
  out["producer"] = quantization.producer;
  out["method"] = quantization.method;
  if (quantization.percentile) out["percentile"] = *quantization.percentile;
  out["samples"] = quantization.samples;
  out["max_drop"] = quantization.max_drop;
  out["int8_layers"] = quantization.layers;
  out["float_layers"] = ordered_json::array();
  for (const FloatLayer& layer : quantization.float_layers)
    out["float_layers"].push_back({{"name", layer.name}, {"reason", layer.reason}});
  if (quantization.top1_agreement) out["top1_agreement"] = *quantization.top1_agreement;
  if (quantization.output_snr_db) out["output_snr_db"] = *quantization.output_snr_db;
  return out;
}

}  // namespace

void write_quantization(graph::Graph& graph, const Quantization& quantization) {
  try {
    graph.attrs[kQuantizationAttribute] = {"str", ordered_json(to_json(quantization).dump()).dump()};
  } catch (const nlohmann::json::exception&) {
    fail(ErrorCode::invalid_argument, "how the model was quantized cannot be written: a name is not UTF-8");
  }
}

void note_float_layers(graph::Graph& graph, const std::string& quantization_text) {
  const auto root = nlohmann::json::parse(quantization_text, nullptr, false);
  if (!root.is_object() || !root.contains("float_layers") || !root["float_layers"].is_array()) return;
  std::map<std::string, std::string> reasons;
  for (const auto& layer : root["float_layers"]) {
    if (!layer.is_object()) continue;
    const auto name = layer.find("name"), reason = layer.find("reason");
    if (name == layer.end() || reason == layer.end() || !name->is_string() || !reason->is_string()) continue;
    reasons[name->get<std::string>()] = reason->get<std::string>();
  }
  for (graph::Node& node : graph.nodes) {
    const auto found = reasons.find(node.name);
    if (found != reasons.end() && !node.is_variable())
      node.notes.push_back("stays float32: " + found->second);
  }
}

std::string quantization_text(const graph::Graph& graph) {
  const auto found = graph.attrs.find(kQuantizationAttribute);
  if (found == graph.attrs.end() || found->second.first != "str") return "";
  const auto value = nlohmann::json::parse(found->second.second, nullptr, false);
  if (!value.is_string()) return "";
  const auto& text = value.get_ref<const std::string&>();
  return nlohmann::json::accept(text) ? text : "";
}

}  // namespace mxinfer::formats
