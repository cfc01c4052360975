#include "plan/lower/time_implementations.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>

#include "kernels/speed/speed.h"
#include "plan/run_plan.h"

namespace mxinfer::plan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSeconds =
    0.15;  // for all implementations of a shape, unless that is fewer than kLeastRuns runs
constexpr std::size_t kLeastRuns = 5, kMostRuns = 100;

// Numbers in [-0.5, 0.5), which no activation turns into denormals.
Tensor random_tensor(const ops::TensorType& type) {
  Tensor tensor(type.dtype, type.shape);
  std::uint32_t state = 1;
  const auto fill = [&](auto* values) {
    for (std::int64_t i = 0; i < tensor.elements(); ++i) {
      state = state * 1664525u + 1013904223u;
      values[i] = std::remove_pointer_t<decltype(values)>(static_cast<float>(state >> 8) * 0x1p-24f - 0.5f);
    }
  };
  if (type.dtype == DType::float32) fill(tensor.data<float>());
  if (type.dtype == DType::bfloat16) fill(tensor.data<BFloat16>());
  return tensor;
}

// An implementation made ready to be run.
class Runner {
 public:
  Runner(const TunableNode& node, const std::string& kernel, PlanOptions options) {
    auto only = std::make_shared<Tuning>();
    only->choices.push_back({node.shape, kernel, {}});
    options.tuning = std::move(only);
    options.by_sample = options.list_tunable = false;
    WeightStore weights;  // of its own, so that the model keeps none of those that lose
    plan_ = make_plan(node.graph, node.inputs, options, weights);
    memory_ = AlignedBuffer(workspace_bytes(*plan_));
    scratch_ = AlignedBuffer(plan_->thread_scratch_bytes * static_cast<std::size_t>(options.threads));
  }

  /// Inside the arena.
  double run_ms(const void* const* inputs, void* const* outputs) {
    for (const auto& packed : plan_->packed.all()) {
      kernels::flush_from_caches(reinterpret_cast<const float*>(packed->data()),
                                 static_cast<std::int64_t>(packed->bytes() / sizeof(float)));
    }
    const Clock::time_point start = Clock::now();
    run_plan(*plan_, inputs, outputs, {memory_.data(), scratch_.data(), plan_->thread_scratch_bytes});
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }

 private:
  std::shared_ptr<const Plan> plan_;
  AlignedBuffer memory_, scratch_;
};

TunedChoice time_node(const TunableNode& node, const PlanOptions& options, ThreadArena& arena) {
  std::vector<Tensor> inputs;
  std::vector<const void*> from;
  for (const ops::TensorType& type : node.inputs) inputs.push_back(random_tensor(type));
  for (const Tensor& input : inputs) from.push_back(input.raw());
  Tensor result(node.output.dtype, node.output.shape);
  void* to = result.raw();

  std::vector<Runner> runners;
  for (const std::string& kernel : node.kernels) runners.emplace_back(node, kernel, options);
  std::vector<std::vector<double>> runs(runners.size());
  arena.execute([&] {
    for (Runner& runner : runners) (void)runner.run_ms(from.data(), &to);  // touches the memory
    const auto end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kSeconds));
    // In turn, so that a slow phase of the machine affects all of them.
    while (runs[0].size() < kLeastRuns || (Clock::now() < end && runs[0].size() < kMostRuns)) {
      for (std::size_t i = 0; i < runners.size(); ++i) runs[i].push_back(runners[i].run_ms(from.data(), &to));
    }
  });
  TunedChoice choice{node.shape, {}, {}};
  // The minimum: other programs can only make a run longer.
  for (std::size_t i = 0; i < runs.size(); ++i)
    choice.times.push_back({node.kernels[i], *std::min_element(runs[i].begin(), runs[i].end())});
  choice.kernel = std::min_element(choice.times.begin(), choice.times.end(),
                                   [](const KernelTime& a, const KernelTime& b) { return a.ms < b.ms; })
                      ->kernel;
  return choice;
}

}  // namespace

std::vector<TunedChoice> time_implementations(
    const graph::Graph& graph, const std::vector<ops::TensorType>& inputs, const PlanOptions& options,
    ThreadArena& arena, const std::function<void(std::size_t done, std::size_t total)>& progress) {
  PlanOptions listing = options;
  listing.list_tunable = true;
  WeightStore weights;
  const auto plan = make_plan(graph, inputs, listing, weights);
  std::set<std::string> shapes;
  for (const TunableNode& node : plan->tunable) shapes.insert(node.shape);
  const std::size_t total = shapes.size();
  std::vector<TunedChoice> choices;
  for (const TunableNode& node : plan->tunable) {
    if (shapes.erase(node.shape) == 0) continue;  // timed already
    choices.push_back(time_node(node, options, arena));
    if (progress) progress(choices.size(), total);
  }
  return choices;
}

}  // namespace mxinfer::plan
