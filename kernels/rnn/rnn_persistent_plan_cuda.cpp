#include <algorithm>

#include "kernels/common/divide.h"
#include "kernels/rnn/rnn_persistent_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kWarps = 8;
constexpr int kMostRows = 64;     ///< of the gates of a block's units
constexpr int kFewestRows = 16;   ///< fewer would not make a step shorter
constexpr int kMostSamples = 64;  ///< of a block
constexpr std::int64_t kMostHidden = 1 << 15;

// Clocks of a step of an H100, for blocks that wait for each other: guesses until they are measured.
constexpr double kClocksOfSignal = 3500, kClocksOfBlock = 10, kClocksOfLoad = 1000;
constexpr double kBytesOfClock = 32;  ///< that a multiprocessor reads from the second-level cache
constexpr double kSharedBytesOfClock = 128;
constexpr double kWarpsOfScheduler = 2;

int chunk_of(FloatType type, std::int64_t batch, int samples) {
  if (type == FloatType::float32) return batch == 1 ? 1 : 8;
  return samples % 32 == 0 ? 32 : samples % 16 == 0 ? 16 : 8;
}

/// Elements of a row in shared memory. Rows of halves are an odd number of 16 bytes apart, so that ldmatrix
/// meets no bank conflicts.
int depth_of(FloatType type, std::int64_t hidden) {
  const std::int64_t depth = type == FloatType::float32 ? round_up(hidden, 4) : round_up(hidden, 32) + 8;
  return static_cast<int>(depth);
}

/// The time in which a warp multiplies its tiles of a chunk, where the depth is in so many parts.
double warp_clocks(const PersistentRnn& plan, int parts) {
  const bool floats = plan.type == FloatType::float32;
  const double step = floats ? 32.0 * plan.chunk : 4.0 * plan.chunk + 32;
  const double end = floats ? 20.0 * plan.chunk : 60;
  const int steps = floats ? ceil_div(plan.depth, 128) : plan.depth / 32;
  double longest = 0;
  for (int warp = 0; warp < kWarps; ++warp) {
    double clocks = 0;
    for (int item = warp; item < plan.tiles * parts; item += kWarps)
      clocks += end + step * ceil_div(std::max(steps - item / plan.tiles, 0), parts);
    longest = std::max(longest, clocks);
  }
  return longest;
}

int best_parts(const PersistentRnn& plan) {
  int best = 1;
  for (int parts = 2; parts <= kWarps; ++parts) {
    if (warp_clocks(plan, parts) < warp_clocks(plan, best)) best = parts;
  }
  return best;
}

/// Sets where everything is.
void lay_out(PersistentRnn& plan, int gates, int directions) {
  const int element = static_cast<int>(bytes_of(plan.type));
  const int pairs = plan.units * plan.samples;
  int at = 0;
  const auto take = [&](int bytes) {
    const int start = at;
    at = round_up(at + bytes, 16);
    return start;
  };
  take(plan.rows() * plan.depth * element);
  plan.state_at = take(plan.loaded * plan.depth * element);
  plan.sums_at = take(plan.loaded / plan.chunk * plan.parts * plan.rows() * (plan.chunk + 1) * 4);
  plan.inputs_at = take(pairs * gates * 4);
  plan.kept_at = take(2 * pairs * 4);
  plan.biases_at = take(2 * plan.units * gates * 4);
  plan.lengths_at = take(plan.samples * 4);
  plan.shared_bytes = static_cast<std::size_t>(at);
  const auto blocks_of_state = static_cast<std::size_t>(plan.groups) * static_cast<std::size_t>(directions);
  const std::size_t states = 2 * blocks_of_state * static_cast<std::size_t>(plan.samples) *
                             static_cast<std::size_t>(plan.depth * element);
  plan.scratch_bytes = blocks_of_state * kSignalBytes + states;
}

double clocks_of(const PersistentRnn& plan) {
  const double element = static_cast<double>(bytes_of(plan.type)), depth = plan.depth;
  const double weight_clocks = plan.rows() * depth * element / kSharedBytesOfClock;
  const double product = std::max(weight_clocks, kWarpsOfScheduler * warp_clocks(plan, plan.parts));
  const double state = plan.samples * depth * element / kBytesOfClock;
  return kClocksOfSignal + kClocksOfBlock * plan.slices + state +
         static_cast<double>(plan.samples) / plan.loaded * kClocksOfLoad +
         static_cast<double>(plan.samples) / plan.chunk * product;
}

/// Chooses how a block multiplies, the fastest first. False if nothing fits.
bool choose_chunks(PersistentRnn& plan, const PersistentSizes& sizes, const PersistentGpu& gpu) {
  for (plan.chunk = chunk_of(plan.type, sizes.batch, plan.samples);; plan.chunk /= 2) {
    for (const int parts : {best_parts(plan), 1}) {
      plan.parts = parts;
      for (const int loaded : {plan.samples, plan.chunk}) {
        plan.loaded = loaded;
        lay_out(plan, static_cast<int>(rnn_gates(sizes.cell)), sizes.directions);
        if (plan.shared_bytes <= gpu.shared_bytes) return true;
      }
    }
    if (plan.chunk <= 8) return false;
  }
}

/// The plan with so many samples to a block; none if that does not fit.
std::optional<PersistentRnn> plan_of(const PersistentSizes& sizes, FloatType type, int samples,
                                     const PersistentGpu& gpu) {
  const int gates = static_cast<int>(rnn_gates(sizes.cell));
  PersistentRnn plan;
  plan.type = type;
  plan.samples = samples;
  plan.groups = static_cast<int>(ceil_div(sizes.batch, samples));
  const std::int64_t most_slices = gpu.multiprocessors / (std::int64_t{plan.groups} * sizes.directions);
  if (most_slices == 0) return std::nullopt;
  const std::int64_t units =
      std::max<std::int64_t>(ceil_div(sizes.hidden, most_slices), ceil_div(kFewestRows, gates));
  if (units * gates > kMostRows) return std::nullopt;
  plan.units = static_cast<int>(std::min(units, sizes.hidden));
  plan.slices = static_cast<int>(ceil_div(sizes.hidden, plan.units));
  plan.tiles = ceil_div(plan.units * gates, plan.tile_rows());
  plan.depth = depth_of(type, sizes.hidden);
  if (!choose_chunks(plan, sizes, gpu)) return std::nullopt;
  plan.clocks = clocks_of(plan);
  return plan;
}

}  // namespace

std::optional<PersistentRnn> plan_persistent_rnn(const PersistentSizes& sizes, FloatType type,
                                                 const PersistentGpu& gpu) {
  std::optional<PersistentRnn> best;
  if (sizes.hidden > kMostHidden || sizes.batch > std::int64_t{kMostSamples} * gpu.multiprocessors)
    return best;
  if (type == FloatType::float32 && sizes.batch == 1) return plan_of(sizes, type, 1, gpu);
  for (int samples = 8; samples <= kMostSamples && samples < sizes.batch + 8; samples += 8) {
    const std::optional<PersistentRnn> plan = plan_of(sizes, type, samples, gpu);
    if (plan && (!best || plan->clocks < best->clocks)) best = plan;
  }
  return best;
}

}  // namespace mxinfer::kernels::cuda
