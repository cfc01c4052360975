#include <mxinfer/tools/quantize.h>
#include <mxinfer/version.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "api/quantize/choose_layers.h"
#include "api/quantize/compared_values.h"
#include "api/quantize/observe.h"
#include "api/quantize/sample_runs.h"
#include "api/quantize/write_quantized.h"
#include "base/fail.h"
#include "compose/quantize/layers.h"
#include "compose/quantize/prepare_graph.h"
#include "compose/quantize/rewrite.h"
#include "formats/json/quantization_json.h"
#include "formats/json/symbol_json.h"
#include "load/load_model.h"

namespace mxinfer {
namespace {

using graph::Graph;

void check_quantize_options(const CalibrationSamples& samples, const QuantizeOptions& options) {
  if (samples.count == 0 || !samples.read) {
    fail(ErrorCode::invalid_argument,
         "there are no samples to calibrate with; give some of what the model will run on");
  }
  if (!(options.percentile > 0 && options.percentile <= 100)) {
    fail(ErrorCode::invalid_argument, "QuantizeOptions::percentile is ", options.percentile,
         "; expected a number above 0, to 100");
  }
  if (!(options.max_drop >= 0 && options.max_drop <= 1)) {
    fail(ErrorCode::invalid_argument, "QuantizeOptions::max_drop is ", options.max_drop,
         "; expected a number from 0 to 1");
  }
}

void refuse_quantized(const Graph& graph) {
  if (!api::has_8bit_operators(graph) && graph.attrs.count(formats::kQuantizationAttribute) == 0) return;
  fail(ErrorCode::invalid_argument,
       "it is quantized already; quantize the float32 model that it was made of");
}

std::string product_name(const Graph& graph, const api::EightBitLayer& layer) {
  return graph.nodes[static_cast<std::size_t>(layer.product)].name;
}

/// By layer: whether the caller lets it compute with 8 bits.
std::vector<bool> allowed_layers(const Graph& graph, const std::vector<api::EightBitLayer>& layers,
                                 const std::vector<std::string>& keep_float) {
  std::set<std::string> kept(keep_float.begin(), keep_float.end());
  std::vector<bool> allowed;
  for (const api::EightBitLayer& layer : layers)
    allowed.push_back(kept.count(product_name(graph, layer)) == 0);
  for (const api::EightBitLayer& layer : layers) kept.erase(product_name(graph, layer));
  for (const api::LeftOutLayer& layer : api::left_out_layers(graph)) kept.erase(layer.name);
  if (!kept.empty()) {
    fail(ErrorCode::invalid_argument, "'", printable(*kept.begin()),
         "' is to stay float32, but no convolution or dense layer has this name; `mxinfer inspect --nodes` "
         "lists the nodes");
  }
  return allowed;
}

/// Sizes that were guessed become those of the samples.
Signature signature_of(const api::ModelData& model, const std::vector<Tensor>& sample) {
  Signature signature = model.signature;
  for (std::size_t i = 0; i < signature.inputs.size() && i < sample.size(); ++i) {
    DataDesc& input = signature.inputs[i];
    if (!input.is_guess || input.shape.rank() != sample[i].shape().rank()) continue;
    const auto batch = batch_axis(input);
    for (std::size_t d = 0; d < input.shape.rank(); ++d) {
      if (batch != d) input.shape[d] = sample[i].shape()[d];
    }
    input.is_guess = false;
  }
  return signature;
}

double median_ms(const Predictor& predictor, const std::vector<Tensor>& inputs) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kMostCalls = 21;
  constexpr double kMostMs = 1000;
  const std::vector<TensorView> views = api::input_views(inputs);
  (void)predictor.predict(Span<const TensorView>(views));  // makes the plan
  std::vector<double> times;
  double all = 0;
  while (times.size() < kMostCalls && all < kMostMs) {
    const Clock::time_point start = Clock::now();
    (void)predictor.predict(Span<const TensorView>(views));
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    all += times.back();
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

std::string why_float(const api::LayerChoice& choice, std::size_t layer, double max_drop) {
  return concat("it is among the layers with the most noise: with all layers in 8 bits, results differed by ",
                choice.drop_of_all, ", more than the ", max_drop, " that is allowed (signal to noise ",
                choice.noise_db[layer], " dB)");
}

std::vector<QuantizedLayer> layer_report(const Graph& graph, const std::vector<api::EightBitLayer>& layers,
                                         const std::vector<bool>& allowed, const api::LayerChoice& choice,
                                         double max_drop) {
  std::vector<QuantizedLayer> report;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const graph::Node& product = graph.nodes[static_cast<std::size_t>(layers[i].product)];
    QuantizedLayer layer{product.name, product.op->name, choice.noise_db[i], ""};
    if (!allowed[i])
      layer.float_because = "the caller keeps it float32";
    else if (!choice.enabled[i])
      layer.float_because = why_float(choice, i, max_drop);
    report.push_back(std::move(layer));
  }
  for (const api::LeftOutLayer& left_out : api::left_out_layers(graph))
    report.push_back({left_out.name, left_out.op, std::nan(""), left_out.reason});
  return report;
}

formats::Quantization metadata_of(const QuantizeReport& report, const QuantizeOptions& options) {
  formats::Quantization made;
  made.producer = concat("mxinfer ", version());
  made.method = to_string(options.method);
  if (options.method == CalibrationMethod::percentile) made.percentile = options.percentile;
  made.samples = static_cast<std::int64_t>(report.samples);
  made.max_drop = options.max_drop;
  for (const QuantizedLayer& layer : report.layers) {
    if (layer.float_because.empty())
      ++made.layers;
    else
      made.float_layers.push_back({layer.name, layer.float_because});
  }
  made.top1_agreement = report.top1_agreement;
  if (report.output_snr_db && std::isfinite(*report.output_snr_db)) made.output_snr_db = report.output_snr_db;
  return made;
}

/// The steps of quantize_model(), with what they share.
class Quantization {
 public:
  Quantization(api::RawModel raw, const LoadOptions& load, const CalibrationSamples& samples,
               const QuantizeOptions& options)
      : raw_(std::move(raw)),
        load_(load),
        options_(options),
        model_(api::build_model(raw_, load, api::Purpose::inspect)),
        first_sample_(checked_first_sample(samples)),
        graph_(prepared()),
        layers_(api::find_layers(graph_)),
        allowed_(allowed_layers(graph_, layers_, options.keep_float)),
        runs_(*model_, load, samples, options) {
    report_.method = options.method;
    report_.samples = samples.count;
  }

