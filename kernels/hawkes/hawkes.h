// The log likelihood of sequences of marked events under self-exciting Hawkes processes. The
// intensity of process k is
//
//   base[k] + alpha[k] * beta[k] * sum over its events before t of exp(-beta[k] * (t - event))
//
// and the result is the sum over events of log(intensity), minus the integral of all intensities until the
// end. A state is that sum of exponentials at the start, and becomes the one at the end.
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

/// Row-major; preconditions: marks in [0, processes) for the valid events of a sequence.
template <typename T>
struct HawkesArgs {
  std::int64_t processes = 0;
  std::int64_t events = 0;              ///< capacity of a sequence
  const T* base = nullptr;              ///< (sequences, processes)
  const T* alpha = nullptr;             ///< (processes)
  const T* beta = nullptr;              ///< (processes)
  const T* state = nullptr;             ///< (sequences, processes)
  const T* lags = nullptr;              ///< (sequences, events): the time since the event before
  const std::int32_t* marks = nullptr;  ///< (sequences, events): the process of an event
  const T* valid_length = nullptr;      ///< (sequences): the number of events
  const T* end = nullptr;               ///< (sequences)
  T* likelihood = nullptr;              ///< (sequences)
  T* end_state = nullptr;               ///< (sequences, processes)
};

/// Sequences [begin, end); scratch holds `processes` elements. T: float, double. exp and log are float's own,
/// as in MXNet.
template <typename T>
void hawkes(const HawkesArgs<T>& args, T* scratch, std::int64_t begin, std::int64_t end);

}  // namespace mxinfer::kernels
