#include "cli/bench/bench_by_node.h"

#include <mxinfer/tools/step_times.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/output/output.h"

namespace mxinfer::cli {
namespace {

Json report_of(const StepTimes& times) {
  Json nodes = Json::array();
  for (std::size_t i = 0; i < times.steps.size(); ++i) {
    const StepInfo& step = times.steps[i];
    nodes.push_back({{"node", step.node},
                     {"op", step.op},
                     {"output", step.output},
                     {"kernel", step.kernel},
                     {"flops", step.flops},
                     {"median_ms", times.median_ms[i]}});
  }
  return {{"target", times.target},
          {"threads", times.threads},
          {"calls", times.calls},
          {"sum_ms", std::accumulate(times.median_ms.begin(), times.median_ms.end(), 0.0)},
          {"nodes", nodes}};
}

void print_text(const StepTimes& times) {
  const double total = std::accumulate(times.median_ms.begin(), times.median_ms.end(), 0.0);
  Table table;
  table.add({"ms", "share", "GFLOP/s", "kernel", "node"});
  for (std::size_t i = 0; i < times.steps.size(); ++i) {
    const StepInfo& step = times.steps[i];
    const double ms = times.median_ms[i];
    table.add({fixed(ms, 3), fixed(ms / total * 100, 1) + " %",
               step.flops > 0 ? fixed(step.flops / ms * 1e-6, 1) : "-", step.kernel,
               clean(step.node + " (" + step.op + ") " + step.output)});
  }
  table.print(std::cout);
  std::cout << fixed(total, 3) << " ms in all; medians of " << times.calls << " calls, target "
            << times.target << ", " << times.threads << (times.threads == 1 ? " thread\n" : " threads\n");
}

}  // namespace

int run_by_node(const ModelOptions& options, const Model& model, const std::vector<TensorView>& inputs,
                double seconds) {
  const StepTimes times = time_steps(model, run_options(options), Span<const TensorView>(inputs), seconds);
  if (options.json) {
    print_json(report_of(times));
  } else {
    print_text(times);
  }
  return 0;
}

}  // namespace mxinfer::cli
