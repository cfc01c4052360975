#include "cli/bench/bench_callers.h"

#include <mxinfer/async/completion_queue.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <random>
#include <thread>
#include <utility>

namespace mxinfer::cli {
namespace {

using Clock = std::chrono::steady_clock;

Clock::duration as_duration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

Tensor make_input(DType dtype, const Shape& shape) {
  Tensor tensor(dtype, shape);
  if (dtype != DType::float32) return tensor;
  std::mt19937 generator(1);
  float* values = tensor.data<float>();
  for (std::int64_t i = 0; i < tensor.elements(); ++i)
    values[i] = static_cast<float>(generator() >> 8) * 0x1p-24f;
  return tensor;
}

/// Makes one call after another, with inputs and outputs of its own.
class Caller {
 public:
  Caller(const Predictor& predictor, const std::vector<NamedShape>& shapes)
      : predictor_(predictor), inputs_(make_inputs(predictor.model(), shapes)) {
    views_.assign(inputs_.begin(), inputs_.end());
    for (const DataDesc& output : predictor.output_shapes(shapes))
      outputs_.emplace_back(output.dtype, output.shape);
    call_ms_.reserve(1 << 16);
  }

  /// Each call begins when the previous one has ended.
  void call_until(Clock::time_point end) {
    begin_ = Clock::now();
    do {
      predictor_.predict_into(views_, outputs_);
      note_end();
    } while (begin_ < end);
  }

  Prediction<void> submit() {
    begin_ = Clock::now();
    return predictor_.predict_into_async(views_, outputs_);
  }
  /// Records the end of a call, and returns whether it was before `end`, so that another call follows.
  bool note_end_before(Clock::time_point end) {
    note_end();
    return begin_ < end;
  }

  void forget() { call_ms_.clear(); }
  const std::vector<double>& call_ms() const { return call_ms_; }

 private:
  void note_end() {
    const Clock::time_point stop = Clock::now();
    call_ms_.push_back(milliseconds(stop - begin_));
    begin_ = stop;
  }

  const Predictor& predictor_;
  std::vector<Tensor> inputs_;
  std::vector<TensorView> views_;
  std::vector<Tensor> outputs_;
  std::vector<double> call_ms_;
  Clock::time_point begin_{};
};

/// Runs each caller on a thread of its own; rethrows the first exception.
void call_on_threads(std::vector<Caller>& callers, Clock::time_point end) {
  if (callers.size() == 1) return callers[0].call_until(end);
  std::vector<std::exception_ptr> failures(callers.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < callers.size(); ++i) {
    threads.emplace_back([&, i] {
      try {
        callers[i].call_until(end);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

/// Submits each call again when it has ended. If a call throws, the completion queue waits for the others.
void keep_in_flight(std::vector<Caller>& callers, Clock::time_point end) {
  CompletionQueue<void, std::size_t> ended;
  for (std::size_t i = 0; i < callers.size(); ++i) ended.add(i, callers[i].submit());
  while (auto next = ended.next()) {
    next->prediction.get();
    Caller& caller = callers[next->tag];
    if (caller.note_end_before(end)) ended.add(next->tag, caller.submit());
  }
}

}  // namespace

std::vector<Tensor> make_inputs(const Model& model, const std::vector<NamedShape>& shapes) {
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    inputs.push_back(make_input(model.signature().inputs[i].dtype, shapes[i].second));
  return inputs;
}

LoadTimes run_load(const Predictor& predictor, const std::vector<NamedShape>& shapes, const Load& load) {
  std::vector<Caller> callers;
  for (int i = 0; i < load.concurrency; ++i) callers.emplace_back(predictor, shapes);
  const auto call = load.way == CallWay::asynchronous ? keep_in_flight : call_on_threads;
  call(callers, Clock::now() + as_duration(std::min(1.0, load.seconds / 5)));
  for (Caller& caller : callers) caller.forget();

  const Clock::time_point start = Clock::now();
  call(callers, start + as_duration(load.seconds));
  LoadTimes times;
  times.elapsed_s = std::chrono::duration<double>(Clock::now() - start).count();
  for (const Caller& caller : callers)
    times.call_ms.insert(times.call_ms.end(), caller.call_ms().begin(), caller.call_ms().end());
  std::sort(times.call_ms.begin(), times.call_ms.end());
  return times;
}

double percentile(const std::vector<double>& sorted, double share) {
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

}  // namespace mxinfer::cli
