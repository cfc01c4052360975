#include <climits>
#include <type_traits>

#include "kernels/cuda/mma.h"
#include "kernels/cuda/runtime.h"
#include "kernels/cuda/stored_floats.h"
#include "kernels/rnn/rnn_cell_device.h"
#include "kernels/rnn/rnn_persistent_cuda.h"
#include "kernels/rnn/warp_sums_device.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kPersistentThreads = 256;
constexpr int kPersistentWarps = kPersistentThreads / simt::kWarp;

/// The bytes that PersistentRnn divides.
struct PersistentSmem {
  uint4 bytes[1];
};

/// Shared memory of a block. A pair is a unit and a sample of the block; a thread has the same pairs in each
/// step.
template <typename T>
struct PersistentMemory {
  T* weights;              ///< [row][depth]
  T* state;                ///< [sample that is loaded][depth]
  float* sums;             ///< [chunk][part][row][sample of the chunk], and one more
  float* inputs;           ///< [gate][pair]: the products of the next input
  float *kept, *cells;     ///< [pair]: h and c
  float *w_bias, *r_bias;  ///< [gate][unit]
  int* lengths;            ///< [sample]

  __device__ __forceinline__ PersistentMemory(const PersistentRnn& plan, int gates) {
    auto* const start = reinterpret_cast<unsigned char*>(simt::shared_memory<PersistentSmem>().bytes);
    const auto floats = [&](int at) { return reinterpret_cast<float*>(start + at); };
    weights = reinterpret_cast<T*>(start);
    state = reinterpret_cast<T*>(start + plan.state_at);
    sums = floats(plan.sums_at);
    inputs = floats(plan.inputs_at);
    kept = floats(plan.kept_at);
    cells = kept + plan.units * plan.samples;
    w_bias = floats(plan.biases_at);
    r_bias = w_bias + plan.units * gates;
    lengths = reinterpret_cast<int*>(start + plan.lengths_at);
  }
};

/// What a block computes: its units and samples from the first ones on, and how many there are.
struct PersistentPart {
  std::int64_t first_unit, first_sample;
  int units, samples, which;

  __device__ __forceinline__ PersistentPart(const RnnArgs& args, const PersistentRnn& plan)
      : first_unit(static_cast<std::int64_t>(blockIdx.x) * plan.units),
        first_sample(static_cast<std::int64_t>(blockIdx.y) * plan.samples),
        units(fewer(plan.units, args.hidden - first_unit)),
        samples(fewer(plan.samples, args.batch - first_sample)),
        which(static_cast<int>(blockIdx.z)) {}

 private:
  static __device__ __forceinline__ int fewer(int most, std::int64_t left) {
    return left < most ? static_cast<int>(left) : most;
  }
};

// ---- What is read once.

/// A row of floats, and zeros behind it. All lanes of a warp.
template <typename T>
__device__ __forceinline__ void copy_row(T* to, const float* from, int count, int depth) {
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
#pragma unroll 8
  for (int k = lane; k < depth; k += simt::kWarp) to[k] = to_stored<T>(k < count ? from[k] : 0.0f);
}

template <typename T>
__device__ __forceinline__ void load_weights(const PersistentMemory<T>& memory, const RnnArgs& args,
                                             const PersistentRnn& plan, const PersistentPart& part) {
  const int gates = gates_of(args), hidden = static_cast<int>(args.hidden);
  const float* r = args.direction[part.which].r + part.first_unit * hidden;
  for (int row = static_cast<int>(threadIdx.x) / simt::kWarp; row < plan.rows(); row += kPersistentWarps) {
    const int unit = row / gates, gate = row % gates;
    const float* from = r + (gate * args.hidden + unit) * hidden;
    copy_row(memory.weights + row * plan.depth, from, unit < part.units ? hidden : 0, plan.depth);
  }
}

