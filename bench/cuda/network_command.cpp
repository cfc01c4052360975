#include <mxinfer/predictor.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench/bench_callers.h"
#include "cuda/commands.h"
#include "cuda/gpu.h"
#include "tensor/npy.h"

namespace mxinfer::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

/// Arrays in the memory of the process and of the GPU.
class Arrays {
 public:
  Arrays(Gpu& gpu, std::vector<Tensor> host) : gpu_(gpu), host_(std::move(host)) {
    for (const Tensor& tensor : host_) {
      memory_.push_back(gpu_.device().allocate(tensor.bytes()));
      gpu_.stream().copy_to_device(memory_.back()->data(), tensor.raw(), tensor.bytes());
    }
    gpu_.stream().synchronize();
  }

  std::vector<TensorView> views() const {
    std::vector<TensorView> views;
    for (std::size_t i = 0; i < host_.size(); ++i)
      views.emplace_back(host_[i].dtype(), host_[i].shape(), memory_[i]->data(), place());
    return views;
  }
  std::vector<MutableTensorView> mutable_views() const {
    std::vector<MutableTensorView> views;
    for (std::size_t i = 0; i < host_.size(); ++i)
      views.emplace_back(host_[i].dtype(), host_[i].shape(), memory_[i]->data(), place());
    return views;
  }

  /// Fetches them, into FOLDER/0.npy, 1.npy, ...
  void save(const fs::path& folder) {
    fs::create_directories(folder);
    for (std::size_t i = 0; i < host_.size(); ++i)
      gpu_.stream().copy_to_host(host_[i].raw(), memory_[i]->data(), host_[i].bytes());
    gpu_.stream().synchronize();
    for (std::size_t i = 0; i < host_.size(); ++i) save_npy(folder / (std::to_string(i) + ".npy"), host_[i]);
  }

 private:
  mxinfer::Device place() const { return {DeviceType::cuda, gpu_.device().index()}; }

  Gpu& gpu_;
  std::vector<Tensor> host_;
  std::vector<std::unique_ptr<device::Buffer>> memory_;
};

std::vector<Tensor> load_inputs(const Model& model, const fs::path& folder) {
  std::vector<Tensor> inputs;
  for (const DataDesc& input : model.signature().inputs)
    inputs.push_back(load_npy(folder / (input.name + ".npy")));
  return inputs;
}

std::vector<NamedShape> shapes_of(const Model& model, const std::vector<Tensor>& inputs) {
  std::vector<NamedShape> shapes;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    shapes.emplace_back(model.signature().inputs[i].name, inputs[i].shape());
  return shapes;
}

std::vector<Tensor> empty_outputs(const Predictor& predictor, const std::vector<NamedShape>& shapes) {
  std::vector<Tensor> outputs;
  for (const DataDesc& output : predictor.output_shapes(shapes))
    outputs.emplace_back(output.dtype, output.shape);
  return outputs;
}

Predictor predictor_of(const Model& model, Precision precision, int device) {
  Options options;
  options.device = "cuda:" + std::to_string(device);
  options.precision = precision;
  return Predictor(model, options);
}

/// Without "/" at the end.
fs::path folder_of(const std::string& text) {
  const fs::path path = fs::path(text).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

/// Measures one precision with the inputs of one folder.
Json measure(const CudaBenchOptions& options, const Predictor& predictor, Gpu& gpu, const fs::path& folder) {
  const Model& model = predictor.model();
  std::vector<Tensor> host = load_inputs(model, folder);
  const std::vector<NamedShape> shapes = shapes_of(model, host);
  const Clock::time_point begin = Clock::now();
  predictor.warmup(shapes);
  const double first_ms = cli::milliseconds(Clock::now() - begin);
  const cli::LoadTimes times = cli::run_load(predictor, shapes, {.seconds = options.seconds});

  Arrays outputs(gpu, empty_outputs(predictor, shapes));
  const Arrays inputs(gpu, std::move(host));
  const std::vector<TensorView> from = inputs.views();
  const std::vector<MutableTensorView> to = outputs.mutable_views();
  const double us = gpu.microseconds([&] { predictor.predict_on_device(from, to, gpu.native().handle); },
                                     {options.calls, options.rounds, options.seconds});
  const std::string precision = to_string(predictor.options().precision);
  if (!options.outputs.empty())
    outputs.save(fs::path(options.outputs) / (folder.filename().string() + "-" + precision));
  return {{"device_ms", us / 1e3}, {"host_ms", cli::percentile(times.call_ms, 0.5)}, {"first_ms", first_ms}};
}

}  // namespace

int run_network(const CudaBenchOptions& options) {
  Gpu gpu(options.device);
  const Model model = Model::load(options.model, {.load_transforms = false});
  int failures = 0;
  for (const Precision precision : options.precisions) {
    std::optional<Predictor> predictor;
    for (const std::string& folder : options.inputs) {
      const fs::path path = folder_of(folder);
      Json line = {{"inputs", path.filename().string()}, {"precision", to_string(precision)}};
      try {
        if (!predictor) predictor.emplace(predictor_of(model, precision, options.device));
        line.update(measure(options, *predictor, gpu, path));
      } catch (const std::exception& error) {
        line["error"] = error.what();
        ++failures;
      }
      std::cout << line.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
    }
  }
  return failures;
}

}  // namespace mxinfer::bench
