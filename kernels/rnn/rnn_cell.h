// What one time step of a recurrent layer does element by element, once the products of its input and of its
// last state with their weights are there. With s = sigmoid and rows of `hidden` elements for each sample:
//
//   LSTM   gates = [i f g o]:       c' = s(f) c + s(i) tanh(g),   h' = s(o) tanh(c')
//   GRU    x = [xr xz xn], y = [yr yz yn], of input and state:
//          z = s(xz + yz),   n = tanh(xn + s(xr + yr) yn),   h' = (1 - z) n + z h
//
// The order of the gates is that of MXNet's RNN operator. A row depends on itself alone, so rows may be
// computed in any pieces.
#pragma once

#include <cstdint>

#include "kernels/common/target.h"

namespace mxinfer::kernels {

/// What becomes of c' before it is used: limited to [low, high] where clip; a NaN stays one where keep_nan,
/// and becomes low otherwise.
template <typename T>
struct CellClip {
  bool clip = false;
  bool keep_nan = false;
  T low = 0, high = 0;
};

template <typename T>
struct LstmCellArgs {
  std::int64_t hidden = 0;
  CellClip<T> clip;
  const T* gates = nullptr;  ///< (rows, 4 * hidden)
  T* cell = nullptr;         ///< (rows, hidden): c, replaced by c'
  T* out = nullptr;          ///< (rows, hidden): h'
};

template <typename T>
struct GruCellArgs {
  std::int64_t hidden = 0;
  const T* from_input = nullptr;  ///< (rows, 3 * hidden)
  const T* from_state = nullptr;  ///< (rows, 3 * hidden)
  T* state = nullptr;             ///< (rows, hidden): h, replaced by h'
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

/// The fastest for a target; Target::ref gets the reference.
LstmCellFn<float> select_lstm_cell_f32(Target target);
GruCellFn<float> select_gru_cell_f32(Target target);

}  // namespace mxinfer::kernels
