// RNN on a GPU. For each layer a GEMM multiplies the inputs of all steps with W, for both directions; what
// follows is one kernel for the whole sequence, with a block for each sample or with blocks that wait for
// each other in each step, a kernel for each step, or a GEMM and a kernel for each step.
#include <algorithm>
#include <limits>

#include "kernels/common/divide.h"
#include "kernels/gemm/gemm_cuda.h"
#include "kernels/rnn/rnn_cuda.h"
#include "kernels/rnn/rnn_persistent_cuda.h"
#include "ops/common/scratch_layout.h"
#include "ops/cuda/cuda_gemm.h"
#include "ops/nn/recurrent/rnn_layout.h"

namespace mxinfer::ops {
namespace {

namespace cuda = kernels::cuda;
using cuda::GemmArgs;
using cuda::GemmPlan;
using cuda::RnnArgs;
using cuda::RnnDirection;
using cuda::RnnLengths;

// From so many samples on, a GEMM multiplies the state: before, reading R once for some samples is what
// costs.
constexpr std::int64_t kSamplesWorthGemm = 17;

enum class RnnWay : std::uint8_t { sequence, persistent, step, gemm };

cuda::RnnCell cuda_cell(RnnMode mode) {
  switch (mode) {
    case RnnMode::relu:
      return cuda::RnnCell::relu;
    case RnnMode::tanh:
      return cuda::RnnCell::tanh;
    case RnnMode::lstm:
      return cuda::RnnCell::lstm;
    case RnnMode::gru:
      break;
  }
  return cuda::RnnCell::gru;
}

/// Sizes, and where things are in the scratch memory.
struct CudaRnn {
  RnnLayout layout;
  RnnWay way = RnnWay::step;
  cuda::PersistentRnn persistent;                             ///< of RnnWay::persistent
  kernels::Precision products = kernels::Precision::float32;  ///< of the GEMMs
  kernels::CellClip<float> clip;
  std::int64_t steps = 0, batch = 0;
  bool state_outputs = false;
  RnnLengths lengths_type = RnnLengths::none;
  std::size_t lengths = 0;  ///< the input
  cuda::GemmGpu gpu;
  const cuda::Library* kernels = nullptr;

  // Bytes from the start of the scratch memory. What directions have each lies one behind the other.
  std::size_t sequences[2] = {};  ///< what a layer gives, in turn
  std::size_t projected = 0, gates = 0, hidden = 0, fresh = 0, cell = 0;
  std::size_t states[2] = {};  ///< in turn
  std::size_t gemm = 0, exchanged = 0;
  std::size_t total = 0;

