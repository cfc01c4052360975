// All steps of a recurrent layer in one launch, both of its directions at once ("persistent"): the recurrent
// weights stay on the GPU's multiprocessors.
//
// Blocks divide the hidden units into slices and the samples into groups. A block keeps the weights of all
// gates of its units in shared memory, in float32 or in halves. In each step it reads the state of its
// samples, multiplies, and advances its units. Blocks of a group and direction then wait for each other, as
// each needs the state that all of them write: it goes through global memory, in two arrays in turn. There is
// at most one block for each multiprocessor, so that all are on the GPU at once.
//
//   const std::optional<PersistentRnn> plan = plan_persistent_rnn(sizes, FloatType::float16, gpu);
//   if (plan) rnn_persistent(args, *plan, steps, scratch, stream);   // scratch: plan->scratch_bytes
#pragma once

#include <optional>

#include "kernels/common/float_type.h"
#include "kernels/rnn/rnn_cuda.h"

namespace mxinfer::kernels::cuda {

struct PersistentSizes {
  RnnCell cell = RnnCell::lstm;
  int directions = 1;
  std::int64_t batch = 0, hidden = 0;
};

struct PersistentGpu {
  int multiprocessors = 1;
  std::size_t shared_bytes = 0;  ///< that a block may have
};

/// How blocks divide a layer. Units and samples that are too many are as zeros.
struct PersistentRnn {
  FloatType type = FloatType::float32;  ///< of weights and of the state where they are multiplied
  int units = 0, slices = 0;            ///< of a block; slices of all units
  int samples = 0, groups = 0;          ///< of a block; groups of all samples
  int loaded = 0;                       ///< samples whose states a block reads at once, a multiple of chunk
  int chunk = 0;             ///< samples that a block multiplies at once: 1 or 8, with halves 8, 16 or 32
  int tiles = 0, parts = 0;  ///< a warp multiplies tiles of rows, each in a part of the depth
  int depth = 0;             ///< elements from a row of weights, or a state, to the next
  /// Bytes from the start of shared memory: the weights are first.
  int state_at = 0, sums_at = 0, inputs_at = 0, kept_at = 0, biases_at = 0, lengths_at = 0;
  std::size_t shared_bytes = 0;
  std::size_t scratch_bytes = 0;
  double clocks = 0;  ///< the estimated time of a step

  /// Rows of weights, a gate of a unit each: those of a unit are neighbours.
  constexpr int tile_rows() const { return type == FloatType::float32 ? 8 : 16; }
  constexpr int rows() const { return tiles * tile_rows(); }
};

/// Bytes of the scratch memory for the signals of a group.
inline constexpr std::size_t kSignalBytes = 128;

/// The fastest way to divide a layer; none if its weights do not fit on the GPU.
std::optional<PersistentRnn> plan_persistent_rnn(const PersistentSizes& sizes, FloatType type,
                                                 const PersistentGpu& gpu);

/// All steps, as rnn_sequence() has them, of a layer without a projection. Preconditions: fewer than 2^31
/// steps; bfloat16 is of GPUs from 8.0 on.
Status rnn_persistent(const RnnArgs& args, const PersistentRnn& plan, std::int64_t steps, void* scratch,
                      const Stream& stream);

}  // namespace mxinfer::kernels::cuda
