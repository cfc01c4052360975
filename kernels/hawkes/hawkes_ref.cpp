#include <algorithm>
#include <cmath>

#include "kernels/hawkes/hawkes.h"

namespace mxinfer::kernels {
namespace {

/// The state of one process of one sequence after its last event.
template <typename T>
struct Process {
  T base, alpha, beta;
  T* state;
  T* last;

  T decay(T distance) const { return static_cast<T>(std::exp(static_cast<float>(-beta * distance))); }
  T integral(T distance, T decayed) const { return base * distance + alpha * *state * (T(1) - decayed); }
};

template <typename T>
T sequence(const HawkesArgs<T>& args, std::int64_t i, T* state, T* last) {
  const auto process = [&](std::int64_t k) {
    return Process<T>{args.base[i * args.processes + k], args.alpha[k], args.beta[k], state + k, last + k};
  };
  T likelihood = 0, time = 0;
  for (std::int64_t j = 0; j < args.events && static_cast<T>(j) < args.valid_length[i]; ++j) {
    const Process<T> p = process(args.marks[i * args.events + j]);
    time += args.lags[i * args.events + j];
    const T distance = time - *p.last, decayed = p.decay(distance);
    const T intensity = p.base + p.alpha * p.beta * *p.state * decayed;
    likelihood += static_cast<T>(std::log(static_cast<float>(intensity))) - p.integral(distance, decayed);
    *p.state = T(1) + *p.state * decayed;
    *p.last = time;
  }
  for (std::int64_t k = 0; k < args.processes; ++k) {
    const Process<T> p = process(k);
    const T distance = args.end[i] - *p.last, decayed = p.decay(distance);
    likelihood -= p.integral(distance, decayed);
    *p.state *= decayed;
  }
  return likelihood;
}

}  // namespace

template <typename T>
void hawkes(const HawkesArgs<T>& args, T* scratch, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    T* state = args.end_state + i * args.processes;
    std::copy_n(args.state + i * args.processes, args.processes, state);
    std::fill_n(scratch, args.processes, T(0));
    args.likelihood[i] = sequence(args, i, state, scratch);
  }
}

template void hawkes(const HawkesArgs<float>&, float*, std::int64_t, std::int64_t);
template void hawkes(const HawkesArgs<double>&, double*, std::int64_t, std::int64_t);

}  // namespace mxinfer::kernels
