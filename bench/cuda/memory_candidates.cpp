// Layers that memory bounds: one kernel for each type of values.
#include <memory>
#include <set>

#include "cuda/candidates.h"
#include "cuda/layer_memory.h"
#include "kernels/conv/conv_cuda.h"
#include "kernels/elementwise/elementwise_cuda.h"
#include "kernels/normalize/normalize_cuda.h"
#include "kernels/pool_nd/pool_cuda.h"

namespace mxinfer::bench {
namespace {

using kernels::Precision;

/// `kernel` is its name without the type, `launch` is called with the stream.
template <typename Launch>
Candidate bounded_by_memory(const char* kernel, Precision precision, const Memory& memory, double flops,
                            const Launch& launch) {
  Candidate c;
  c.kernel = std::string(kernel) + "_" + short_name(memory.type());
  c.precision = precision;
  c.is_planned = true;
  c.flops = flops;
  c.bytes = memory.bytes();
  c.launch = [launch, memory](void*, const kernels::cuda::Stream& stream) { return launch(stream); };
  return c;
}

/// One for each type of values: `candidate_of` has a precision and memory of its type.
template <typename CandidateOf>
std::vector<Candidate> of_types(const Precisions& precisions, Gpu& gpu, const CandidateOf& candidate_of) {
  std::vector<Candidate> all;
  std::set<kernels::FloatType> types;
  for (const Precision precision : precisions) {
    if (!types.insert(stored_type(precision)).second) continue;
    Memory memory(gpu, stored_type(precision));
    all.push_back(candidate_of(precision, memory));
  }
  gpu.stream().synchronize();
  return all;
}

kernels::ElementType element_of(kernels::FloatType type) {
  switch (type) {
    case kernels::FloatType::float16:
      return kernels::ElementType::float16;
    case kernels::FloatType::bfloat16:
      return kernels::ElementType::bfloat16;
    default:
      return kernels::ElementType::float32;
  }
}

kernels::ConvProblem problem_of(const DepthwiseLayer& layer) {
  kernels::ConvProblem p;
  p.batch = layer.batch;
  p.channels = p.filters = p.groups = layer.channels;
  p.input = {1, layer.size, layer.size};
  p.kernel = {1, layer.kernel, layer.kernel};
  p.stride = {1, layer.stride, layer.stride};
  p.pad = {0, layer.kernel / 2, layer.kernel / 2};
  for (std::size_t d = 0; d < 3; ++d)
    p.output[d] = (p.input[d] + 2 * p.pad[d] - p.kernel[d]) / p.stride[d] + 1;
  return p;
}

}  // namespace

std::vector<Candidate> candidates(const DepthwiseLayer& layer, const Precisions& precisions, Gpu& gpu) {
  const kernels::ConvProblem problem = problem_of(layer);
  std::vector<Candidate> all;
  for (const auto kind : {kernels::DirectKind::depthwise_tiles, kernels::DirectKind::depthwise_vectors}) {
    const bool tiles = kind == kernels::DirectKind::depthwise_tiles;
    const auto of_kind = of_types(precisions, gpu, [&](Precision precision, Memory& memory) {
      kernels::DirectConv conv = kernels::direct_conv(
          kernels::device_conv(problem, kernels::Direction::forward, kernels::SrcLayout::nhwc, memory.type()),
          gpu.properties().multiprocessors);
      conv.kind = kind;
      if (!tiles) conv.row_positions = 4;
      conv.src = memory.take(problem.batch * problem.channels * kernels::volume(problem.input));
      conv.weight = memory.take_floats(packed_elements(conv));
      conv.epilogue.bias = memory.take_floats(problem.filters);
      conv.epilogue.dst = memory.take(conv.output_elements());
      conv.epilogue.post_ops = {kernels::Activation::clip, 0.0f, 6.0f};
      const double flops = 2.0 * static_cast<double>(conv.output_elements()) * conv.taps();
      const auto& library = gpu.kernels();
      Candidate c = bounded_by_memory(tiles ? "conv_depthwise_tiles" : "conv_depthwise", precision, memory,
                                      flops, [conv, &library](const kernels::cuda::Stream& stream) {
                                        return library.direct_conv(conv, stream);
                                      });
      c.is_planned = tiles;
      return c;
    });
    all.insert(all.end(), of_kind.begin(), of_kind.end());
  }
  return all;
}

std::vector<Candidate> candidates(const ScaleShiftLayer& layer, const Precisions& precisions, Gpu& gpu) {
  return of_types(precisions, gpu, [&](Precision precision, Memory& memory) {
    const std::int64_t rows = layer.batch * layer.size * layer.size, elements = rows * layer.channels;
    kernels::ScaleShiftArgs<float> args;
    args.channels = layer.channels;
    args.post_ops.activation = kernels::Activation::relu;
    args.scale = memory.take_floats(layer.channels);
    args.shift = memory.take_floats(layer.channels);
    const void* const from = memory.take(elements);
    void* const to = memory.take(elements);
    const auto& library = gpu.kernels();
    return bounded_by_memory("scale_shift", precision, memory, 2.0 * static_cast<double>(elements),
                             [=, type = memory.type(), &library](const kernels::cuda::Stream& stream) {
                               return library.scale_shift(args, type, rows, from, to, stream);
                             });
  });
}

std::vector<Candidate> candidates(const AddLayer& layer, const Precisions& precisions, Gpu& gpu) {
  return of_types(precisions, gpu, [&](Precision precision, Memory& memory) {
    using kernels::cuda::ElementOp;
    using kernels::cuda::ElementSource;
    const kernels::ElementType type = element_of(memory.type());
    kernels::cuda::ElementwiseArgs args;
    args.rank = 1;
    args.sizes[0] = layer.batch * layer.size * layer.size * layer.channels;
    args.inputs = 2;
    for (std::size_t i = 0; i < 2; ++i) {
      args.input[i].data = memory.take(args.sizes[0]);
      args.input[i].type = type;
      args.input[i].strides[0] = 1;
    }
    args.out = type;
    args.dst = memory.take(args.sizes[0]);
    args.instructions = 2;
    args.program[0].op = ElementOp::add;
    args.program[0].a = {ElementSource::input, 0};
    args.program[0].b = {ElementSource::input, 1};
    args.program[1].op = ElementOp::relu;
    const auto& library = gpu.kernels();
    return bounded_by_memory(
        "elementwise", precision, memory, 2.0 * static_cast<double>(args.sizes[0]),
        [=, &library](const kernels::cuda::Stream& stream) { return library.elementwise(args, stream); });
  });
}

std::vector<Candidate> candidates(const LayerNormLayer& layer, const Precisions& precisions, Gpu& gpu) {
  return of_types(precisions, gpu, [&](Precision precision, Memory& memory) {
    const std::int64_t elements = layer.rows * layer.length;
    kernels::RowNormArgs<float> args;
    args.length = layer.length;
    args.eps = 1e-5;
    args.gamma = memory.take_floats(layer.length);
    args.beta = memory.take_floats(layer.length);
    const void* const from = memory.take(elements);
    void* const to = memory.take(elements);
    const auto& library = gpu.kernels();
    return bounded_by_memory(
        "row_norm", precision, memory, 7.0 * static_cast<double>(elements),
        [=, type = memory.type(), rows = layer.rows, &library](const kernels::cuda::Stream& stream) {
          return library.row_norm(args, type, rows, from, to, stream);
        });
  });
}

std::vector<Candidate> candidates(const PoolLayer& layer, const Precisions& precisions, Gpu& gpu) {
  return of_types(precisions, gpu, [&](Precision precision, Memory& memory) {
    const std::int64_t pad = layer.kernel / 2;
    kernels::PoolArgs args;
    args.planes = layer.batch;
    args.inner = layer.channels;
    for (int d = 1; d < 3; ++d) {
      args.in[d] = layer.size;
      args.kernel[d] = layer.kernel;
      args.stride[d] = layer.stride;
      args.pad[d] = pad;
      args.out[d] = (layer.size + 2 * pad - layer.kernel) / layer.stride + 1;
    }
    const void* const from = memory.take(args.planes * args.in_plane());
    void* const to = memory.take(args.planes * args.out_plane());
    const double compared = static_cast<double>(args.planes * args.out_plane() * layer.kernel * layer.kernel);
    const auto& library = gpu.kernels();
    return bounded_by_memory("pool", precision, memory, compared,
                             [=, type = memory.type(), &library](const kernels::cuda::Stream& stream) {
                               return library.pool(args, type, from, to, stream);
                             });
  });
}

}  // namespace mxinfer::bench
