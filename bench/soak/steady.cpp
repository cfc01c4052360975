#include "soak/steady.h"

#include <chrono>
#include <exception>

namespace mxinfer::soak {
namespace {

/// One thread a call, and workspaces and requests for all callers, so that none is made anew.
Options for_callers(int threads) {
  Options options;
  options.threads = 1;
  options.max_idle_executors = static_cast<std::size_t>(threads) + 2;
  options.async.max_in_flight = 2 * threads;
  options.async.workers = 2;
  return options;
}

}  // namespace

Steady::Steady(const Stage& stage, int threads, Surprises& surprises)
    : stage_(stage), surprises_(surprises), predictor_(stage.digits(), for_callers(threads)), gate_(threads) {
  fill_queue();
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Steady::~Steady() {
  gate_.end();
  for (std::thread& thread : threads_) thread.join();
}

void Steady::call(std::uint64_t count) {
  gate_.close();
  left_ = static_cast<std::int64_t>(count);
  gate_.open();
  while (left_ > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  gate_.close();
  // How many workspaces there are depends on how many calls overlapped so far, up to one for each thread.
  (void)predictor_.trim();
}

void Steady::fill_queue() {
  const TensorView digit = stage_.digits_input(1);
  const auto room = static_cast<std::size_t>(predictor_.options().async.max_in_flight);
  std::vector<std::vector<float>> scores(room, std::vector<float>(10));
  std::vector<Prediction<void>> predictions;
  for (std::vector<float>& ten : scores)
    predictions.push_back(predictor_.predict_into_async({digit}, {{ten.data(), {1, 10}}}));
  for (Prediction<void>& prediction : predictions) prediction.wait();
}

void Steady::work() {
  std::vector<float> scores(10);
  while (gate_.pass()) {
    for (std::int64_t number = left_--; number > 0; number = left_--) {
      try {
        call_in_turn(static_cast<std::uint64_t>(number), {scores.data(), {1, 10}});
      } catch (const std::exception& error) {
        surprises_.add("steady", error.what());
      }
    }
    std::this_thread::yield();
  }
}

void Steady::call_in_turn(std::uint64_t number, MutableTensorView scores) {
  const TensorView digit = stage_.digits_input(1);
  switch (number % 3) {
    case 0:
      (void)predictor_.predict({digit});
      return;
    case 1:
      predictor_.predict_into({digit}, {scores});
      return;
    default:
      predictor_.predict_into_async({digit}, {scores}).get();
  }
}

}  // namespace mxinfer::soak
