// Where MXNet's RNN keeps what in its one packed array of parameters: for each layer, and in it for each
// direction, W (gates * state_size, input size), R (gates * state_size, output size) and, with a projection,
// P (projection_size, state_size); behind all of these, in the same order, the two biases of W and R.
//
//   const RnnLayout layout = rnn_layout(attrs, input_size);
//   const float* w = parameters + layout.cells[layer * layout.directions + direction].w;
#pragma once

#include <cstdint>
#include <vector>

#include "graph/attrs.h"
#include "kernels/rnn/rnn_cell.h"

namespace mxinfer::ops {

enum class RnnMode : std::uint8_t { relu, tanh, lstm, gru };

/// Offsets of one layer in one direction, in elements.
struct RnnCellOffsets {
  std::int64_t input = 0;  ///< the size of what it reads at each step
  std::int64_t w = 0, r = 0, p = 0;
  std::int64_t w_bias = 0, r_bias = 0;
};

struct RnnLayout {
  RnnMode mode = RnnMode::lstm;
  std::int64_t gates = 1;       ///< 4 for lstm, 3 for gru
  std::int64_t hidden = 0;      ///< state_size
  std::int64_t projection = 0;  ///< projection_size, 0 if there is none
  std::int64_t layers = 1, directions = 1;
  std::vector<RnnCellOffsets> cells;  ///< [layer * directions + direction]
  std::int64_t elements = 0;          ///< of the packed array

  /// The size of what a cell gives at each step.
  std::int64_t output() const { return projection > 0 ? projection : hidden; }
};

/// Refuses sizes whose array would not fit into memory's addresses.
RnnLayout rnn_layout(const graph::Attrs& attrs, std::int64_t input_size);

/// The arithmetic of all GEMMs over so many steps times samples.
double rnn_flops(const RnnLayout& layout, std::int64_t samples);

template <typename T>
kernels::CellClip<T> rnn_clip(const graph::Attrs& attrs) {
  kernels::CellClip<T> clip;
  clip.clip = attrs.has("lstm_state_clip_min") && attrs.has("lstm_state_clip_max");
  if (!clip.clip) return clip;
  clip.low = static_cast<T>(attrs.number("lstm_state_clip_min"));
  clip.high = static_cast<T>(attrs.number("lstm_state_clip_max"));
  clip.keep_nan = attrs.flag("lstm_state_clip_nan");
  return clip;
}

}  // namespace mxinfer::ops
