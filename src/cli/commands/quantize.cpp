// mxinfer quantize: calibrates a model with samples, and writes it with 8-bit layers.
#include <mxinfer/tools/quantize.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/inputs/folders.h"
#include "cli/inputs/image_list.h"
#include "cli/options/options.h"
#include "cli/options/preprocess_options.h"
#include "cli/options/value_checks.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"

namespace mxinfer::cli {
namespace {

const std::vector<std::string> kMethods = {"minmax", "entropy", "percentile"};

struct QuantizeCommand : ModelOptions {
  std::vector<std::string> images;
  std::string inputs;
  std::string method = "minmax";
  double percentile = 99.99;
  double max_drop = 0.01;
  std::optional<int> limit;
  std::vector<std::string> keep_float;
  std::string output;
  PreprocessOptions preprocess;
};

CalibrationMethod parse_method(const std::string& name) {
  if (name == "entropy") return CalibrationMethod::entropy;
  return name == "percentile" ? CalibrationMethod::percentile : CalibrationMethod::minmax;
}

/// The images of --images, without those that cannot be listed.
std::vector<std::string> listed_files(const QuantizeCommand& command, const LoadOptions& load) {
  const sources::Opener opener(load);
  ImageList list(command.images, "", opener);
  std::vector<std::string> files;
  constexpr std::size_t kAtOnce = 1024;
  for (auto batch = list.next(kAtOnce); !batch.empty(); batch = list.next(kAtOnce)) {
    for (const ListedImage& image : batch) {
      if (image.problem) throw Error(*image.problem);
      if (image.place == kStandardInput)
        throw UsageError(
            "--images does not accept -: images are read several times, so pass files or folders");
      files.push_back(image.place);
    }
  }
  return files;
}

CalibrationSamples samples_of(const QuantizeCommand& command, const LoadOptions& load) {
  const Model model = load_model(command, load);
  if (!command.inputs.empty()) return calibration_arrays(model, read_arrays_file(command.inputs));
  ImageOptions options = image_options_of(command.preprocess);
  options.options = run_options(command);
  return calibration_images(model, listed_files(command, load), options);
}

QuantizeOptions quantize_options(const QuantizeCommand& command) {
  QuantizeOptions options;
  options.method = parse_method(command.method);
  options.percentile = command.percentile;
  options.max_drop = command.max_drop;
  options.keep_float = command.keep_float;
  options.options = run_options(command);
  return options;
}

/// null for NaN and infinity, which JSON lacks.
Json finite_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json optional_json(const std::optional<double>& value) {
  return value ? finite_or_null(*value) : Json();
}

Json quantize_json(const QuantizeReport& report, const std::string& file) {
  Json layers = Json::array();
  for (const QuantizedLayer& layer : report.layers) {
    layers.push_back({{"name", layer.name},
                      {"op", layer.op},
                      {"int8", layer.float_because.empty()},
                      {"snr_db", finite_or_null(layer.snr_db)},
                      {"float_because", layer.float_because}});
  }
  return {{"file", file},
          {"method", to_string(report.method)},
          {"samples", report.samples},
          {"top1_agreement", optional_json(report.top1_agreement)},
          {"output_snr_db", optional_json(report.output_snr_db)},
          {"parameter_bytes_before", report.parameter_bytes_before},
          {"parameter_bytes_after", report.parameter_bytes_after},
          {"ms_before", report.ms_before},
          {"ms_after", report.ms_after},
          {"layers", layers},
          {"warnings", report.warnings}};
}

std::string decibels(double value) {
  if (std::isnan(value)) return "";
  return std::isinf(value) ? "no noise" : fixed(value, 1) + " dB";
}

std::size_t int8_layers(const QuantizeReport& report) {
  std::size_t count = 0;
  for (const QuantizedLayer& layer : report.layers) count += layer.float_because.empty() ? 1U : 0U;
  return count;
}

void print_layers(const QuantizeReport& report) {
  Table table;
  for (const QuantizedLayer& layer : report.layers) {
    table.add({clean(layer.name), clean(layer.op), layer.float_because.empty() ? "int8" : "float32",
               decibels(layer.snr_db), clean(layer.float_because)});
  }
  table.print(std::cout, "  ");
}

void print_report(const QuantizeReport& report, const std::string& file) {
  std::cout << int8_layers(report) << " of " << report.layers.size()
            << " layers compute with 8 bits; saved in " << clean(file) << '\n';
  print_layers(report);
  Table table;
  table.add({"samples", std::to_string(report.samples) + ", " + to_string(report.method)});
  if (report.top1_agreement)
    table.add({"same best class", fixed(100 * *report.top1_agreement, 2) + " % of the samples"});
  if (report.output_snr_db) table.add({"outputs, signal to noise", decibels(*report.output_snr_db)});
  table.add({"parameters", bytes_text(static_cast<double>(report.parameter_bytes_before)) + " before, " +
                               bytes_text(static_cast<double>(report.parameter_bytes_after)) + " after"});
  table.add(
      {"a call", fixed(report.ms_before, 2) + " ms before, " + fixed(report.ms_after, 2) + " ms after"});
  table.print(std::cout, "  ");
}

void limit_samples(const QuantizeCommand& command, CalibrationSamples& samples) {
  if (!command.limit || samples.count <= static_cast<std::size_t>(*command.limit)) return;
  // Spread over the whole list, which may be sorted by class.
  const std::size_t all = samples.count, count = static_cast<std::size_t>(*command.limit);
  const auto place = [all, count](std::size_t i) { return i * all / count; };
  samples.count = count;
  samples.read = [read = samples.read, place](std::size_t i) { return read(place(i)); };
  if (samples.name) samples.name = [name = samples.name, place](std::size_t i) { return name(place(i)); };
}

int run_quantize(const QuantizeCommand& command) {
  if (command.images.empty() == command.inputs.empty())
    throw UsageError(
        "quantize requires samples: either --images with image files and folders, or --inputs with "
        "an archive of arrays");
  if (!command.params.empty())
    throw UsageError(
        "quantize does not accept --params: pass a prefix, a symbol file, a folder or an archive");
  const LoadOptions load = load_options(command);
  make_folder_of("--output", command.output);  // before the runs, which take a while
  CalibrationSamples samples = samples_of(command, load);
  limit_samples(command, samples);
  QuantizeOptions options = quantize_options(command);
  std::optional<Progress> progress;
  std::size_t shown = 0;
  options.progress = [&](std::size_t done, std::size_t total) {
    if (!progress) progress.emplace(total, Progress::Shown::always);
    progress->advance(done - shown);
    shown = done;
  };
  const QuantizeReport report = quantize_model(command.model, samples, command.output, options, load);
  progress.reset();
  print_warnings(report.warnings);
  if (command.json) {
    print_json(quantize_json(report, command.output));
  } else {
    print_report(report, command.output);
  }
  return 0;
}

void add_calibration_options(CLI::App& command, QuantizeCommand& options) {
  command
      .add_option("--images", options.images,
                  "Images to calibrate with: files, folders and addresses, as for classify")
      ->type_name("DIR");
  command
      .add_option("--inputs", options.inputs,
                  "Arrays to calibrate with, instead of images: FILE.npz with an array for each input under "
                  "its name, whose rows are samples")
      ->type_name("FILE");
  one_of(command
             .add_option("--method", options.method,
                         "How ranges follow from the samples: minmax (default), entropy or percentile")
             ->type_name("NAME"),
         kMethods);
  number(command.add_option("--percentile", options.percentile,
                            "Share of the values inside the range, for --method percentile (default 99.99)"),
         0, 100)
      ->type_name("X");
  number(command.add_option(
             "--max-drop", options.max_drop,
             "Share of the samples whose best class may be another than the float32 model's "
             "(default 0.01); for outputs that are not scores, the share of noise in their power"),
         0, 1)
      ->type_name("X");
  whole_number(command.add_option("--limit", options.limit, "Calibrate with this many of the samples"), 1)
      ->type_name("N");
  command
      .add_option("--keep-float", options.keep_float,
                  "Node of a layer that stays float32, such as conv0; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NODE");
}

}  // namespace

void add_quantize(CLI::App& app, Run& run) {
  auto options = std::make_shared<QuantizeCommand>();
  CLI::App* command =
      app.add_subcommand("quantize", "Calibrate a model with samples, and write it with 8-bit layers");
  add_model_options(*command, *options);
  command->get_option("--params")->group("");  // rejected by run_quantize
  add_calibration_options(*command, *options);
  command
      ->add_option("-o,--output", options->output,
                   "Bundle (.mxz) to write; its folder is created if it does not exist")
      ->required()
      ->type_name("FILE");
  add_preprocess_options(*command, options->preprocess);
  add_general_options(*command, options->json);
  command->footer(
      "Calibrate with some 100 to 500 samples of what the model will run on. Layers that change results too "
      "much "
      "stay float32. docs/how-to/quantization.md tells when quantization pays, and what to check.\n\n"
      "Examples:\n"
      "  mxinfer quantize models/digits --images examples/images --output digits_int8.mxz\n"
      "  mxinfer quantize resnet18_v1 --images photos --preset imagenet --method entropy --output int8.mxz\n"
      "  mxinfer quantize resnet18_v1 --inputs batch.npz --max-drop 0.005 --output int8.mxz --json");
  command->callback([&run, options] { run = [options] { return run_quantize(*options); }; });
}

}  // namespace mxinfer::cli
