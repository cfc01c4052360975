#include "soak/stage.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "soak/networks.h"

namespace mxinfer::soak {
namespace {

constexpr std::int64_t kLargestSide = 40, kLargestBatch = 3;

/// Few requests, so that queues are full now and then.
Options with_threads(int threads) {
  Options options;
  options.threads = threads;
  options.max_plans = kPlans;
  options.async.max_in_flight = 24;
  options.async.workers = 2;
  return options;
}

ImageOptions for_images(int threads) {
  ImageOptions options;
  options.options = with_threads(threads);
  return options;
}

Tensor ramp(const Shape& shape) {
  Tensor tensor(DType::float32, shape);
  float* const values = tensor.data<float>();
  for (std::int64_t i = 0; i < tensor.elements(); ++i) values[i] = static_cast<float>(i % 256);
  return tensor;
}

void wait_until_idle(const Predictor& predictor) {
  for (;;) {
    const CallMetrics metrics = predictor.metrics();
    if (metrics.waiting == 0 && metrics.running == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

const std::vector<Shape>& image_shapes() {
  static const std::vector<Shape> shapes = [] {
    std::vector<Shape> list;
    for (std::int64_t batch = 1; batch <= kLargestBatch; ++batch) {
      for (std::int64_t side = kLargestSide; side >= 16; side -= 6) {
        list.push_back({batch, 3, side, side});
        list.push_back({batch, 3, side - 5, side});
      }
    }
    return list;
  }();
  return shapes;
}

Shape digits_shape(std::int64_t batch) {
  return {batch, 1, 32, 32};
}

Predictors::Predictors(const Model& digits_model, const Model& any_size_model, int threads)
    : any_size(any_size_model, with_threads(threads)), digits(digits_model, for_images(threads)) {}

Stage::Stage()
    : digit_jpeg_(read_digit()),
      digits_(load_digits()),
      any_size_(load_any_size()),
      images_(ramp({kLargestBatch, 3, kLargestSide, kLargestSide})),
      digit_images_(ramp(digits_shape(kDigitBatches))),
      lasting_(digits_, any_size_, 0),
      current_(std::make_shared<const Predictors>(load_digits(), load_any_size(), 1)) {}

std::shared_ptr<const Predictors> Stage::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

void Stage::replace() {
  auto next = std::make_shared<const Predictors>(load_digits(), load_any_size(), 1);
  const std::lock_guard lock(mutex_);
  std::swap(current_, next);
}

void Stage::settle() {
  replace();
  wait_until_idle(lasting_.any_size);
  wait_until_idle(lasting_.digits);
  for (std::size_t i = 0; i < kPlans; ++i) {
    (void)lasting_.any_size.predict({image_input(image_shapes()[i])});
    (void)lasting_.digits.predict({digits_input(static_cast<std::int64_t>(i) + 1)});
  }
  (void)lasting_.any_size.trim();
  (void)lasting_.digits.trim();
}

TensorView Stage::image_input(const Shape& shape) const {
  return {images_.data<float>(), shape};
}

TensorView Stage::digits_input(std::int64_t batch) const {
  return {digit_images_.data<float>(), digits_shape(batch)};
}

}  // namespace mxinfer::soak