  std::int64_t width() const { return layout.gates * layout.hidden; }
  std::int64_t state_elements() const { return batch * layout.output(); }
  std::int64_t cell_elements() const { return batch * layout.hidden; }
  /// Whether one launch has all steps of a layer.
  bool is_whole() const { return way == RnnWay::sequence || way == RnnWay::persistent; }
  std::size_t index(std::int64_t layer) const { return static_cast<std::size_t>(layer * layout.directions); }
  /// From an offset of direction 0 to that of direction 1.
  std::int64_t apart(std::int64_t layer, std::int64_t RnnCellOffsets::*offset) const {
    return layout.directions == 1
               ? 0
               : layout.cells[index(layer) + 1].*offset - layout.cells[index(layer)].*offset;
  }
};

/// dst [direction][row][column] = a [direction][row][depth] . b: the sizes of such a product.
GemmArgs directions_product(const CudaRnn& rnn, std::int64_t rows, std::int64_t columns, std::int64_t depth,
                            std::int64_t b_apart) {
  GemmArgs args;
  args.rows = rows;
  args.columns = args.dst_row = columns;
  args.depth = args.a.row = args.b.row = depth;
  args.outer = rnn.layout.directions;
  args.precision = rnn.products;
  args.a.outer = rows * depth;
  args.b.outer = b_apart;
  args.dst_outer = rows * columns;
  return args;
}

/// The inputs of all steps, which both directions read, with W.
GemmArgs input_product(const CudaRnn& rnn, std::int64_t layer) {
  GemmArgs args =
      directions_product(rnn, rnn.steps * rnn.batch, rnn.width(), rnn.layout.cells[rnn.index(layer)].input,
                         rnn.apart(layer, &RnnCellOffsets::w));
  args.a.outer = 0;
  return args;
}

GemmArgs state_product(const CudaRnn& rnn, std::int64_t layer) {
  return directions_product(rnn, rnn.batch, rnn.width(), rnn.layout.output(),
                            rnn.apart(layer, &RnnCellOffsets::r));
}

GemmArgs projection_product(const CudaRnn& rnn, std::int64_t layer) {
  return directions_product(rnn, rnn.batch, rnn.layout.projection, rnn.layout.hidden,
                            rnn.apart(layer, &RnnCellOffsets::p));
}

std::size_t gemm_scratch(const CudaRnn& rnn) {
  std::size_t most = 0;
  const auto take = [&](const GemmArgs& args) {
    most = std::max(most, cuda::plan_gemm(args, rnn.gpu).scratch_bytes);
  };
  for (std::int64_t layer = 0; layer < rnn.layout.layers; ++layer) {
    take(input_product(rnn, layer));
    if (rnn.way != RnnWay::gemm) continue;
    take(state_product(rnn, layer));
    if (rnn.layout.projection > 0) take(projection_product(rnn, layer));
  }
  return most;
}

void place_scratch(CudaRnn& rnn) {
  const RnnLayout& layout = rnn.layout;
  const std::int64_t rows = rnn.steps * rnn.batch, directions = layout.directions;
  const bool by_step = !rnn.is_whole(), by_gemm = rnn.way == RnnWay::gemm;
  const std::int64_t between = layout.layers > 1 ? rows * layout.output() * directions : 0;
  ScratchLayout scratch;
  rnn.sequences[0] = scratch.take<float>(between);
  rnn.sequences[1] = scratch.take<float>(layout.layers > 2 ? between : 0);
  rnn.projected = scratch.take<float>(directions * rows * rnn.width());
  rnn.gates = scratch.take<float>(by_gemm ? directions * rnn.batch * rnn.width() : 0);
  rnn.hidden = scratch.take<float>(layout.projection > 0 ? directions * rnn.cell_elements() : 0);
  rnn.fresh = scratch.take<float>(layout.projection > 0 ? directions * rnn.state_elements() : 0);
  rnn.cell = scratch.take<float>(by_step && !rnn.state_outputs ? directions * rnn.cell_elements() : 0);
  for (std::size_t& state : rnn.states)
    state = scratch.take<float>(by_step ? directions * rnn.state_elements() : 0);
  rnn.gemm = scratch.take<float>(static_cast<std::int64_t>(gemm_scratch(rnn) / sizeof(float)));
  rnn.exchanged = scratch.take<std::byte>(static_cast<std::int64_t>(rnn.persistent.scratch_bytes));
  rnn.total = scratch.bytes();
}

class CudaRnnLayer {
 public:
  CudaRnnLayer(const CudaRnn& rnn, const RunContext& run, std::int64_t layer)
      : rnn_(rnn), run_(run), layer_(layer), is_lstm_(rnn.layout.mode == RnnMode::lstm) {}

  /// src is (steps, batch, input), dst (steps, batch, directions * output).
  void run(const float* src, float* dst) {
    product(input_product(rnn_, layer_), src, &RnnCellOffsets::w, memory(rnn_.projected));
    if (rnn_.is_whole()) {
      whole_sequence(dst);
    } else {
      for (std::int64_t i = 0; i < rnn_.steps; ++i) one_step(i, dst);
    }
  }

 private:
  float* memory(std::size_t offset) const { return reinterpret_cast<float*>(run_.scratch + offset); }
  const float* parameters(std::int64_t direction, std::int64_t RnnCellOffsets::*offset) const {
    return run_.input<float>(1) +
           rnn_.layout.cells[rnn_.index(layer_) + static_cast<std::size_t>(direction)].*offset;
  }
  std::int64_t cells_before() const { return layer_ * rnn_.layout.directions; }
  const float* first_state() const { return run_.input<float>(2) + cells_before() * rnn_.state_elements(); }
  const float* first_cell() const { return run_.input<float>(3) + cells_before() * rnn_.cell_elements(); }
  float* last_state() const { return run_.output<float>(1) + cells_before() * rnn_.state_elements(); }
  float* last_cell() const { return run_.output<float>(2) + cells_before() * rnn_.cell_elements(); }

