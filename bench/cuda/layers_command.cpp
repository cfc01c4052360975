#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>

#include "cuda/candidates.h"
#include "cuda/commands.h"
#include "cuda/gpu.h"
#include "cuda/layer_cases.h"
#include "runtime/plan_options.h"

namespace mxinfer::bench {
namespace {

/// Those that the GPU has.
Precisions precisions_of(const CudaBenchOptions& options, Gpu& gpu) {
  Precisions precisions;
  for (const Precision precision : options.precisions) {
    const kernels::Precision converted = runtime::kernel_precision(precision);
    if (gpu.device().has_precision(converted)) precisions.push_back(converted);
  }
  return precisions;
}

double measure(const Candidate& candidate, Gpu& gpu, const Effort& effort) {
  const auto scratch = gpu.device().allocate(std::max<std::size_t>(candidate.scratch_bytes, 1));
  return gpu.microseconds(
      [&] { gpu.check(candidate.launch(scratch->data(), gpu.native()), candidate.kernel.c_str()); }, effort);
}

/// The least time of each precision.
std::map<kernels::Precision, double> least_of(const std::vector<Candidate>& all,
                                              const std::vector<double>& us) {
  std::map<kernels::Precision, double> least;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [place, is_new] = least.emplace(all[i].precision, us[i]);
    if (!is_new) place->second = std::min(place->second, us[i]);
  }
  return least;
}

void print(const Candidate& c, double us, bool is_fastest) {
  std::cout << std::left << std::setw(30) << "  " + c.kernel << std::right << std::setw(7) << c.splits
            << std::fixed << std::setprecision(1) << std::setw(10) << us << std::setw(10)
            << c.flops / us * 1e-6 << std::setw(9) << std::setprecision(0) << c.bytes / us * 1e-3;
  if (c.is_planned) std::cout << "  planned";
  if (is_fastest) std::cout << "  fastest";
  std::cout << '\n';
}

void measure_layer(const LayerCase& layer, const Precisions& precisions, Gpu& gpu, const Effort& effort) {
  const std::vector<Candidate> all =
      std::visit([&](const auto& one) { return candidates(one, precisions, gpu); }, layer.layer);
  std::vector<double> us;
  for (const Candidate& candidate : all) us.push_back(measure(candidate, gpu, effort));
  const auto least = least_of(all, us);
  std::cout << '\n'
            << layer.title << "\n  kernel                       pieces        us   TFLOP/s     GB/s\n";
  for (std::size_t i = 0; i < all.size(); ++i) print(all[i], us[i], us[i] <= least.at(all[i].precision));
  std::cout << std::flush;
}

}  // namespace

void run_layers(const CudaBenchOptions& options) {
  Gpu gpu(options.device);
  const auto& properties = gpu.properties();
  std::cout << properties.name << ", " << properties.multiprocessors
            << " multiprocessors, compute capability " << properties.major << '.' << properties.minor
            << ": the median of " << options.rounds << " times " << options.calls << " calls\n";
  const Precisions precisions = precisions_of(options, gpu);
  bool found = false;
  for (const LayerCase& layer : layer_cases(options.tiny)) {
    if (layer.title.find(options.layer) == std::string::npos) continue;
    found = true;
    measure_layer(layer, precisions, gpu, {options.calls, options.rounds});
  }
  if (!found) throw UsageError("no layer has '" + options.layer + "' in its title");
}

}  // namespace mxinfer::bench
