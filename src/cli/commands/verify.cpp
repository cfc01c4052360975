// mxinfer verify: runs the sample stored in a model and compares the outputs.
#include <mxinfer/tools/verify.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/options/options.h"
#include "cli/output/output.h"

namespace mxinfer::cli {
namespace {

int run_verify(const ModelOptions& options) {
  const std::vector<OutputCheck> checks =
      verify_model(load_model(options, load_options(options)), run_options(options));
  Json report = Json::array();
  Table table;
  for (const OutputCheck& check : checks) {
    report.push_back({{"output", check.output},
                      {"elements", check.elements},
                      {"largest_difference", check.largest_difference},
                      {"allowed", check.allowed}});
    table.add({clean(check.output), with_commas(check.elements) + " numbers",
               "largest difference " + rounded(check.largest_difference, 3),
               "allowed " + rounded(check.allowed, 3)});
  }
  if (options.json) {
    print_json({{"outputs", report}});
  } else {
    std::cout << "the outputs match those stored with the sample\n";
    table.print(std::cout, "  ");
  }
  return 0;
}

}  // namespace

void add_verify(CLI::App& app, Run& run) {
  auto options = std::make_shared<ModelOptions>();
  CLI::App* command =
      app.add_subcommand("verify", "Run the sample stored in a model and compare the outputs");
  add_model_options(*command, *options);
  add_general_options(*command, options->json);
  command->footer(
      "The exit code is 1 if the model has no sample or an output differs. `mxinfer fuse --sample` stores a "
      "sample.\n\n"
      "Examples:\n"
      "  mxinfer verify models/digits.mxz\n"
      "  mxinfer verify models/digits.mxz --threads 1 --json");
  command->callback([&run, options] { run = [options] { return run_verify(*options); }; });
}

}  // namespace mxinfer::cli