  void product(GemmArgs args, const float* a, std::int64_t RnnCellOffsets::*b, float* dst) const {
    const GemmPlan plan = cuda::plan_gemm(args, rnn_.gpu);
    args.a.data = a;
    args.b.data = parameters(0, b);
    args.dst = dst;
    enqueue(run_, rnn_.kernels->gemm, args, plan, memory(rnn_.gemm));
  }

  RnnArgs sizes() const {
    const RnnLayout& layout = rnn_.layout;
    RnnArgs args;
    args.cell = cuda_cell(layout.mode);
    args.directions = static_cast<int>(layout.directions);
    args.batch = rnn_.batch;
    args.hidden = layout.hidden;
    args.projection = layout.projection;
    args.out_stride = layout.directions * layout.output();
    args.clip = rnn_.clip;
    args.lengths_type = rnn_.lengths_type;
    if (rnn_.lengths_type != RnnLengths::none) args.lengths = run_.inputs[rnn_.lengths];
    for (std::int64_t d = 0; d < layout.directions; ++d) {
      RnnDirection& direction = args.direction[d];
      direction.w_bias = parameters(d, &RnnCellOffsets::w_bias);
      direction.r_bias = parameters(d, &RnnCellOffsets::r_bias);
      direction.r = parameters(d, &RnnCellOffsets::r);
    }
    return args;
  }

  void whole_sequence(float* dst) const {
    RnnArgs args = sizes();
    for (std::int64_t d = 0; d < rnn_.layout.directions; ++d) {
      RnnDirection& direction = args.direction[d];
      direction.projected = memory(rnn_.projected) + d * rnn_.steps * rnn_.batch * rnn_.width();
      direction.state = first_state() + d * rnn_.state_elements();
      if (is_lstm_) direction.cell = first_cell() + d * rnn_.cell_elements();
      direction.out = dst + d * rnn_.layout.output();
      if (!rnn_.state_outputs) continue;
      direction.next_state = last_state() + d * rnn_.state_elements();
      if (is_lstm_) direction.next_cell = last_cell() + d * rnn_.cell_elements();
    }
    if (rnn_.way == RnnWay::sequence) return enqueue(run_, rnn_.kernels->rnn_sequence, args, rnn_.steps);
    enqueue(run_, rnn_.kernels->rnn_persistent, args, rnn_.persistent, rnn_.steps,
            static_cast<void*>(run_.scratch + rnn_.exchanged));
  }

  // States take turns between two arrays, from that of the input to that of the output; cells stay in one.
  void one_step(std::int64_t i, float* dst) const {
    RnnArgs args = sizes();
    const bool last = i + 1 == rnn_.steps;
    const float* state = i == 0 ? first_state() : memory(rnn_.states[(i - 1) % 2]);
    float* next_state = last && rnn_.state_outputs ? last_state() : memory(rnn_.states[i % 2]);
    float* next_cell = !is_lstm_ ? nullptr : rnn_.state_outputs ? last_cell() : memory(rnn_.cell);
    const float* cell = i == 0 && is_lstm_ ? first_cell() : next_cell;
    for (std::int64_t d = 0; d < rnn_.layout.directions; ++d) {
      RnnDirection& direction = args.direction[d];
      direction.step = d == 0 ? i : rnn_.steps - 1 - i;
      direction.projected =
          memory(rnn_.projected) + (d * rnn_.steps + direction.step) * rnn_.batch * rnn_.width();
      direction.gates = memory(rnn_.gates) + d * rnn_.batch * rnn_.width();
      direction.state = state + d * rnn_.state_elements();
      direction.next_state = next_state + d * rnn_.state_elements();
      direction.out = dst + direction.step * rnn_.batch * args.out_stride + d * rnn_.layout.output();
      if (!is_lstm_) continue;
      direction.cell = cell + d * rnn_.cell_elements();
      direction.next_cell = next_cell + d * rnn_.cell_elements();
    }
    advance(args, state);
  }

