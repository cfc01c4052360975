#include "cuda/options.h"

#include <mxinfer/error.h>

#include <string_view>

namespace mxinfer::bench {
namespace {

Precision precision_named(std::string_view name) {
  try {
    return parse_precision(name);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

/// Reads the option that has a value. False if there is no such option.
bool read_value(std::string_view option, std::string_view value, CudaBenchOptions& options) {
  if (option == "--inputs")
    options.inputs.emplace_back(value);
  else if (option == "--outputs")
    options.outputs = value;
  else if (option == "--precision")
    options.precisions.push_back(precision_named(value));
  else if (option == "--layer")
    options.layer = value;
  else if (option == "--device")
    options.device = number(option, value, 0, 1023);
  else if (option == "--calls")
    options.calls = number(option, value, 1, 100000);
  else if (option == "--rounds")
    options.rounds = number(option, value, 1, 100000);
  else if (option == "--seconds")
    options.seconds = number(option, value, 0.0, 3600.0);
  else
    return false;
  return true;
}

void complete(CudaBenchOptions& options) {
  if (options.command == "network" && options.model.empty())
    throw UsageError("network requires PREFIX, the path of a model without -symbol.json");
  if (options.command == "network" && options.inputs.empty())
    throw UsageError("network requires --inputs FOLDER with an array NAME.npy for each input");
  if (!options.precisions.empty()) return;
  options.precisions = {Precision::float32, Precision::tf32, Precision::float16};
}

}  // namespace

const char* const kCudaBenchHelp =
    R"(Usage: mxinfer_cuda_bench network PREFIX --inputs FOLDER... [OPTIONS]
       mxinfer_cuda_bench layers [OPTIONS]

network measures a model on a GPU, and prints a line of JSON for each folder of inputs and each precision:
"device_ms" of a call whose inputs and outputs are in the memory of the GPU, "host_ms" of one whose arrays are in
the memory of the process, as mxinfer bench measures it.

layers measures convolutions and matrix products of ResNet-50 and BERT base, each with every kernel and tile that
can compute it.

  --inputs FOLDER    Take NAME.npy of the folder for each input; may be repeated
  --outputs FOLDER   Write outputs to FOLDER/INPUTS-PRECISION/0.npy, 1.npy, ...
  --precision P      float32, tf32, float16 or bfloat16; may be repeated (default: the first three)
  --layer TEXT       Measure only layers whose title contains TEXT
  --device N         Number of the GPU (default 0)
  --calls N          Calls between two events (default 10)
  --rounds N         Least number of such rounds, of which the median counts (default 5)
  --seconds S        Least time of a measurement (default 0.2)
  --tiny             Shrink the layers, to try the program on an emulator
)";

CudaBenchOptions parse_cuda_bench_options(int argc, const char* const* argv) {
  CudaBenchOptions options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--help" || word == "-h") {
      options.command = "help";
      return options;
    }
    if (word == "--tiny") {
      options.tiny = true;
    } else if (word.substr(0, 2) == "--") {
      if (i + 1 == argc) throw UsageError(std::string(word) + " needs a value");
      if (!read_value(word, argv[++i], options))
        throw UsageError("unknown option '" + std::string(word) + "'; see --help");
    } else if (options.command.empty()) {
      options.command = word;
    } else if (options.command == "network" && options.model.empty()) {
      options.model = word;
    } else {
      throw UsageError("unexpected argument '" + std::string(word) + "'; see --help");
    }
  }
  if (options.command != "network" && options.command != "layers")
    throw UsageError("'" + options.command + "' is not a command; expected network or layers");
  complete(options);
  return options;
}

}  // namespace mxinfer::bench
