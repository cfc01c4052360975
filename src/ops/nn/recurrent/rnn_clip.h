// The limits of an LSTM's cell state, as the attributes of RNN give them.
#pragma once

#include "graph/attrs.h"
#include "kernels/rnn/rnn_cell.h"

namespace mxinfer::ops {

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
