// Measures concurrent calls of one predictor.
//
//   Load load;
//   load.concurrency = 16;
//   load.way = CallWay::asynchronous;
//   const LoadTimes times = run_load(predictor, shapes, load);
//   std::cout << percentile(times.call_ms, 0.99);
#pragma once

#include <mxinfer/predictor.h>

#include <chrono>
#include <vector>

namespace mxinfer::cli {

enum class CallWay {
  synchronous,   ///< one thread per call, in predict_into
  asynchronous,  ///< one thread that keeps all calls in flight with predict_into_async
};

struct Load {
  int concurrency = 1;
  CallWay way = CallWay::synchronous;
  double seconds = 3;
};

struct LoadTimes {
  /// Sorted. Synchronous: from call to return; asynchronous: from submission until the end is seen.
  std::vector<double> call_ms;
  double elapsed_s = 0;
};

/// float32 inputs have values in [0, 1), which exercise the arithmetic without denormals. Other dtypes have
/// zeros, which are always valid, also as indices.
std::vector<Tensor> make_inputs(const Model& model, const std::vector<NamedShape>& shapes);

/// Warms up for a fifth of load.seconds, at most one second, then measures. Each concurrent call has its own
/// inputs and outputs. Precondition: the predictor's queue accepts load.concurrency predictions.
LoadTimes run_load(const Predictor& predictor, const std::vector<NamedShape>& shapes, const Load& load);

inline double milliseconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

/// The smallest value that at least `share` of all values do not exceed. Precondition: `sorted` is not empty.
double percentile(const std::vector<double>& sorted, double share);

}  // namespace mxinfer::cli
