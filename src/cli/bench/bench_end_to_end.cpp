#include "cli/bench/bench_end_to_end.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "cli/bench/end_to_end_graph.h"
#include "cli/output/output.h"

namespace mxinfer::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kSide = 300;

/// A model for one shape, with outputs of its own.
class Stage {
 public:
  Stage(const Model& model, const Options& options, const TensorView& input)
      : predictor_(model, options), input_(input) {
    const std::string& name = predictor_.model().signature().inputs[0].name;
    for (const DataDesc& output : predictor_.output_shapes({{name, input.shape()}}))
      outputs_.emplace_back(output.dtype, output.shape);
    run();
  }
  void run() { predictor_.predict_into({input_}, outputs_); }
  TensorView output() const { return outputs_[0].view(); }
  const Predictor& predictor() const { return predictor_; }

 private:
  Predictor predictor_;
  TensorView input_;
  std::vector<Tensor> outputs_;
};

Tensor noise(std::int64_t batch) {
  Tensor images(DType::uint8, {batch, kSide, kSide, 3});
  std::mt19937 generator(1);
  for (std::int64_t i = 0; i < images.elements(); ++i)
    images.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(generator() >> 24);
  return images;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Milliseconds of each call.
struct Times {
  std::vector<double> fused, separate, network, transforms_fused, transforms_separate;
};

template <typename Work>
double time_of(const Work& work) {
  const Clock::time_point start = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Times measure(const NetworkFiles& network, const Options& options, std::int64_t batch, std::int64_t runs) {
  const Tensor images = noise(batch);
  Stage resize(load_steps({"resize"}), options, images.view());
  Stage to_tensor(load_steps({"to_tensor"}), options, resize.output());
  Stage normalize(load_steps({"normalize"}), options, to_tensor.output());
  Stage bare(load_bare(network), options, normalize.output());
  Stage transforms(load_steps({"resize", "to_tensor", "normalize"}), options, images.view());
  Stage whole(load_with_steps(network, {"resize", "to_tensor", "normalize"}), options, images.view());
  Times times;
  for (std::int64_t i = 0; i < runs; ++i) {
    times.fused.push_back(time_of([&] { whole.run(); }));
    times.network.push_back(time_of([&] { bare.run(); }));
    times.transforms_fused.push_back(time_of([&] { transforms.run(); }));
    const double steps = time_of([&] {
      resize.run();
      to_tensor.run();
      normalize.run();
    });
    times.transforms_separate.push_back(steps);
    times.separate.push_back(steps + time_of([&] { bare.run(); }));
  }
  return times;
}

Json report_of(const Times& times, std::int64_t batch, std::int64_t runs) {
  const auto per_sample = [&](const std::vector<double>& values) {
    return median(values) / static_cast<double>(batch);
  };
  const double fused = per_sample(times.fused), transforms = per_sample(times.transforms_fused);
  const double separate = per_sample(times.separate), steps = per_sample(times.transforms_separate);
  return {{"batch", batch},
          {"runs", runs},
          {"end_to_end_ms", fused},
          {"end_to_end_separate_ms", separate},
          {"network_ms", per_sample(times.network)},
          {"transforms_ms", transforms},
          {"transforms_separate_ms", steps},
          {"transforms_share", transforms / fused},
          {"transforms_separate_share", steps / separate}};
}

void print_parts(const Json& report) {
  const auto text_of = [](const Json& row, const char* key) {
    return fixed(row.at(key).get<double>(), 3) + " ms";
  };
  const auto percent = [](const Json& row, const char* key) {
    return fixed(row.at(key).get<double>() * 100, 2) + " %";
  };
  Table table;
  table.add({"model", clean(report.at("model").get<std::string>())});
  table.add({"threads", report.at("threads").dump()});
  table.add({"target", report.at("target").get<std::string>()});
  for (const Json& row : report.at("batches")) {
    table.add(
        {"batch " + row.at("batch").dump(), "median of " + row.at("runs").dump() + " runs, per sample"});
    table.add({"  end to end, one model", text_of(row, "end_to_end_ms")});
    table.add({"  end to end, step by step", text_of(row, "end_to_end_separate_ms")});
    table.add({"  network alone", text_of(row, "network_ms")});
    table.add(
        {"  transforms alone, one model", text_of(row, "transforms_ms"), percent(row, "transforms_share")});
    table.add({"  transforms alone, step by step", text_of(row, "transforms_separate_ms"),
               percent(row, "transforms_separate_share")});
  }
  table.print(std::cout);
}

}  // namespace

int run_end_to_end(const ModelOptions& options, const EndToEndOptions& preset) {
  const NetworkFiles network =
      options.model.empty() ? random_resnet18() : read_network(options.model, options.params);
  const Options run = run_options(options);
  const PlanInfo plan = Predictor(load_bare(network), run).explain();
  Json report = {{"preset", "end-to-end"},
                 {"model", options.model.empty() ? "ResNet-18 v1, random weights" : options.model},
                 {"image", {kSide, kSide, 3}},
                 {"target", plan.target},
                 {"threads", plan.threads},
                 {"batches", Json::array()}};
  for (const int batch : preset.batches) {
    // The same number of samples for each batch size, but enough calls for a median.
    const std::int64_t runs = std::max(std::min(preset.runs, 15), preset.runs / batch);
    report["batches"].push_back(report_of(measure(network, run, batch, runs), batch, runs));
  }
  if (options.json) {
    print_json(report);
  } else {
    print_parts(report);
  }
  return 0;
}

}  // namespace mxinfer::cli
