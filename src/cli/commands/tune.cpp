// mxinfer tune: measures the kernels for a model's convolutions, and saves the fastest in a file.
#include <mxinfer/tools/tune.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/inputs/folders.h"
#include "cli/options/chosen_shapes.h"
#include "cli/options/options.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"

namespace mxinfer::cli {
namespace {

struct TuneOptions : ModelOptions {
  std::vector<std::string> shapes;
  std::string output;
};

Json tuning_json(const Tuning& tuning) {
  Json choices = Json::array();
  for (const TunedChoice& choice : tuning.choices) {
    Json ms = Json::object();
    for (const KernelTime& time : choice.times) ms[time.kernel] = time.ms;
    choices.push_back({{"shape", choice.shape}, {"kernel", choice.kernel}, {"ms", ms}});
  }
  return {{"cpu", tuning.cpu},
          {"target", tuning.target},
          {"cores", tuning.cores},
          {"threads", tuning.threads},
          {"choices", choices}};
}

void print_text(const Tuning& tuning, const std::string& file) {
  if (tuning.choices.empty()) {
    std::cout << "nothing to choose: no shape of this model has more than one kernel for target "
              << tuning.target << "; saved in " << clean(file) << '\n';
    return;
  }
  Table table;
  for (const TunedChoice& choice : tuning.choices) {
    std::vector<KernelTime> times = choice.times;
    std::sort(times.begin(), times.end(),
              [](const KernelTime& a, const KernelTime& b) { return a.ms < b.ms; });
    std::vector<std::string> row{choice.shape};
    for (const KernelTime& time : times) row.push_back(time.kernel + " " + fixed(time.ms, 3) + " ms");
    table.add(std::move(row));
  }
  table.print(std::cout);
  std::cout << tuning.choices.size() << (tuning.choices.size() == 1 ? " shape" : " shapes")
            << " with several kernels, fastest first, target " << tuning.target << ", " << tuning.threads
            << (tuning.threads == 1 ? " thread" : " threads") << "; saved in " << clean(file) << '\n';
}

int run_tune(const TuneOptions& options) {
  const auto model = load_model(options, load_options(options));
  const std::vector<NamedShape> shapes = parse_named_shapes(options.shapes);
  make_folder_of("--output", options.output);  // before the measurements, which take a while
  say_chosen_shapes(Predictor(model), shapes);
  std::optional<Progress> progress;
  const Tuning tuning = tune_model(model, run_options(options), shapes, [&](std::size_t, std::size_t total) {
    if (!progress) progress.emplace(total, Progress::Shown::always);
    progress->advance(1);
  });
  progress.reset();
  save_tuning(tuning, options.output);
  if (options.json) {
    print_json(tuning_json(tuning));
  } else {
    print_text(tuning, options.output);
  }
  return 0;
}

}  // namespace

void add_tune(CLI::App& app, Run& run) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App* command = app.add_subcommand(
      "tune", "Measure the kernels for each convolution on this machine and save the fastest");
  add_model_options(*command, *options);
  add_shape_option(*command, options->shapes);
  command
      ->add_option("-o,--output", options->output,
                   "File to write; its folder is created if it does not exist")
      ->required()
      ->type_name("FILE");
  add_general_options(*command, options->json);
  command->footer(
      "Pass the file to other commands as --tuning FILE, and to programs as Options::tuning_file. For shapes "
      "that are not in the file, the cost model chooses the kernel.\n\n"
      "Examples:\n"
      "  mxinfer tune resnet18_v1 --shape data=1,3,224,224 --threads 2 --output resnet18.tuning\n"
      "  mxinfer explain resnet18_v1 --shape data=1,3,224,224 --threads 2 --tuning resnet18.tuning");
  command->callback([&run, options] { run = [options] { return run_tune(*options); }; });
}

}  // namespace mxinfer::cli
