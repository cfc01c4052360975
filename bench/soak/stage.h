// Stage: the predictors that all threads share. Some stay all the time; others are replaced by new ones of
// newly loaded models while threads use them.
#pragma once

#include <mxinfer/mxinfer.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace mxinfer::soak {

/// More shapes than a predictor keeps plans for.
inline constexpr std::size_t kPlans = 8;
/// Plans for these stay, as a rule: most calls have one of them.
inline constexpr std::size_t kWarmShapes = 4;
inline constexpr int kDigitBatches = 24;

/// Of the network of any size: the warm ones, then many others.
[[nodiscard]] const std::vector<Shape>& image_shapes();
[[nodiscard]] Shape digits_shape(std::int64_t batch);

struct Predictors {
  Predictors(const Model& digits, const Model& any_size, int threads);
  Predictor any_size;
  ImageClassifier digits;
};

class Stage {
 public:
  Stage();

  [[nodiscard]] const Predictors& lasting() const noexcept { return lasting_; }
  [[nodiscard]] std::shared_ptr<const Predictors> current() const;
  /// The models of lasting().
  [[nodiscard]] const Model& digits() const noexcept { return digits_; }
  [[nodiscard]] const Model& any_size() const noexcept { return any_size_; }

  /// Other predictors, of models of their own, take the place of current().
  void replace();
  /// While no thread calls: waits for what was submitted and left alone, and brings plans and workspaces to
  /// the same state each time, so that what is then on the heap can be compared.
  void settle();

  /// Inputs for any shape of these: large enough for all.
  [[nodiscard]] TensorView image_input(const Shape& shape) const;
  [[nodiscard]] TensorView digits_input(std::int64_t batch) const;
  [[nodiscard]] const std::vector<std::byte>& digit_jpeg() const noexcept { return digit_jpeg_; }

 private:
  const std::vector<std::byte> digit_jpeg_;
  const Model digits_, any_size_;
  const Tensor images_, digit_images_;
  const Predictors lasting_;
  mutable std::mutex mutex_{};
  std::shared_ptr<const Predictors> current_;
};

}  // namespace mxinfer::soak
