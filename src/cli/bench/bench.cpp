// mxinfer bench: measures the latency, throughput and memory of a predictor.
#include <mxinfer/predictor.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/bench/bench_by_node.h"
#include "cli/bench/bench_callers.h"
#include "cli/bench/bench_end_to_end.h"
#include "cli/commands/commands.h"
#include "cli/options/chosen_shapes.h"
#include "cli/options/options.h"
#include "cli/options/value_checks.h"
#include "cli/output/output.h"

namespace mxinfer::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct BenchOptions : ModelOptions {
  std::vector<std::string> shapes;
  double seconds = 3;
  int concurrency = 1;
  bool async = false;
  bool by_node = false;
  std::string preset;
  EndToEndOptions end_to_end;
};

std::int64_t samples_in(const DataDesc& input, const Shape& shape) {
  const std::optional<std::size_t> batch = batch_axis(input);
  return batch && *batch < shape.rank() ? shape[*batch] : 1;
}

double peak_rss_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;  // Linux counts kilobytes
}

void print_rates(const Json& report) {
  Table table;
  const auto add_number = [&](const char* title, const char* key, const char* unit) {
    table.add({title, fixed(report.at(key).get<double>(), 3) + unit});
  };
  table.add({"model", clean(report.at("model").get<std::string>())});
  table.add({"shapes", clean(report.at("shapes").dump(-1, ' ', false, Json::error_handler_t::replace))});
  table.add({"target", report.at("target").get<std::string>()});
  table.add({"precision", report.at("precision").get<std::string>()});
  std::string devices;
  for (const Json& device : report.at("devices"))
    devices += (devices.empty() ? "" : ", ") + device.get<std::string>();
  if (devices != "cpu") table.add({"device", devices});
  const char* const who = report.at("async").get<bool>() ? " in flight" : " callers";
  table.add(
      {"threads", report.at("threads").dump() + " for each of " + report.at("concurrency").dump() + who});
  table.add({"calls", report.at("calls").dump()});
  add_number("min", "min_ms", " ms");
  add_number("median", "median_ms", " ms");
  add_number("p99", "p99_ms", " ms");
  add_number("samples", "per_second", " per second");
  add_number("loading", "load_ms", " ms");
  add_number("first call", "first_ms", " ms, including planning and packing weights");
  add_number("peak memory", "peak_rss_mb", " MB");
  table.print(std::cout);
}

/// Each call runs on one device.
void warn_of_idle_devices(const PlanInfo& plan, int concurrency) {
  const std::size_t devices = plan.devices.size();
  if (static_cast<std::size_t>(concurrency) >= devices) return;
  print_warnings({std::to_string(concurrency) +
                  (concurrency == 1 ? " call at a time uses " : " calls at a time use ") +
                  std::to_string(concurrency) + " of " + std::to_string(devices) +
                  " devices; give --concurrency " + std::to_string(devices) + " or more"});
}

Options bench_options(const BenchOptions& options) {
  Options run = run_options(options);
  run.async.max_in_flight = std::max(run.async.max_in_flight, options.concurrency);
  return run;
}