/// The state that the sequence begins with, of the samples from `first` on that are loaded at once.
template <typename T>
__device__ __forceinline__ void load_first_state(const PersistentMemory<T>& memory, const RnnArgs& args,
                                                 const PersistentRnn& plan, const PersistentPart& part,
                                                 int first) {
  const int hidden = static_cast<int>(args.hidden);
  const float* state = args.direction[part.which].state + (part.first_sample + first) * hidden;
  for (int b = static_cast<int>(threadIdx.x) / simt::kWarp; b < plan.loaded; b += kPersistentWarps)
    copy_row(memory.state + b * plan.depth, state + b * args.hidden, first + b < part.samples ? hidden : 0,
             plan.depth);
}

/// Calls body(pair, unit, sample) for the thread's pairs of the samples from `first` on that are loaded at
/// once.
template <typename Body>
__device__ __forceinline__ void for_pairs(const PersistentRnn& plan, const PersistentPart& part, int first,
                                          const Body& body) {
  for (int p = static_cast<int>(threadIdx.x); p < plan.units * plan.loaded; p += kPersistentThreads) {
    const int unit = p % plan.units, sample = first + p / plan.units;
    if (unit < part.units && sample < part.samples) body(sample * plan.units + unit, unit, sample);
  }
}
template <typename Body>
__device__ __forceinline__ void for_all_pairs(const PersistentRnn& plan, const PersistentPart& part,
                                              const Body& body) {
  for (int first = 0; first < part.samples; first += plan.loaded) for_pairs(plan, part, first, body);
}

template <typename T>
__device__ __forceinline__ void load_pairs(const PersistentMemory<T>& memory, const RnnArgs& args,
                                           const PersistentRnn& plan, const PersistentPart& part) {
  const RnnDirection& direction = args.direction[part.which];
  const int gates = gates_of(args);
  for (int e = static_cast<int>(threadIdx.x); e < gates * part.units; e += kPersistentThreads) {
    const int gate = e / part.units, unit = e % part.units;
    const std::int64_t from = gate * args.hidden + part.first_unit + unit;
    memory.w_bias[gate * plan.units + unit] = direction.w_bias[from];
    memory.r_bias[gate * plan.units + unit] = direction.r_bias[from];
  }
  for (int b = static_cast<int>(threadIdx.x); b < part.samples; b += kPersistentThreads) {
    const std::int64_t length = length_of(args, part.first_sample + b);
    memory.lengths[b] = length > INT_MAX ? INT_MAX : length < 0 ? 0 : static_cast<int>(length);
  }
  for_all_pairs(plan, part, [&](int pair, int unit, int sample) {
    const std::int64_t from = (part.first_sample + sample) * args.hidden + part.first_unit + unit;
    memory.kept[pair] = direction.state[from];
    memory.cells[pair] = args.cell == RnnCell::lstm ? direction.cell[from] : 0.0f;
  });
}

/// What the products of the inputs give the thread's pairs in a step.
template <typename T>
__device__ __forceinline__ void load_inputs(const PersistentMemory<T>& memory, const RnnArgs& args,
                                            const PersistentRnn& plan, const PersistentPart& part,
                                            std::int64_t step) {
  const int gates = gates_of(args), pairs = plan.units * plan.samples;
  const float* projected =
      args.direction[part.which].projected + (step * args.batch + part.first_sample) * gates * args.hidden;
  for_all_pairs(plan, part, [&](int pair, int unit, int sample) {
    const float* from = projected + sample * gates * args.hidden + part.first_unit + unit;
    float x[kMostGates] = {};
#pragma unroll
    for (int g = 0; g < kMostGates; ++g) {
      if (g < gates) x[g] = from[g * args.hidden];
    }
#pragma unroll
    for (int g = 0; g < kMostGates; ++g) {
      if (g < gates) memory.inputs[g * pairs + pair] = x[g];
    }
  });
}

// ---- What is read in each step.

/// States that all blocks of the group have written, `vectors` times 16 bytes.
__device__ __forceinline__ void load_states(uint4* to, const uint4* from, int vectors) {
  constexpr int kAtOnce = 8;
  for (int first = static_cast<int>(threadIdx.x); first < vectors; first += kAtOnce * kPersistentThreads) {
    uint4 loaded[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      if (first + i * kPersistentThreads < vectors)
        loaded[i] = simt::load_from_blocks(from + first + i * kPersistentThreads);
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      if (first + i * kPersistentThreads < vectors) to[first + i * kPersistentThreads] = loaded[i];
    }
  }
}

