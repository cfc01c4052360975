// One layer of recurrent cells on a GPU, both of its directions at once. The products of the inputs of all
// steps with W are a GEMM (kernels/gemm/gemm_cuda.h), made before. What follows is done in one of four ways:
//
//   rnn_sequence    all steps in one launch, a block for each sample and direction; R is in shared memory
//   rnn_persistent  all steps in one launch, R divided among blocks that wait for each other
//                   (rnn_persistent_cuda.h)
//   rnn_step        a launch for each step, that multiplies the state by R and has the cells; few samples
//   rnn_cells       the cells of a step, behind a GEMM of the state with R; many samples
//
// The formulas are those of kernels/rnn/rnn_cell.h; gates have MXNet's order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/stream.h"
#include "kernels/rnn/rnn_cell.h"

namespace mxinfer::kernels::cuda {

enum class RnnCell : std::uint8_t { relu, tanh, lstm, gru };

/// The number of gates of a cell.
constexpr std::int64_t rnn_gates(RnnCell cell) {
  return cell == RnnCell::lstm ? 4 : cell == RnnCell::gru ? 3 : 1;
}

/// The length of each sample's sequence: float32, int32 or int64, floats are cut towards zero.
enum class RnnLengths : std::uint8_t { none, float32, int32, int64 };

/// One direction at one step (rnn_step, rnn_cells) or of a whole sequence (rnn_sequence). next_state and
/// next_cell are not state, but for samples that one launch handles whole; next_cell may be cell.
struct RnnDirection {
  std::int64_t step = 0;             ///< of the sequence, as data has it
  const float* projected = nullptr;  ///< (batch, gates * hidden): x W
  const float* w_bias = nullptr;     ///< (gates * hidden)
  const float* r_bias = nullptr;     ///< (gates * hidden)
  const float* r = nullptr;          ///< (gates * hidden, state size)
  const float* gates = nullptr;      ///< (batch, gates * hidden): h R, of rnn_cells
  const float* state = nullptr;      ///< (batch, state size)
  const float* cell = nullptr;       ///< (batch, hidden), of lstm
  float* next_state = nullptr;
  float* next_cell = nullptr;
  float* out = nullptr;  ///< (batch, state size), rows out_stride apart
};

/// The state size is hidden, or projection if that is set: then rnn_cells stores h' in `hidden_out`
/// (directions, batch, hidden), of every sample, and rnn_take takes what a GEMM made of it.
struct RnnArgs {
  RnnCell cell = RnnCell::lstm;
  int directions = 1;
  std::int64_t batch = 0, hidden = 0, projection = 0;
  std::int64_t out_stride = 0;
  CellClip<float> clip;
  RnnLengths lengths_type = RnnLengths::none;
  const void* lengths = nullptr;  ///< (batch)
  float* hidden_out = nullptr;
  RnnDirection direction[2];

  std::int64_t gates() const { return rnn_gates(cell); }
};

/// Whether rnn_sequence takes layers of this size on a GPU whose blocks may have so much shared memory.
constexpr bool rnn_fits_block(std::int64_t hidden, std::size_t shared_bytes) {
  const std::int64_t most = hidden <= 32 ? 32 : hidden <= 64 ? 64 : 96;
  return hidden <= most &&
         static_cast<std::size_t>(most * (4 * most + 1) + 5 * most) * sizeof(float) <= shared_bytes;
}

/// All steps. projected is (steps, batch, gates * hidden), out (steps, batch, out_stride) from the
/// direction's first element on; direction 1 goes backwards. next_state and next_cell may be null.
/// Preconditions: no projection; rnn_fits_block().
Status rnn_sequence(const RnnArgs& args, std::int64_t steps, const Stream& stream);

/// One step. Precondition: no projection.
Status rnn_step(const RnnArgs& args, const Stream& stream);

/// The cells of one step.
Status rnn_cells(const RnnArgs& args, const Stream& stream);

/// The end of a step with a projection: `fresh` (directions, batch, projection) is the projected h'.
Status rnn_take(const RnnArgs& args, const float* fresh, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