  void advance(RnnArgs& args, const float* state) const {
    if (rnn_.way == RnnWay::step) return enqueue(run_, rnn_.kernels->rnn_step, args);
    product(state_product(rnn_, layer_), state, &RnnCellOffsets::r, memory(rnn_.gates));
    args.hidden_out = memory(rnn_.hidden);
    enqueue(run_, rnn_.kernels->rnn_cells, args);
    if (rnn_.layout.projection == 0) return;
    product(projection_product(rnn_, layer_), memory(rnn_.hidden), &RnnCellOffsets::p, memory(rnn_.fresh));
    enqueue(run_, rnn_.kernels->rnn_take, args, static_cast<const float*>(memory(rnn_.fresh)));
  }

  const CudaRnn& rnn_;
  const RunContext& run_;
  std::int64_t layer_;
  bool is_lstm_;
};

void run_rnn(const CudaRnn& rnn, const RunContext& run) {
  const float* src = run.input<float>(0);
  for (std::int64_t layer = 0; layer < rnn.layout.layers; ++layer) {
    const bool last = layer + 1 == rnn.layout.layers;
    float* dst =
        last ? run.output<float>(0)
             : reinterpret_cast<float*>(run.scratch + rnn.sequences[static_cast<std::size_t>(layer % 2)]);
    CudaRnnLayer(rnn, run, layer).run(src, dst);
    src = dst;
  }
}

std::string name_of(RnnWay way, kernels::FloatType type) {
  switch (way) {
    case RnnWay::sequence:
      return "rnn_sequence_f32";
    case RnnWay::persistent:
      return concat("rnn_persistent_", short_name(type));
    case RnnWay::step:
      return "rnn_step_f32";
    case RnnWay::gemm:
      break;
  }
  return "rnn_gemm_f32";
}

std::string reason_of(const CudaRnn& rnn) {
  const cuda::PersistentRnn& plan = rnn.persistent;
  switch (rnn.way) {
    case RnnWay::sequence:
      return "a GEMM multiplies the inputs of all steps; then one kernel has a block for each sample and "
             "direction: R fits in its shared memory";
    case RnnWay::persistent:
      return concat("a GEMM multiplies the inputs of all steps; then one kernel has a block for ", plan.units,
                    " units and ", plan.samples,
                    " samples: R stays in shared memory, and blocks wait for each other");
    case RnnWay::step:
      return "a GEMM multiplies the inputs of all steps; then a kernel for each step, as there are few "
             "samples";
    case RnnWay::gemm:
      break;
  }
  return "a GEMM multiplies the inputs of all steps; then a GEMM and a kernel for each step";
}

// ---- Which ways there are, and how long a step takes: guesses of an H100 from one measurement.

constexpr double kClocksOfLaunch = 7500, kClocksOfStep = 900;
constexpr double kSharedBytesOfClock = 128, kCacheBytesOfClock = 2000;

double weight_bytes(const CudaRnn& rnn) {
  return static_cast<double>(rnn.width() * rnn.layout.output()) * sizeof(float);
}

/// The clocks of a step.
double step_clocks(const CudaRnn& rnn) {
  switch (rnn.way) {
    case RnnWay::sequence: {
      const std::int64_t blocks = rnn.batch * rnn.layout.directions;
      const auto turns = static_cast<double>(kernels::ceil_div(blocks, rnn.gpu.multiprocessors));
      return kClocksOfStep + turns * weight_bytes(rnn) / kSharedBytesOfClock;
    }
    case RnnWay::persistent:
      return rnn.persistent.clocks;
    case RnnWay::step: {
      constexpr std::int64_t kSamplesOfBlock = 8;
      const std::int64_t reads = kernels::ceil_div(rnn.batch, kSamplesOfBlock) * rnn.layout.directions;
      return kClocksOfLaunch + static_cast<double>(reads) * weight_bytes(rnn) / kCacheBytesOfClock;
    }
    case RnnWay::gemm:
      break;
  }
  const double launches = rnn.layout.projection > 0 ? 4 : 2;
  return launches * kClocksOfLaunch + cuda::plan_gemm(state_product(rnn, 0), rnn.gpu).clocks;
}

/// The type in which a persistent kernel multiplies. Relu has no bound: halves would not hold its states.
kernels::FloatType persistent_type(const CudaRnn& rnn, kernels::Precision precision) {
  if (precision == kernels::Precision::bfloat16) return kernels::FloatType::bfloat16;
  return precision == kernels::Precision::float16 && rnn.layout.mode != RnnMode::relu
             ? kernels::FloatType::float16
             : kernels::FloatType::float32;
}

std::string why_not(const CudaRnn& rnn, std::size_t shared_bytes) {
  if (rnn.way == RnnWay::gemm) return "";
  if (rnn.layout.projection > 0) return "it has a projection";
  if (rnn.way == RnnWay::sequence && !cuda::rnn_fits_block(rnn.layout.hidden, shared_bytes))
    return "R does not fit into the shared memory of a block";
  if (rnn.way == RnnWay::persistent && rnn.persistent.slices == 0)
    return "R does not fit into the shared memory of all multiprocessors";
  if (rnn.way == RnnWay::step && rnn.batch >= kSamplesWorthGemm) return "there are many samples";
  return "";
}

bool find_lengths_type(DType dtype, RnnLengths& type) {
  switch (dtype) {
    case DType::float32:
      type = RnnLengths::float32;
      return true;
    case DType::int32:
      type = RnnLengths::int32;
      return true;
    case DType::int64:
      type = RnnLengths::int64;
      return true;
    default:
      return false;
  }
}

Step rnn_step(CudaRnn rnn) {
  place_scratch(rnn);
  Step step{.kernel = name_of(rnn.way, rnn.persistent.type), .reason = reason_of(rnn)};
  step.scratch_bytes = rnn.total;
  step.flops = rnn_flops(rnn.layout, rnn.steps * rnn.batch);
  step.run = [rnn](const RunContext& run) { run_rnn(rnn, run); };
  return step;
}

/// One way to compute the layers.
Implementation implementation_of(CudaRnn rnn, RnnWay way, kernels::Precision precision,
                                 const device::CudaDevice& device) {
  const auto& gpu = device.properties();
  rnn.way = way;
  kernels::FloatType type = kernels::FloatType::float32;
  if (way == RnnWay::persistent) {
    type = persistent_type(rnn, precision);
    const cuda::PersistentSizes sizes{cuda_cell(rnn.layout.mode), static_cast<int>(rnn.layout.directions),
                                      rnn.batch, rnn.layout.hidden};
    if (rnn.steps <= std::numeric_limits<std::int32_t>::max())
      rnn.persistent =
          plan_persistent_rnn(sizes, type, {gpu.multiprocessors, gpu.shared_bytes}).value_or(rnn.persistent);
  }
  Implementation one;
  one.name = name_of(way, type);
  one.rejects = why_not(rnn, gpu.shared_bytes);
  if (!one.rejects.empty()) return one;
  const auto steps = static_cast<double>(rnn.steps * rnn.layout.layers);
  one.work.emplace().flops = 2 * steps * step_clocks(rnn) * cuda::kProductsOfClock;
  one.lower = [rnn](LowerContext&) { return rnn_step(rnn); };
  return one;
}

Implementations rnn_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  if (node.input(0).dtype != DType::float32) return rejected("rnn", "data is not float32");
  const Shape& data = node.input(0).shape;
  CudaRnn rnn;
  if (node.attrs().flag("use_sequence_length")) {
    rnn.lengths = node.num_inputs() - 1;
    const DType dtype = node.input(rnn.lengths).dtype;
    if (!find_lengths_type(dtype, rnn.lengths_type))
      return rejected("rnn", concat("sequence_length is ", to_string(dtype)));
  }
  rnn.layout = rnn_layout(node.attrs(), data[2]);
  rnn.clip = rnn_clip<float>(node.attrs());
  rnn.steps = data[0];
  rnn.batch = data[1];
  rnn.state_outputs = node.attrs().flag("state_outputs");
  rnn.gpu = gemm_gpu(device);
  rnn.kernels = &device.kernels();
  // Between float32 values: the other types would round the sums too.
  if (node.precision() != kernels::Precision::float32 && device.has_precision(kernels::Precision::tf32))
    rnn.products = kernels::Precision::tf32;
  Implementations result;
  for (const RnnWay way : {RnnWay::sequence, RnnWay::persistent, RnnWay::step, RnnWay::gemm})
    result.all.push_back(implementation_of(rnn, way, node.precision(), device));
  return result;
}

}  // namespace

std::vector<CudaOp> cuda_rnn_ops() {
  return {{"RNN", rnn_on_cuda}};
}

}  // namespace mxinfer::ops