/// Calls body(tile, part) for what this warp multiplies.
template <typename Body>
__device__ __forceinline__ void for_tiles(const PersistentRnn& plan, const Body& body) {
  const int warp = static_cast<int>(threadIdx.x) / simt::kWarp;
  for (int item = warp; item < plan.tiles * plan.parts; item += kPersistentWarps)
    body(item % plan.tiles, item / plan.tiles);
}

/// The sums of a chunk, of float32. A lane has every 32nd vector of the depth.
template <int SAMPLES>
__device__ __forceinline__ void multiply_floats(const PersistentMemory<float>& memory,
                                                const PersistentRnn& plan, int chunk) {
  constexpr int kRows = 8;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  for_tiles(plan, [&](int tile, int part) {
    const float* weights = memory.weights + tile * kRows * plan.depth;
    const float* state = memory.state + chunk * SAMPLES * plan.depth;
    float sums[kRows * SAMPLES] = {};
    for (int k = 4 * (part * simt::kWarp + lane); k < plan.depth; k += 4 * simt::kWarp * plan.parts) {
      float4 w[kRows];
#pragma unroll
      for (int r = 0; r < kRows; ++r) w[r] = simt::load4(weights + r * plan.depth + k);
#pragma unroll
      for (int b = 0; b < SAMPLES; ++b) {
        const float4 h = simt::load4(state + b * plan.depth + k);
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
          float& sum = sums[r * SAMPLES + b];
          sum = fmaf(w[r].x, h.x, sum);
          sum = fmaf(w[r].y, h.y, sum);
          sum = fmaf(w[r].z, h.z, sum);
          sum = fmaf(w[r].w, h.w, sum);
        }
      }
    }
    constexpr int kAtOnce = kRows * SAMPLES < simt::kWarp ? kRows * SAMPLES : simt::kWarp;
    constexpr int kLanes = simt::kWarp / kAtOnce;  // that get the same sum
    float* const to =
        memory.sums + ((chunk * plan.parts + part) * plan.rows() + tile * kRows) * (SAMPLES + 1);
#pragma unroll
    for (int first = 0; first < kRows * SAMPLES; first += kAtOnce) {
      float values[kAtOnce];
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) values[i] = sums[first + i];
      const float sum = warp_sum_of_each(values, lane);
      const int at = first + lane / kLanes;
      if (lane % kLanes == 0) to[at / SAMPLES * (SAMPLES + 1) + at % SAMPLES] = sum;
    }
  });
}

/// The same of halves, by tensor cores: 16 rows, SAMPLES columns, 32 of the depth at a time, in two sums.
template <typename T, int SAMPLES>
__device__ __forceinline__ void multiply_halves(const PersistentMemory<T>& memory, const PersistentRnn& plan,
                                                int chunk) {
  constexpr int kRows = 16, kColumns = SAMPLES / 8, kDepth = 32;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  for_tiles(plan, [&](int tile, int part) {
    const T* a_row = memory.weights + (tile * kRows + lane % 16) * plan.depth + lane / 16 * 8;
    const T* b_row = memory.state + (chunk * SAMPLES + lane % 8) * plan.depth + lane / 8 * 8;
    float sums[2][1][kColumns][4] = {};
    for (int k = part * kDepth; k + kDepth <= plan.depth; k += plan.parts * kDepth) {
      std::uint32_t a[2][1][4], b[2][kColumns][2];
      simt::ldmatrix_x4(a[0][0], a_row + k);
      simt::ldmatrix_x4(a[1][0], a_row + k + kDepth / 2);
#pragma unroll
      for (int n = 0; n < kColumns; ++n) {
        std::uint32_t both[4];
        simt::ldmatrix_x4(both, b_row + n * 8 * plan.depth + k);
        b[0][n][0] = both[0], b[0][n][1] = both[1], b[1][n][0] = both[2], b[1][n][1] = both[3];
      }
      multiply_fragments<T>(sums[0], a[0], b[0]);
      multiply_fragments<T>(sums[1], a[1], b[1]);
    }
    float* const to = memory.sums +
                      ((chunk * plan.parts + part) * plan.rows() + tile * kRows + lane / 4) * (SAMPLES + 1) +
                      lane % 4 * 2;
#pragma unroll
    for (int n = 0; n < kColumns; ++n) {
#pragma unroll
      for (int r = 0; r < 4; ++r)
        to[r / 2 * 8 * (SAMPLES + 1) + n * 8 + r % 2] = sums[0][0][n][r] + sums[1][0][n][r];
    }
  });
}

