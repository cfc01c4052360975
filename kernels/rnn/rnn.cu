#include "kernels/common/divide.h"
#include "kernels/cuda/dispatch.h"
#include "kernels/rnn/rnn_cell_device.h"
#include "kernels/rnn/warp_sums_device.h"

namespace mxinfer::kernels::cuda {
namespace {

// ---- What a step makes of a unit.

/// Adds the biases to the sums of unit j, of which a gate has `projected[gate * hidden + j]`, and advances
/// it.
__device__ __forceinline__ Unit advance_unit(const RnnArgs& args, const RnnDirection& direction,
                                             const float* projected, std::int64_t j,
                                             const float (&sums)[kMostGates], float h, float c) {
  float x[kMostGates] = {}, y[kMostGates] = {};
  const int gates = gates_of(args);
#pragma unroll
  for (int g = 0; g < kMostGates; ++g) {
    if (g >= gates) continue;
    const std::int64_t at = g * args.hidden + j;
    x[g] = projected[at] + direction.w_bias[at];
    y[g] = sums[g] + direction.r_bias[at];
  }
  return advance(args.cell, args.clip, x, y, h, c);
}

/// What a step makes of unit j of a sample from its sums, stored where it belongs.
__device__ __forceinline__ void store_unit(const RnnArgs& args, const RnnDirection& direction, int which,
                                           std::int64_t row, std::int64_t j,
                                           const float (&sums)[kMostGates]) {
  const std::int64_t at = row * args.hidden + j;
  const bool over = direction.step >= length_of(args, row);
  const bool lstm = args.cell == RnnCell::lstm;
  const float h = args.projection > 0 ? 0.0f : direction.state[at], c = lstm ? direction.cell[at] : 0.0f;
  const int gates = gates_of(args);
  const Unit unit =
      advance_unit(args, direction, direction.projected + row * gates * args.hidden, j, sums, h, c);
  if (lstm) direction.next_cell[at] = over ? c : unit.cell;
  if (args.projection > 0) {
    args.hidden_out[which * args.batch * args.hidden + at] = unit.state;
    return;
  }
  direction.next_state[at] = over ? h : unit.state;
  direction.out[row * args.out_stride + j] = over ? 0.0f : unit.state;
}

// ---- A step: the product of the state with R, and the cells.

constexpr int kStepThreads = 256;
constexpr int kStepWarps = kStepThreads / simt::kWarp;

/// sums += the products of `count` consecutive elements of the depth from k on, 4 or 1.
template <int GATES, int ROWS>
__device__ __forceinline__ void multiply_element(float (&sums)[GATES][ROWS], const float* r,
                                                 std::int64_t gate_stride, const float* state,
                                                 std::int64_t depth, int rows, std::int64_t k) {
  float weights[GATES];
#pragma unroll
  for (int g = 0; g < GATES; ++g) weights[g] = r[g * gate_stride + k];
#pragma unroll
  for (int b = 0; b < ROWS; ++b) {
    const float h = state[(b < rows ? b : 0) * depth + k];
#pragma unroll
    for (int g = 0; g < GATES; ++g) sums[g][b] = fmaf(weights[g], h, sums[g][b]);
  }
}

template <int GATES, int ROWS>
__device__ __forceinline__ void multiply_four(float (&sums)[GATES][ROWS], const float* r,
                                              std::int64_t gate_stride, const float* state,
                                              std::int64_t depth, int rows, std::int64_t k) {
  float4 weights[GATES];
#pragma unroll
  for (int g = 0; g < GATES; ++g) weights[g] = simt::load4(r + g * gate_stride + k);
#pragma unroll
  for (int b = 0; b < ROWS; ++b) {
    const float4 h = simt::load4(state + (b < rows ? b : 0) * depth + k);
#pragma unroll
    for (int g = 0; g < GATES; ++g) {
      sums[g][b] = fmaf(weights[g].x, h.x, sums[g][b]);
      sums[g][b] = fmaf(weights[g].y, h.y, sums[g][b]);
      sums[g][b] = fmaf(weights[g].z, h.z, sums[g][b]);
      sums[g][b] = fmaf(weights[g].w, h.w, sums[g][b]);
    }
  }
}

/// The sums of each gate of sample `lane`, if it is one of ROWS.
template <int GATES, int ROWS>
__device__ __forceinline__ void gates_of_lane(float (&mine)[kMostGates], const float (&sums)[GATES][ROWS],
                                              int lane) {
  constexpr int kGates = GATES == 3 ? 4 : GATES, kLanes = simt::kWarp / (kGates * ROWS);
  float values[kGates * ROWS] = {};
#pragma unroll
  for (int g = 0; g < GATES; ++g) {
#pragma unroll
    for (int b = 0; b < ROWS; ++b) values[g * ROWS + b] = sums[g][b];
  }
  const float sum = warp_sum_of_each(values, lane);
#pragma unroll
  for (int g = 0; g < GATES; ++g)
    mine[g] = __shfl_sync(simt::kAllLanes, sum, (g * ROWS + lane % ROWS) * kLanes);
}

/// A warp has one unit of up to ROWS samples. Block (x, y, z): units, samples, direction.
template <int GATES, int ROWS>
__global__ void __launch_bounds__(kStepThreads) step_kernel(RnnArgs args, bool vectors) {
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  const std::int64_t unit = static_cast<std::int64_t>(blockIdx.x) * kStepWarps + threadIdx.x / simt::kWarp;
  if (unit >= args.hidden) return;
  const int which = static_cast<int>(blockIdx.z);
  const RnnDirection& direction = args.direction[which];
  const std::int64_t depth = args.hidden, gate_stride = args.hidden * depth;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * ROWS; first < args.batch;
       first += static_cast<std::int64_t>(gridDim.y) * ROWS) {
    const int rows = args.batch - first < ROWS ? static_cast<int>(args.batch - first) : ROWS;
    const float* state = direction.state + first * depth;
    const float* r = direction.r + unit * depth;
    float sums[GATES][ROWS] = {};
    const std::int64_t whole = vectors ? depth / 4 * 4 : 0;
    for (std::int64_t k = 4 * lane; k < whole; k += 4 * simt::kWarp)
      multiply_four(sums, r, gate_stride, state, depth, rows, k);
    for (std::int64_t k = whole + lane; k < depth; k += simt::kWarp)
      multiply_element(sums, r, gate_stride, state, depth, rows, k);
    float mine[kMostGates] = {};
    gates_of_lane(mine, sums, lane);
    if (lane < rows) store_unit(args, direction, which, first + lane, unit, mine);
  }
}

// ---- The cells alone.

/// Calls body(direction, sample, element) for all elements of `size` of all samples, in both directions.
template <typename Body>
__device__ __forceinline__ void for_elements(const RnnArgs& args, std::int64_t size, const Body& body) {
  const std::int64_t count = args.directions * args.batch * size;
  for (std::int64_t e = simt::first_index(); e < count; e += simt::grid_step())
    body(static_cast<int>(e / size / args.batch), e / size % args.batch, e % size);
}

__global__ void cells_kernel(RnnArgs args) {
  for_elements(args, args.hidden, [&](int which, std::int64_t row, std::int64_t j) {
    const RnnDirection& direction = args.direction[which];
    const int gates = gates_of(args);
    const float* from = direction.gates + row * gates * args.hidden + j;
    float sums[kMostGates] = {};
#pragma unroll
    for (int g = 0; g < kMostGates; ++g) {
      if (g < gates) sums[g] = from[g * args.hidden];
    }
    store_unit(args, direction, which, row, j, sums);
  });
}

__global__ void take_kernel(RnnArgs args, const float* fresh) {
  for_elements(args, args.projection, [&](int which, std::int64_t row, std::int64_t j) {
    const RnnDirection& direction = args.direction[which];
    const std::int64_t at = row * args.projection + j;
    const float value = fresh[which * args.batch * args.projection + at];
    const bool over = direction.step >= length_of(args, row);
    direction.next_state[at] = over ? direction.state[at] : value;
    direction.out[row * args.out_stride + j] = over ? 0.0f : value;
  });
}

// ---- A whole sequence in a block.

constexpr int kSequenceThreads = 256;

/// Layers of up to HIDDEN units. The weights lie depth outermost, so that neighbouring threads, which have
/// neighbouring gates, read neighbouring words; rows of odd length spread the stores over the banks.
template <int HIDDEN>
struct SequenceSmem {
  float weights[HIDDEN][kMostGates * HIDDEN + 1];
  float gates[kMostGates * HIDDEN];
  float state[HIDDEN];
};

static_assert(rnn_fits_block(32, sizeof(SequenceSmem<32>)) &&
              !rnn_fits_block(32, sizeof(SequenceSmem<32>) - 1));
static_assert(rnn_fits_block(96, sizeof(SequenceSmem<96>)) &&
              !rnn_fits_block(96, sizeof(SequenceSmem<96>) - 1));

/// Block (x, y): the sample, the direction.
template <int HIDDEN>
__global__ void __launch_bounds__(kSequenceThreads) sequence_kernel(RnnArgs args, std::int64_t steps) {
  SequenceSmem<HIDDEN>& smem = simt::shared_memory<SequenceSmem<HIDDEN>>();
  const int thread = static_cast<int>(threadIdx.x), which = static_cast<int>(blockIdx.y);
  const std::int64_t row = blockIdx.x;
  const RnnDirection& direction = args.direction[which];
  const int hidden = static_cast<int>(args.hidden);
  const int gates = gates_of(args);
  const int width = gates * hidden;
  for (int e = thread; e < width * hidden; e += kSequenceThreads)
    smem.weights[e % hidden][e / hidden] = direction.r[e];
  const bool has_unit = thread < hidden;
  float c = 0.0f;
  if (has_unit) {
    smem.state[thread] = direction.state[row * hidden + thread];
    if (args.cell == RnnCell::lstm) c = direction.cell[row * hidden + thread];
  }
  const std::int64_t length = length_of(args, row);
  for (std::int64_t i = 0; i < steps; ++i) {
    __syncthreads();  // the state is there
    for (int gate = thread; gate < width; gate += kSequenceThreads) {
      float sum = 0.0f;
#pragma unroll 8
      for (int k = 0; k < hidden; ++k) sum = fmaf(smem.weights[k][gate], smem.state[k], sum);
      smem.gates[gate] = sum;
    }
    __syncthreads();  // the gates are there
    if (!has_unit) continue;
    const std::int64_t step = which == 0 ? i : steps - 1 - i, at = step * args.batch + row;
    float* out = direction.out + at * args.out_stride + thread;
    if (step >= length) {
      *out = 0.0f;
      continue;
    }
    float sums[kMostGates] = {};
#pragma unroll
    for (int g = 0; g < kMostGates; ++g) {
      if (g < gates) sums[g] = smem.gates[g * hidden + thread];
    }
    const Unit unit =
        advance_unit(args, direction, direction.projected + at * width, thread, sums, smem.state[thread], c);
    c = unit.cell;
    smem.state[thread] = unit.state;
    *out = unit.state;
  }
  if (!has_unit) return;
  if (direction.next_state != nullptr) direction.next_state[row * hidden + thread] = smem.state[thread];
  if (direction.next_cell != nullptr) direction.next_cell[row * hidden + thread] = c;
}

// ---- Launchers.

constexpr int kBlock = 256;

template <int GATES, int ROWS>
Status launch_step(const RnnArgs& args, const Stream& stream) {
  bool vectors = args.hidden % 4 == 0;
  for (int d = 0; d < args.directions; ++d)
    vectors = vectors && is_vector_aligned(args.direction[d].r) && is_vector_aligned(args.direction[d].state);
  constexpr std::int64_t kMostAcross = 65535;
  const std::int64_t rows = ceil_div(args.batch, ROWS);
  const dim3 grid(static_cast<unsigned>(ceil_div(args.hidden, kStepWarps)),
                  static_cast<unsigned>(rows < kMostAcross ? rows : kMostAcross),
                  static_cast<unsigned>(args.directions));
  return simt::launch(step_kernel<GATES, ROWS>, grid, kStepThreads, 0, stream, args, vectors);
}

template <int GATES>
Status launch_step_of(const RnnArgs& args, const Stream& stream) {
  if (args.batch == 1) return launch_step<GATES, 1>(args, stream);
  if (args.batch <= 4) return launch_step<GATES, 4>(args, stream);
  return launch_step<GATES, 8>(args, stream);
}

template <int HIDDEN>
Status launch_sequence(const RnnArgs& args, std::int64_t steps, const Stream& stream) {
  const dim3 grid(static_cast<unsigned>(args.batch), static_cast<unsigned>(args.directions));
  return simt::launch(sequence_kernel<HIDDEN>, grid, kSequenceThreads, sizeof(SequenceSmem<HIDDEN>), stream,
                      args, steps);
}

}  // namespace

Status rnn_sequence(const RnnArgs& args, std::int64_t steps, const Stream& stream) {
  if (args.hidden <= 32) return launch_sequence<32>(args, steps, stream);
  if (args.hidden <= 64) return launch_sequence<64>(args, steps, stream);
  return launch_sequence<96>(args, steps, stream);
}

Status rnn_step(const RnnArgs& args, const Stream& stream) {
  switch (args.cell) {
    case RnnCell::lstm:
      return launch_step_of<4>(args, stream);
    case RnnCell::gru:
      return launch_step_of<3>(args, stream);
    default:
      return launch_step_of<1>(args, stream);
  }
}

Status rnn_cells(const RnnArgs& args, const Stream& stream) {
  const std::int64_t count = args.directions * args.batch * args.hidden;
  return simt::launch(cells_kernel, simt::grid_for(count, kBlock), kBlock, 0, stream, args);
}

Status rnn_take(const RnnArgs& args, const float* fresh, const Stream& stream) {
  const std::int64_t count = args.directions * args.batch * args.projection;
  return simt::launch(take_kernel, simt::grid_for(count, kBlock), kBlock, 0, stream, args, fresh);
}

}  // namespace mxinfer::kernels::cuda
