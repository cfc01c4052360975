// Matrix products: dense layers, and those of attention with the softmax between them.
#include <memory>
#include <set>

#include "cuda/candidates.h"
#include "cuda/layer_memory.h"
#include "kernels/common/divide.h"
#include "kernels/gemm/gemm_cuda.h"
#include "kernels/softmax/softmax_cuda.h"

namespace mxinfer::bench {
namespace {

using kernels::ceil_div;
using kernels::Precision;
using kernels::cuda::GemmArgs;
using kernels::cuda::GemmKernel;
using kernels::cuda::GemmPlan;

struct TileOfGemm {
  GemmKernel kernel;
  kernels::GemmTile tile;
  std::int64_t rows, columns;
};

std::vector<TileOfGemm> tiles_of(Precision precision) {
  constexpr kernels::GemmTile kNone{};
  if (precision == Precision::float32) {
    return {{GemmKernel::tile_128, kNone, 128, 128},
            {GemmKernel::tile_64, kNone, 64, 64},
            {GemmKernel::tile_32, kNone, 32, 64}};
  }
  std::vector<TileOfGemm> tiles;
  for (const kernels::cuda::TensorTile& one : kernels::cuda::kTensorTiles) {
    if (kernels::cuda::fits_registers(one.tile, precision == Precision::tf32 ? 4 : 2))
      tiles.push_back({GemmKernel::tensor_tile, one.tile, one.rows, one.columns});
  }
  return tiles;
}

GemmPlan plan_of(const GemmArgs& args, const TileOfGemm& tile, int pieces) {
  constexpr std::int64_t kStep = 64;  // pieces begin at multiples of every tile's step
  GemmPlan plan;
  plan.kernel = tile.kernel;
  plan.tile = tile.tile;
  plan.split_depth = ceil_div(ceil_div(args.depth, pieces), kStep) * kStep;
  plan.splits = static_cast<int>(ceil_div(args.depth, plan.split_depth));
  if (plan.splits > 1) {
    plan.scratch_bytes =
        static_cast<std::size_t>(plan.splits * args.matrices() * args.rows * args.columns) * sizeof(float);
  }
  return plan;
}

Candidate candidate_of(const GemmArgs& args, const GemmPlan& plan, const Memory& memory, const Gpu& gpu) {
  Candidate c;
  c.kernel = name_of(plan, args);
  c.precision = args.precision;
  c.splits = plan.splits;
  c.flops =
      2.0 * static_cast<double>(args.matrices() * args.rows) * static_cast<double>(args.columns * args.depth);
  c.bytes = memory.bytes();
  c.scratch_bytes = plan.scratch_bytes;
  const auto& library = gpu.kernels();
  c.launch = [args, plan, memory, &library](void* scratch, const kernels::cuda::Stream& stream) {
    return library.gemm(args, plan, static_cast<float*>(scratch), stream);
  };
  return c;
}

void add_tiles(const GemmArgs& args, const Memory& memory, const Gpu& gpu, std::vector<Candidate>& all) {
  const GemmPlan planned =
      kernels::cuda::plan_gemm(args, {gpu.properties().multiprocessors, gpu.properties().shared_bytes,
                                      gpu.properties().major, gpu.properties().minor});
  all.push_back(candidate_of(args, planned, memory, gpu));
  all.back().is_planned = true;
  for (const TileOfGemm& tile : tiles_of(args.precision)) {
    const std::int64_t blocks =
        ceil_div(args.rows, tile.rows) * ceil_div(args.columns, tile.columns) * args.matrices();
    std::set<int> tried;
    for (const int pieces : splits_to_try(blocks, gpu)) {
      const GemmPlan plan = plan_of(args, tile, pieces);
      const bool is_plan =
          plan.kernel == planned.kernel && plan.tile == planned.tile && plan.splits == planned.splits;
      if (is_plan || !tried.insert(plan.splits).second) continue;
      all.push_back(candidate_of(args, plan, memory, gpu));
    }
  }
}

/// `layer_of(memory)` gives the operands of a layer.
template <typename LayerOf>
std::vector<Candidate> products(const LayerOf& layer_of, const Precisions& precisions, Gpu& gpu) {
  std::vector<Candidate> all;
  for (const Precision precision : precisions) {
    Memory memory(gpu, stored_type(precision));
    GemmArgs args = layer_of(memory);
    args.type = memory.type();
    args.precision = precision;
    add_tiles(args, memory, gpu, all);
  }
  return all;
}

/// Queries are a, keys are b, and scores are stacks of (words, words) matrices.
GemmArgs scores_of(const AttentionLayer& layer, Memory& memory) {
  const std::int64_t projected = 3 * layer.heads * layer.width;  // of a word
  GemmArgs args;
  args.rows = args.columns = layer.words;
  args.depth = layer.width;
  args.outer = layer.batch;
  args.inner = layer.heads;
  args.a.row = args.b.row = layer.batch * projected;
  args.a.outer = args.b.outer = projected;
  args.a.inner = args.b.inner = 3 * layer.width;
  args.a.data = memory.take(layer.words * layer.batch * projected);
  args.b.data = memory.element(args.a.data, layer.width);
  args.dst_row = layer.words;
  args.dst_inner = layer.words * layer.words;
  args.dst_outer = layer.heads * args.dst_inner;
  args.dst = memory.take(layer.batch * args.dst_outer);
  return args;
}

/// Scores are a, values are b, and the sums of a word's heads lie behind one another.
GemmArgs sum_of(const AttentionLayer& layer, Memory& memory) {
  const std::int64_t projected = 3 * layer.heads * layer.width;
  GemmArgs args;
  args.rows = args.depth = layer.words;
  args.columns = layer.width;
  args.outer = layer.batch;
  args.inner = layer.heads;
  args.a.row = layer.words;
  args.a.inner = layer.words * layer.words;
  args.a.outer = layer.heads * args.a.inner;
  args.a.data = memory.take(layer.batch * args.a.outer);
  args.b.row = 1;
  args.b.depth = layer.batch * projected;
  args.b.outer = projected;
  args.b.inner = 3 * layer.width;
  args.b.data = memory.element(memory.take(layer.words * layer.batch * projected), 2 * layer.width);
  args.dst_row = layer.batch * layer.heads * layer.width;
  args.dst_outer = layer.heads * layer.width;
  args.dst_inner = layer.width;
  args.dst = memory.take(layer.words * args.dst_row);
  return args;
}

GemmArgs dense(const DenseLayer& layer, Memory& memory) {
  GemmArgs args;
  args.rows = layer.rows;
  args.columns = args.dst_row = layer.columns;
  args.depth = args.a.row = args.b.row = layer.depth;
  args.a.data = memory.take(layer.rows * layer.depth);
  args.b.data = memory.take(layer.columns * layer.depth);
  args.bias = memory.take_floats(layer.columns);
  args.dst = memory.take(layer.rows * layer.columns);
  if (layer.residual) args.residual = memory.take(layer.rows * layer.columns);
  args.post_ops.residual = layer.residual;
  return args;
}

Candidate softmax_of(const AttentionLayer& layer, Precision precision, Gpu& gpu) {
  Memory memory(gpu, stored_type(precision));
  const std::int64_t lines = layer.batch * layer.heads * layer.words;
  kernels::SoftmaxArgs args;
  args.axis = layer.words;
  Candidate c;
  c.kernel = std::string("softmax_") + short_name(memory.type());
  c.precision = precision;
  c.is_planned = true;
  const void* const from = memory.take(lines * layer.words);
  void* const to = memory.take(lines * layer.words);
  c.bytes = memory.bytes();
  const auto& library = gpu.kernels();
  c.launch = [args, lines, from, to, memory, &library](void*, const kernels::cuda::Stream& stream) {
    return library.softmax(args, memory.type(), lines, from, to, nullptr, stream);
  };
  return c;
}

/// One for each type of values.
std::vector<Candidate> softmax_candidates(const AttentionLayer& layer, const Precisions& precisions,
                                          Gpu& gpu) {
  std::vector<Candidate> all;
  std::set<kernels::FloatType> types;
  for (const Precision precision : precisions) {
    if (types.insert(stored_type(precision)).second) all.push_back(softmax_of(layer, precision, gpu));
  }
  return all;
}

}  // namespace

std::vector<Candidate> candidates(const DenseLayer& layer, const Precisions& precisions, Gpu& gpu) {
  return products([&](Memory& memory) { return dense(layer, memory); }, precisions, gpu);
}

std::vector<Candidate> candidates(const AttentionLayer& layer, const Precisions& precisions, Gpu& gpu) {
  switch (layer.part) {
    case AttentionLayer::Part::scores:
      return products([&](Memory& memory) { return scores_of(layer, memory); }, precisions, gpu);
    case AttentionLayer::Part::softmax:
      return softmax_candidates(layer, precisions, gpu);
    case AttentionLayer::Part::sum:
      break;
  }
  return products([&](Memory& memory) { return sum_of(layer, memory); }, precisions, gpu);
}

}  // namespace mxinfer::bench
