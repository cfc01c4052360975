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

}  // namespace

template <typename T>
void lstm_cell_ref(const LstmCellArgs<T>& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t n = args.hidden;
  for (std::int64_t row = begin; row < end; ++row) {
    const T* gates = args.gates + row * 4 * n;
    for (std::int64_t j = 0; j < n; ++j) {
      T& c = args.cell[row * n + j];
      c = clipped(args.clip, sigmoid(gates[n + j]) * c + sigmoid(gates[j]) * std::tanh(gates[2 * n + j]));
      args.out[row * n + j] = sigmoid(gates[3 * n + j]) * std::tanh(c);
    }
  }
}

template <typename T>
void gru_cell_ref(const GruCellArgs<T>& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t n = args.hidden;
  for (std::int64_t row = begin; row < end; ++row) {
    const T* x = args.from_input + row * 3 * n;
    const T* y = args.from_state + row * 3 * n;
    for (std::int64_t j = 0; j < n; ++j) {
      T& h = args.state[row * n + j];
      const T r = sigmoid(x[j] + y[j]);
      const T z = sigmoid(x[n + j] + y[n + j]);
      const T fresh = std::tanh(x[2 * n + j] + r * y[2 * n + j]);
      h = (T(1) - z) * fresh + z * h;
    }
  }
}

template void lstm_cell_ref(const LstmCellArgs<float>&, std::int64_t, std::int64_t);
template void lstm_cell_ref(const LstmCellArgs<double>&, std::int64_t, std::int64_t);
template void gru_cell_ref(const GruCellArgs<float>&, std::int64_t, std::int64_t);
template void gru_cell_ref(const GruCellArgs<double>&, std::int64_t, std::int64_t);

}  // namespace mxinfer::kernels