template <typename T, int SAMPLES>
__device__ __forceinline__ void multiply(const PersistentMemory<T>& memory, const PersistentRnn& plan,
                                         int chunk) {
  if constexpr (std::is_same_v<T, float>) {
    multiply_floats<SAMPLES>(memory, plan, chunk);
  } else {
    multiply_halves<T, SAMPLES>(memory, plan, chunk);
  }
}

/// Advances the thread's pairs of what is loaded. `next`: the state of the block's first sample, for all
/// blocks of the group.
template <typename T, int SAMPLES>
__device__ __forceinline__ void advance_pairs(const PersistentMemory<T>& memory, const RnnArgs& args,
                                              const PersistentRnn& plan, const PersistentPart& part,
                                              int first, std::int64_t step, T* next) {
  const int gates = gates_of(args), pairs = plan.units * plan.samples;
  for_pairs(plan, part, first, [&](int pair, int unit, int sample) {
    float x[kMostGates] = {}, y[kMostGates] = {};
    const int chunk = (sample - first) / SAMPLES, column = (sample - first) % SAMPLES;
    for (int i = 0; i < plan.parts; ++i) {
      const int row = (chunk * plan.parts + i) * plan.rows() + unit * gates;
      const float* sums = memory.sums + row * (SAMPLES + 1) + column;
#pragma unroll
      for (int g = 0; g < kMostGates; ++g) {
        if (g < gates) y[g] += sums[g * (SAMPLES + 1)];
      }
    }
#pragma unroll
    for (int g = 0; g < kMostGates; ++g) {
      if (g >= gates) continue;
      x[g] = memory.inputs[g * pairs + pair] + memory.w_bias[g * plan.units + unit];
      y[g] += memory.r_bias[g * plan.units + unit];
    }
    Unit made = advance(args.cell, args.clip, x, y, memory.kept[pair], memory.cells[pair]);
    if (step >= memory.lengths[sample]) made = {memory.kept[pair], memory.cells[pair]};
    next[sample * plan.depth + unit] = to_stored<T>(made.state);
    memory.kept[pair] = made.state;
    memory.cells[pair] = made.cell;
  });
}

/// Of a step, when other blocks need not wait for it.
template <typename T>
__device__ __forceinline__ void store_outputs(const PersistentMemory<T>& memory, const RnnArgs& args,
                                              const PersistentRnn& plan, const PersistentPart& part,
                                              std::int64_t step) {
  float* const out = args.direction[part.which].out +
                     (step * args.batch + part.first_sample) * args.out_stride + part.first_unit;
  for_all_pairs(plan, part, [&](int pair, int unit, int sample) {
    out[sample * args.out_stride + unit] = step >= memory.lengths[sample] ? 0.0f : memory.kept[pair];
  });
}

template <typename T>
__device__ __forceinline__ void store_last(const PersistentMemory<T>& memory, const RnnArgs& args,
                                           const PersistentRnn& plan, const PersistentPart& part) {
  const RnnDirection& direction = args.direction[part.which];
  for_all_pairs(plan, part, [&](int pair, int unit, int sample) {
    const std::int64_t to = (part.first_sample + sample) * args.hidden + part.first_unit + unit;
    if (direction.next_state != nullptr) direction.next_state[to] = memory.kept[pair];
    if (direction.next_cell != nullptr) direction.next_cell[to] = memory.cells[pair];
  });
}