int run_bench(const BenchOptions& options) {
  if (!options.preset.empty()) return run_end_to_end(options, options.end_to_end);
  if (options.model.empty()) throw UsageError("bench requires MODEL, or --preset end-to-end");
  const std::vector<NamedShape> given = parse_named_shapes(options.shapes);
  const Clock::time_point begin = Clock::now();
  const Predictor predictor(load_model(options, load_options(options)), bench_options(options));
  const Clock::time_point loaded = Clock::now();
  const Model& model = predictor.model();
  const std::vector<NamedShape> shapes = chosen_shapes(predictor, given);
  if (options.by_node) {
    std::vector<Tensor> inputs = make_inputs(model, shapes);
    return run_by_node(options, model, {inputs.begin(), inputs.end()}, options.seconds);
  }
  const Clock::time_point first = Clock::now();
  predictor.warmup(shapes);
  const double first_ms = milliseconds(Clock::now() - first);
  const PlanInfo plan = predictor.explain(shapes);
  print_warnings(plan.warnings);
  warn_of_idle_devices(plan, options.concurrency);
  const CallWay way = options.async ? CallWay::asynchronous : CallWay::synchronous;
  const LoadTimes measured = run_load(predictor, shapes, {options.concurrency, way, options.seconds});

  Json shape_report = Json::object();
  for (const auto& [name, shape] : shapes) shape_report[name] = to_json(shape);
  const std::int64_t samples = shapes.empty() ? 1 : samples_in(model.signature().inputs[0], shapes[0].second);
  const double calls = static_cast<double>(measured.call_ms.size());
  const Json report = {{"model", options.model},
                       {"shapes", shape_report},
                       {"target", plan.target},
                       {"precision", plan.precision},
                       {"devices", plan.devices},
                       {"threads", plan.threads},
                       {"concurrency", options.concurrency},
                       {"async", options.async},
                       {"calls", measured.call_ms.size()},
                       {"min_ms", measured.call_ms.front()},
                       {"median_ms", percentile(measured.call_ms, 0.5)},
                       {"p99_ms", percentile(measured.call_ms, 0.99)},
                       {"per_second", calls * static_cast<double>(samples) / measured.elapsed_s},
                       {"load_ms", milliseconds(loaded - begin)},
                       {"first_ms", first_ms},
                       {"peak_rss_mb", peak_rss_mb()}};
  if (options.json) {
    print_json(report);
  } else {
    print_rates(report);
  }
  return 0;
}

}  // namespace

void add_bench(CLI::App& app, Run& run) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "Measure latency, throughput and memory");
  add_model_options(*command, *options);
  add_shape_option(*command, options->shapes);
  number(command->add_option("--seconds", options->seconds, "Measure for S seconds (default 3)"), 0.001,
         86400.0)
      ->type_name("S");
  whole_number(command->add_option("--concurrency", options->concurrency,
                                   "Number of concurrent callers of one predictor (default 1)"),
               1, 1024)
      ->type_name("K");
  CLI::Option* const async = command->add_flag(
      "--async", options->async,
      "Keep K predictions in flight from one caller (predict_into_async) instead of running K callers");
  command->add_flag("--by-node", options->by_node,
                    "Print the time of each node, measured step by step on one caller");
  command->get_option("MODEL")->required(false);
  one_of(
      command->add_option(
          "--preset", options->preset,
          "end-to-end: measure a network with resize, to_tensor and normalize of 300 x 300 images, and the "
          "share of these transforms; MODEL is a prefix (default: ResNet-18 with random weights)"),
      {"end-to-end"})
      ->type_name("NAME");
  async->excludes("--by-node", "--preset");
  whole_number(
      command->add_option("--runs", options->end_to_end.runs,
                          "Number of calls of the preset at batch 1; fewer at larger batches (default 500)"),
      1, 1000000)
      ->type_name("N");
  whole_number(
      command->add_option("--batch", options->end_to_end.batches, "Batch sizes of the preset (default 1,25)"),
      1, 4096)
      ->delimiter(',')
      ->type_name("N,...");
  add_general_options(*command, options->json);
  command->footer(
      "The model is warmed up first. Latency is the time of one call; with --async, the time from its "
      "submission until the caller sees its end. Throughput counts the samples of all callers.\n\n"
      "Examples:\n"
      "  mxinfer bench resnet18_v1 --shape data=1,3,224,224 --threads 1 --seconds 5\n"
      "  mxinfer bench resnet18_v1 --shape data=8,3,224,224 --concurrency 4 --json\n"
      "  mxinfer bench resnet18_v1 --shape data=1,3,224,224 --concurrency 16 --async --seconds 5\n"
      "  mxinfer bench resnet18_v1 --shape data=1,3,224,224 --threads 1 --by-node\n"
      "  mxinfer bench --preset end-to-end --threads 1");
  command->callback([&run, options] { run = [options] { return run_bench(*options); }; });
}

}  // namespace mxinfer::cli
