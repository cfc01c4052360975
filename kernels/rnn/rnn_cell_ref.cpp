#include <cmath>

#include "kernels/rnn/rnn_cell.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
T sigmoid(T x) {
  return T(1) / (T(1) + std::exp(-x));
}

template <typename T>
T clipped(const CellClip<T>& clip, T c) {
  if (!clip.clip || (clip.keep_nan && std::isnan(c))) return c;
  if (!(c >= clip.low)) return clip.low;
  return c > clip.high ? clip.high : c;
}

/// The offset of element j of a gate in a row.
std::int64_t gate_at(std::int64_t gates, std::int64_t block, std::int64_t gate, std::int64_t j) {
  return j / block * gates * block + gate * block + j % block;
}

std::int64_t step_of(std::int64_t stride, std::int64_t dense) {
  return stride != 0 ? stride : dense;
}

}  // namespace

template <typename T>
void lstm_cell_ref(const LstmCellArgs<T>& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t n = args.hidden, block = args.block != 0 ? args.block : n;
  for (std::int64_t row = begin; row < end; ++row) {
    const T* gates = args.gates + row * step_of(args.gates_stride, 4 * n);
    T* cell = args.cell + row * step_of(args.cell_stride, n);
    T* out = args.out + row * step_of(args.out_stride, n);
    const auto gate = [&](std::int64_t g, std::int64_t j) { return gates[gate_at(4, block, g, j)]; };
    for (std::int64_t j = 0; j < n; ++j) {
      const T next = sigmoid(gate(1, j)) * cell[j] + sigmoid(gate(0, j)) * std::tanh(gate(2, j));
      cell[j] = clipped(args.clip, next);
      out[j] = sigmoid(gate(3, j)) * std::tanh(cell[j]);
    }
  }
}

template <typename T>
void gru_cell_ref(const GruCellArgs<T>& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t n = args.hidden, block = args.block != 0 ? args.block : n;
  for (std::int64_t row = begin; row < end; ++row) {
    const T* x = args.from_input + row * step_of(args.gates_stride, 3 * n);
    const T* y = args.from_state + row * step_of(args.gates_stride, 3 * n);
    const T* state = args.state + row * step_of(args.state_stride, n);
    T* out = args.out + row * step_of(args.out_stride, n);
    for (std::int64_t j = 0; j < n; ++j) {
      const auto at = [&](std::int64_t g) { return gate_at(3, block, g, j); };
      const T r = sigmoid(x[at(0)] + y[at(0)]);
      const T z = sigmoid(x[at(1)] + y[at(1)]);
      const T fresh = std::tanh(x[at(2)] + r * y[at(2)]);
      out[j] = (T(1) - z) * fresh + z * state[j];
    }
  }
}

template void lstm_cell_ref(const LstmCellArgs<float>&, std::int64_t, std::int64_t);
template void lstm_cell_ref(const LstmCellArgs<double>&, std::int64_t, std::int64_t);
template void gru_cell_ref(const GruCellArgs<float>&, std::int64_t, std::int64_t);
template void gru_cell_ref(const GruCellArgs<double>&, std::int64_t, std::int64_t);

}  // namespace mxinfer::kernels
