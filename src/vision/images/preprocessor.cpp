#include "vision/images/preprocessor.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "graph/graph.h"
#include "kernels/speed/cpu_rates.h"
#include "ops/registry.h"
#include "passes/passes.h"
#include "vision/images/preprocessing.h"

namespace mxinfer::api {
namespace {

// A chain of operators from one input to one output.
graph::Graph graph_of(const std::vector<Transform>& transforms) {
  graph::Graph graph;
  graph::Node input;
  input.name = "image";
  input.input_index = 0;
  std::int32_t last = graph::append(graph, std::move(input));
  for (const Transform& transform : transforms) {
    last = graph::append(
        graph, ops::make_node(concat("transform", last), transform.op, transform.attrs, {{last, 0}}));
  }
  graph.heads = {{last, 0}};
  return graph;
}

passes::ItemStage stage_of(const Preprocess& options, const ImageInput& input) {
  check_preprocess(options, input);
  passes::ItemStage stage;
  stage.input = "image";
  std::vector<Transform> transforms = transforms_of(options, input);
  // batch_of() has made grey of the given pixels before.
  const auto makes_grey = [&](const Transform& transform) {
    return input.channels == 1 && transform.op == "_mxinfer_convert_color";
  };
  transforms.erase(std::remove_if(transforms.begin(), transforms.end(), makes_grey), transforms.end());
  stage.graph = graph_of(transforms);
  passes::fuse_image_chain(stage.graph);
  return stage;
}

// A chain has no branches and no choices that require measuring this machine.
plan::PlanOptions without_choices(plan::PlanOptions options) {
  options.tuning = nullptr;
  options.branches = plan::Branches::never;
  options.by_sample = false;
  options.list_tunable = false;
  options.warnings.clear();
  if (options.target != kernels::Target::ref) options.rates = &kernels::default_rates(options.target);
  return options;
}

}  // namespace

Preprocessor::Preprocessor(const Preprocess& options, const ImageInput& input,
                           const plan::PlanOptions& plan_options,
                           const std::shared_ptr<runtime::MemoryBudget>& memory)
    : input_(input),
      planner_("preprocessing", without_choices(plan_options), weights_),
      stage_(stage_of(options, input)),
      items_(stage_, memory, planner_) {}

Tensor Preprocessor::batch_of(Span<const Image> images, runtime::BatchRunner& runner,
                              std::vector<ItemError>* errors) {
  return batch_of(
      images.size(), [&](std::size_t i) { return images[i]; }, runner, errors);
}

Tensor Preprocessor::batch_of(std::size_t count, ImageOf image_of, runtime::BatchRunner& runner,
                              std::vector<ItemError>* errors) {
  const Shape shape = batch_shape(input_, static_cast<std::int64_t>(count));
  // If no image may be wrong, every sample is written.
  Tensor batch = errors == nullptr ? Tensor::uninitialized(input_.dtype, shape) : Tensor(input_.dtype, shape);
  const std::size_t sample_bytes = count == 0 ? 0 : batch.bytes() / count;
  const Shape sample_shape = batch_shape(input_, 1);
  const auto preprocess = [&](std::size_t i, const Image& given) {
    if (given.empty()) fail(ErrorCode::invalid_argument, "the image is empty (0 x 0 pixels)");
    void* sample = static_cast<std::byte*>(batch.raw()) + i * sample_bytes;
    // Computes grey from the given pixels, like a decoder; the expansion to three channels comes later.
    const Image image = input_.channels == 1 ? convert_channels(given, 1) : given;
    items_.run_into(image.view(), {input_.dtype, sample_shape, sample}, runner.arena());
  };
  const auto make_sample = [&](std::size_t i) {
    const Image image = image_of(i);  // whose errors name it themselves
    in_context([&] { return concat("image ", i); }, [&] { preprocess(i, image); });
  };
  runner.for_each(count, make_sample, errors);
  return batch;
}

}  // namespace mxinfer::api
