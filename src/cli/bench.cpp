// mxinfer bench: how long a predict takes, and how many samples a second come out.
#include <mxinfer/predictor.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "cli/bench_by_node.h"
#include "cli/bench_end_to_end.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/value_checks.h"

namespace mxinfer::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct BenchOptions : ModelOptions {
  std::vector<std::string> shapes;
  double seconds = 3;
  int concurrency = 1;
  bool by_node = false;
  std::string preset;
  EndToEndOptions end_to_end;
};

struct Measurement {
  std::vector<double> call_ms;  ///< sorted
  double elapsed_s = 0;
};

double milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}
double seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/// Values in [0, 1) for float32, which exercise the arithmetic without denormals; zeros for other dtypes,
/// which are valid everywhere, as indices too.
Tensor make_input(DType dtype, const Shape& shape) {
  Tensor tensor(dtype, shape);
  if (dtype != DType::float32) return tensor;
  std::mt19937 generator(1);
  float* values = tensor.data<float>();
  for (std::int64_t i = 0; i < tensor.elements(); ++i)
    values[i] = static_cast<float>(generator() >> 8) * 0x1p-24f;
  return tensor;
}

std::vector<Tensor> make_inputs(const Model& model, const std::vector<NamedShape>& shapes) {
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    inputs.push_back(make_input(model.signature().inputs[i].dtype, shapes[i].second));
  return inputs;
}

/// One caller: runs until told to stop, into outputs of its own.
class Caller {
 public:
  Caller(const Predictor& predictor, const std::vector<NamedShape>& shapes)
      : predictor_(predictor), inputs_(make_inputs(predictor.model(), shapes)) {
    views_.assign(inputs_.begin(), inputs_.end());
    for (const DataDesc& output : predictor.output_shapes(shapes))
      outputs_.emplace_back(output.dtype, output.shape);
    call_ms_.reserve(1 << 16);
  }

  void warm_up_until(Clock::time_point end) {
    do predictor_.predict_into(views_, outputs_);
    while (Clock::now() < end);
  }

  void measure_until(Clock::time_point end) {
    Clock::time_point start = Clock::now();
    do {
      predictor_.predict_into(views_, outputs_);
      const Clock::time_point stop = Clock::now();
      call_ms_.push_back(milliseconds(stop - start));
      start = stop;
    } while (start < end);
  }

  const std::vector<double>& call_ms() const { return call_ms_; }

 private:
  const Predictor& predictor_;
  std::vector<Tensor> inputs_;
  std::vector<TensorView> views_;
  std::vector<Tensor> outputs_;
  std::vector<double> call_ms_;
};

