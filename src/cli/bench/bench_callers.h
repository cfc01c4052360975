// Many calls of one predictor at the same time, and how long each took.
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
  synchronous,   ///< as many threads as calls, each in predict_into
  asynchronous,  ///< one thread that keeps as many in flight with predict_into_async
};

struct Load {
  int concurrency = 1;
  CallWay way = CallWay::synchronous;
  double seconds = 3;
};

struct LoadTimes {
  /// Sorted. Of a thread, from call to return; in flight, from the submission until its end was seen.
  std::vector<double> call_ms;
  double elapsed_s = 0;
};

/// Values in [0, 1) for float32, which exercise the arithmetic without denormals; zeros for other dtypes,
/// which are valid everywhere, as indices too.
std::vector<Tensor> make_inputs(const Model& model, const std::vector<NamedShape>& shapes);

/// Warms up for a fifth of the time, a second at most, and measures. Every call has inputs and outputs of its
/// own. Precondition: the predictor's queue takes as many as are in flight.
LoadTimes run_load(const Predictor& predictor, const std::vector<NamedShape>& shapes, const Load& load);

inline double milliseconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

/// The smallest value that at least `share` of all values do not exceed. Precondition: there is one.
double percentile(const std::vector<double>& sorted, double share);

}  // namespace mxinfer::cli
