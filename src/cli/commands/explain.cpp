// mxinfer explain: shows the plan for given input shapes: which kernel computes each node, and why.
#include <mxinfer/predictor.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/options/chosen_shapes.h"
#include "cli/options/options.h"
#include "cli/output/output.h"

namespace mxinfer::cli {
namespace {

struct ExplainOptions : ModelOptions {
  std::vector<std::string> shapes;
};

Json step_json(const StepInfo& step) {
  Json rejected = Json::array();
  for (const RejectedImplementation& other : step.rejected)
    rejected.push_back({{"kernel", other.name}, {"reason", other.reason}});
  return {{"node", step.node},     {"op", step.op},
          {"output", step.output}, {"device", step.device},
          {"kernel", step.kernel}, {"reason", step.reason},
          {"rejected", rejected},  {"notes", step.notes},
          {"flops", step.flops},   {"predicted_ms", step.predicted_ms}};
}

Json plan_json(const PlanInfo& plan) {
  Json steps = Json::array();
  for (const StepInfo& step : plan.steps) steps.push_back(step_json(step));
  return {{"target", plan.target},
          {"precision", plan.precision},
          {"device", plan.device},
          {"devices", plan.devices},
          {"device_bytes", plan.device_bytes},
          {"steps_on_cpu", plan.steps_on_cpu},
          {"threads", plan.threads},
          {"arena_bytes", plan.arena_bytes},
          {"intermediate_bytes", plan.intermediate_bytes},
          {"packed_weight_bytes", plan.packed_weight_bytes},
          {"warnings", plan.warnings},
          {"steps", steps}};
}

int run_explain(const ExplainOptions& options) {
  const std::vector<NamedShape> given = parse_named_shapes(options.shapes);
  const Predictor predictor(load_model(options, load_options(options)), run_options(options));
  say_chosen_shapes(predictor, given);
  const PlanInfo plan = predictor.explain(given);
  print_warnings(plan.warnings);
  if (options.json) {
    print_json(plan_json(plan));
  } else {
    std::cout << to_string(plan);
  }
  return 0;
}

}  // namespace

void add_explain(CLI::App& app, Run& run) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand(
      "explain", "Show the execution plan: the kernel of each node, and why it was chosen");
  add_model_options(*command, *options);
  add_shape_option(*command, options->shapes);
  add_general_options(*command, options->json);
  command->footer(
      "Examples:\n"
      "  mxinfer explain resnet18_v1 --shape data=1,3,224,224\n"
      "  mxinfer explain resnet18_v1 --shape data=8,3,224,224 --threads 2 --target avx2 --json");
  command->callback([&run, options] { run = [options] { return run_explain(*options); }; });
}

}  // namespace mxinfer::cli