/// Runs work(caller) for every caller at once, and passes on the first exception.
template <typename Work>
void run_all(std::vector<Caller>& callers, const Work& work) {
  if (callers.size() == 1) return work(callers[0]);
  std::vector<std::exception_ptr> failures(callers.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < callers.size(); ++i) {
    threads.emplace_back([&, i] {
      try {
        work(callers[i]);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

Measurement measure(const Predictor& predictor, const std::vector<NamedShape>& shapes,
                    const BenchOptions& options) {
  std::vector<Caller> callers;
  for (int i = 0; i < options.concurrency; ++i) callers.emplace_back(predictor, shapes);
  const auto as_duration = [](double s) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
  };

  const Clock::time_point warm = Clock::now() + as_duration(std::min(1.0, options.seconds / 5));
  run_all(callers, [warm](Caller& caller) { caller.warm_up_until(warm); });

  const Clock::time_point start = Clock::now();
  const Clock::time_point end = start + as_duration(options.seconds);
  run_all(callers, [end](Caller& caller) { caller.measure_until(end); });

  Measurement result;
  result.elapsed_s = seconds(Clock::now() - start);
  for (const Caller& caller : callers) {
    result.call_ms.insert(result.call_ms.end(), caller.call_ms().begin(), caller.call_ms().end());
  }
  std::sort(result.call_ms.begin(), result.call_ms.end());
  return result;
}

/// The smallest value that at least `share` of all values do not exceed.
double percentile(const std::vector<double>& sorted, double share) {
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

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
  table.add({"threads",
             report.at("threads").dump() + " for each of " + report.at("concurrency").dump() + " callers"});
  table.add({"calls", report.at("calls").dump()});
  add_number("min", "min_ms", " ms");
  add_number("median", "median_ms", " ms");
  add_number("p99", "p99_ms", " ms");
  add_number("samples", "per_second", " per second");
  add_number("loading", "load_ms", " ms");
  add_number("first call", "first_ms", " ms, its plan and packing weights included");
  add_number("peak memory", "peak_rss_mb", " MB");
  table.print(std::cout);
}

int run_bench(const BenchOptions& options) {
  if (!options.preset.empty()) return run_end_to_end(options, options.end_to_end);
  if (options.model.empty()) throw UsageError("bench wants MODEL, or --preset end-to-end");
  const std::vector<NamedShape> given = parse_named_shapes(options.shapes);
  const Clock::time_point begin = Clock::now();
  const Predictor predictor(load_model(options, load_options(options)), run_options(options));
  const Clock::time_point loaded = Clock::now();
  const Model& model = predictor.model();
  const std::vector<NamedShape> shapes = predictor.input_shapes(given);
  if (options.by_node) {
    std::vector<Tensor> inputs = make_inputs(model, shapes);
    return run_by_node(options, model, {inputs.begin(), inputs.end()}, options.seconds);
  }
  const Clock::time_point first = Clock::now();
  predictor.warmup(shapes);
  const double first_ms = milliseconds(Clock::now() - first);
  const PlanInfo plan = predictor.explain(shapes);
  print_warnings(plan.warnings);
  const Measurement measured = measure(predictor, shapes, options);

  Json shape_report = Json::object();
  for (const auto& [name, shape] : shapes) shape_report[name] = to_json(shape);
  const std::int64_t samples = shapes.empty() ? 1 : samples_in(model.signature().inputs[0], shapes[0].second);
  const double calls = static_cast<double>(measured.call_ms.size());
  const Json report = {{"model", options.model},
                       {"shapes", shape_report},
                       {"target", plan.target},
                       {"precision", plan.precision},
                       {"threads", plan.threads},
                       {"concurrency", options.concurrency},
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
  CLI::App* command = app.add_subcommand("bench", "Measure how long a predict takes, after a warm-up");
  add_model_options(*command, *options);
  add_shape_option(*command, options->shapes);
  number(command->add_option("--seconds", options->seconds, "How long to measure (default 3)"), 0.001,
         86400.0)
      ->type_name("S");
  whole_number(command->add_option("--concurrency", options->concurrency,
                                   "Callers at the same time on one predictor (default 1)"),
               1, 1024)
      ->type_name("K");
  command->add_flag("--by-node", options->by_node, "Print the time of each node, step by step on one caller");
  command->get_option("MODEL")->required(false);
  one_of(command->add_option(
             "--preset", options->preset,
             "end-to-end: the network behind resize, to_tensor and normalize of 300 x 300 images, and "
             "what of it they take; without MODEL (a prefix) ResNet-18 of random weights"),
         {"end-to-end"})
      ->type_name("NAME");
  whole_number(command->add_option("--runs", options->end_to_end.runs,
                                   "Calls of the preset at batch 1, fewer at larger ones (default 500)"),
               1, 1000000)
      ->type_name("N");
  whole_number(
      command->add_option("--batch", options->end_to_end.batches, "Batch sizes of the preset (default 1,25)"),
      1, 4096)
      ->delimiter(',')
      ->type_name("N,...");
  add_general_options(*command, options->json);
  command->footer(
      "Times are those of one call; samples are counted over all callers.\n\n"
      "Examples:\n"
      "  mxinfer bench resnet18_v1 --shape data=1,3,224,224 --threads 1 --seconds 5\n"
      "  mxinfer bench resnet18_v1 --shape data=8,3,224,224 --concurrency 4 --json\n"
      "  mxinfer bench resnet18_v1 --shape data=1,3,224,224 --threads 1 --by-node\n"
      "  mxinfer bench --preset end-to-end --threads 1");
  command->callback([&run, options] { run = [options] { return run_bench(*options); }; });
}

}  // namespace mxinfer::cli