  QuantizeReport run(const std::string& bundle) {
    if (std::find(allowed_.begin(), allowed_.end(), true) == allowed_.end()) fail_without_layers();
    const auto compared = api::compared_values(*model_, graph_, layers_);
    runs_.expect(runs_.count() * (1 + api::most_evaluations(layers_.size())));
    const api::Observed observed =
        api::observe(runs_, graph_, api::values_to_observe(graph_, layers_), compared);
    const auto ranges = api::ranges_of(observed, {options_.method, options_.percentile});
    const auto range_of = [&](graph::Value value) { return ranges.at(value); };
    const api::LayerChoice choice = api::choose_layers(runs_, {graph_, layers_, compared, observed, range_of},
                                                       allowed_, options_.max_drop);
    if (std::find(choice.enabled.begin(), choice.enabled.end(), true) == choice.enabled.end())
      fail_at_limit(choice);
    Graph quantized = api::with_8bit_layers({graph_, layers_, choice.enabled, range_of});
    report_.layers = layer_report(graph_, layers_, allowed_, choice, options_.max_drop);
    report_.top1_agreement = choice.agreement.top1();
    report_.output_snr_db = choice.agreement.snr_db();
    measure(quantized);
    warn_of_few_samples();
    api::write_quantized({*model_, std::move(quantized), metadata_of(report_, options_)}, load_, runs_,
                         bundle);
    return std::move(report_);
  }

 private:
  /// Before the first sample runs.
  std::vector<Tensor> checked_first_sample(const CalibrationSamples& samples) const {
    formats::require_supported(formats::unsupported_ops(model_->graph));
    refuse_quantized(model_->graph);
    return samples.read(0);
  }

  Graph prepared() {
    const Signature signature = signature_of(*model_, first_sample_);
    api::state_signature(model_->graph, *model_, signature, raw_, load_);
    return api::prepare_for_quantization(model_->graph, signature);
  }

  [[noreturn]] void fail_without_layers() const {
    const auto left_out = api::left_out_layers(graph_);
    fail(ErrorCode::unsupported, "it has no layer to quantize: ",
         !layers_.empty()   ? std::string("all convolutions and dense layers are to stay float32")
         : left_out.empty() ? std::string("no Convolution or FullyConnected")
                            : concat("'", printable(left_out[0].name), "' (", left_out[0].op,
                                     ") cannot be, because ", left_out[0].reason),
         "; run the float32 model");
  }

  [[noreturn]] void fail_at_limit(const api::LayerChoice& choice) const {
    fail(ErrorCode::unsupported, "no layer can compute with 8 bits: results of the samples then differ by ",
         choice.drop_of_all, " with all layers, and by more than ", options_.max_drop,
         " (QuantizeOptions::max_drop) even with the best one alone; calibrate with more or other "
         "samples or another method, or allow more");
  }

  void measure(const Graph& quantized) {
    report_.parameter_bytes_before = api::parameter_bytes(model_->graph);
    report_.parameter_bytes_after = api::parameter_bytes(quantized);
    report_.ms_before = median_ms(runs_.predictor(model_->graph, {}), first_sample_);
    report_.ms_after = median_ms(runs_.predictor(quantized, {}), first_sample_);
  }

  void warn_of_few_samples() {
    constexpr std::size_t kFewSamples = 20;
    if (runs_.count() >= kFewSamples) return;
    report_.warnings.push_back(concat("only ", runs_.count(), runs_.count() == 1 ? " sample" : " samples",
                                      ": values of other inputs may exceed the ranges; calibrate with 100 or "
                                      "more"));
  }

  api::RawModel raw_;
  const LoadOptions& load_;
  const QuantizeOptions& options_;
  std::unique_ptr<api::ModelData> model_;
  std::vector<Tensor> first_sample_;
  Graph graph_;
  std::vector<api::EightBitLayer> layers_;
  std::vector<bool> allowed_;
  api::SampleRuns runs_;
  QuantizeReport report_;
};

}  // namespace

QuantizeReport MXINFER_ABI::quantize_model(const std::string& network, const CalibrationSamples& samples,
                                           const std::string& bundle, const QuantizeOptions& options,
                                           const LoadOptions& load) try {
  check_quantize_options(samples, options);
  return in_context([&] { return printable(network); },
                    [&] {
                      Quantization quantization(api::read_model(network, load), load, samples, options);
                      return quantization.run(bundle);
                    });
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