/// Block (x, y, z): the slice of units, the group of samples, the direction. `states`: [turn][direction]
/// [group][sample][depth], of zeros; `signals`: a counter for each group, of zero.
template <typename T, int SAMPLES>
__global__ void __launch_bounds__(kPersistentThreads)
    persistent_kernel(RnnArgs args, PersistentRnn plan, std::int64_t steps, T* states, unsigned* signals) {
  const PersistentMemory<T> memory(plan, gates_of(args));
  const PersistentPart part(args, plan);
  const std::int64_t group = static_cast<std::int64_t>(part.which) * gridDim.y + blockIdx.y;
  const std::int64_t group_states = static_cast<std::int64_t>(plan.samples) * plan.depth;
  const std::int64_t turn = group_states * gridDim.y * gridDim.z;
  T* const group_state = states + group * group_states;
  unsigned* const counter = signals + group * static_cast<std::int64_t>(kSignalBytes / sizeof(unsigned));
  const bool speaks = threadIdx.x == kPersistentThreads - 1;  // it has the fewest pairs
  const auto step_of = [&](std::int64_t i) { return part.which == 0 ? i : steps - 1 - i; };

  load_weights(memory, args, plan, part);
  load_pairs(memory, args, plan, part);
  load_inputs(memory, args, plan, part, step_of(0));
  for (std::int64_t i = 0; i < steps; ++i) {
    const T* const before = group_state + (i + 1) % 2 * turn;
    T* const next = group_state + i % 2 * turn + part.first_unit;
    for (int first = 0; first < part.samples; first += plan.loaded) {
      if (i == 0) {
        load_first_state(memory, args, plan, part, first);
      } else {
        load_states(reinterpret_cast<uint4*>(memory.state),
                    reinterpret_cast<const uint4*>(before + first * plan.depth),
                    plan.loaded * plan.depth / kVector<T>);
      }
      __syncthreads();  // the state is there
      for (int chunk = 0; chunk * SAMPLES < plan.loaded; ++chunk) multiply<T, SAMPLES>(memory, plan, chunk);
      __syncthreads();  // the sums are there
      advance_pairs<T, SAMPLES>(memory, args, plan, part, first, step_of(i), next);
    }
    const bool last = i + 1 == steps;
    if (!last) __syncthreads();  // all of the block have written their states
    if (!last && speaks) simt::signal(counter);
    store_outputs(memory, args, plan, part, step_of(i));
    if (last) break;
    load_inputs(memory, args, plan, part, step_of(i + 1));
    if (speaks) simt::wait_for(counter, gridDim.x * static_cast<unsigned>(i + 1));
    __syncthreads();  // all blocks of the group have
  }
  store_last(memory, args, plan, part);
}

template <typename T, int SAMPLES>
Status launch_persistent(const RnnArgs& args, const PersistentRnn& plan, std::int64_t steps, void* scratch,
                         const Stream& stream) {
  const dim3 grid(static_cast<unsigned>(plan.slices), static_cast<unsigned>(plan.groups),
                  static_cast<unsigned>(args.directions));
  const std::size_t signal_bytes = kSignalBytes * grid.y * grid.z;
  auto* const states = reinterpret_cast<T*>(static_cast<unsigned char*>(scratch) + signal_bytes);
  const Status status = runtime().fill_bytes(scratch, 0, plan.scratch_bytes, stream);
  if (status != kSuccess) return status;
  return simt::launch_cooperative(persistent_kernel<T, SAMPLES>, grid, kPersistentThreads, plan.shared_bytes,
                                  stream, args, plan, steps, states, static_cast<unsigned*>(scratch));
}

}  // namespace

Status rnn_persistent(const RnnArgs& args, const PersistentRnn& plan, std::int64_t steps, void* scratch,
                      const Stream& stream) {
  return with_float_type(plan.type, [&](auto element) {
    using T = decltype(element);
    if constexpr (std::is_same_v<T, float>) {
      return plan.chunk == 1 ? launch_persistent<T, 1>(args, plan, steps, scratch, stream)
                             : launch_persistent<T, 8>(args, plan, steps, scratch, stream);
    } else {
      return plan.chunk == 32   ? launch_persistent<T, 32>(args, plan, steps, scratch, stream)
             : plan.chunk == 16 ? launch_persistent<T, 16>(args, plan, steps, scratch, stream)
                                : launch_persistent<T, 8>(args, plan, steps, scratch, stream);
    }
  });
}

}  // namespace mxinfer::kernels::cuda
