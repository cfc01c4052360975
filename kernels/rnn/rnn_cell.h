// The element-wise part of one time step of a recurrent layer, after the GEMMs of its input and of its last
// state with their weights. With s = sigmoid and rows of `hidden` elements for each sample:
//
//   LSTM   gates = [i f g o]:       c' = s(f) c + s(i) tanh(g),   h' = s(o) tanh(c')
//   GRU    x = [xr xz xn], y = [yr yz yn], of input and state:
//          z = s(xz + yz),   n = tanh(xn + s(xr + yr) yn),   h' = (1 - z) n + z h
//
// The order of the gates is that of MXNet's RNN operator. A row depends on itself alone, so rows may be
// divided in any way.
#pragma once

#include <cstdint>

#include "kernels/common/target.h"

namespace mxinfer::kernels {

/// If clip, c' is limited to [low, high]; a NaN stays NaN if keep_nan, and becomes low otherwise.
template <typename T>
struct CellClip {
  bool clip = false;
  bool keep_nan = false;
  T low = 0, high = 0;
};

/// A row of gates has `hidden` elements of the first gate, then of the second, and so on. With a block, it
/// has `block` elements of each gate in turn, then the next ones, so that the gates of a unit are close
/// together; the last block is full, too. Strides are from row to row, 0: dense.
template <typename T>
struct LstmCellArgs {
  std::int64_t hidden = 0;
  std::int64_t block = 0;
  CellClip<T> clip;
  const T* gates = nullptr;  ///< (rows, 4 * hidden)
  T* cell = nullptr;         ///< (rows, hidden): c, replaced by c'
  T* out = nullptr;          ///< (rows, hidden): h'
  std::int64_t gates_stride = 0, cell_stride = 0, out_stride = 0;
};

template <typename T>
struct GruCellArgs {
  std::int64_t hidden = 0;
  std::int64_t block = 0;
  const T* from_input = nullptr;  ///< (rows, 3 * hidden)
  const T* from_state = nullptr;  ///< (rows, 3 * hidden)
  const T* state = nullptr;       ///< (rows, hidden): h
  T* out = nullptr;               ///< (rows, hidden): h', in place of h or elsewhere
  std::int64_t gates_stride = 0, state_stride = 0, out_stride = 0;
};

/// Computes rows [begin, end).
template <typename T>
using LstmCellFn = void (*)(const LstmCellArgs<T>& args, std::int64_t begin, std::int64_t end);
template <typename T>
using GruCellFn = void (*)(const GruCellArgs<T>& args, std::int64_t begin, std::int64_t end);

/// T: float, double.
template <typename T>
void lstm_cell_ref(const LstmCellArgs<T>& args, std::int64_t begin, std::int64_t end);
template <typename T>
void gru_cell_ref(const GruCellArgs<T>& args, std::int64_t begin, std::int64_t end);

/// The fastest for a target; Target::ref gets the reference. Precondition for other targets: block is 0 or
/// GemmPackedKernel::lanes.
LstmCellFn<float> select_lstm_cell_f32(Target target);
GruCellFn<float> select_gru_cell_f32(Target target);

}  // namespace mxinfer::kernels
