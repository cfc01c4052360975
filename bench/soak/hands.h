// Hands: what one thread works with.
#pragma once

#include <mxinfer/mxinfer.h>

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "soak/stage.h"
#include "soak/tally.h"

namespace mxinfer::soak {

class Hands {
 public:
  Hands(Stage& stage, std::uint64_t seed) : stage_(stage), random_(seed) {}

  [[nodiscard]] Stage& stage() const noexcept { return stage_; }
  /// From 0 on, below `count`.
  [[nodiscard]] std::size_t below(std::size_t count) { return random_() % count; }
  [[nodiscard]] bool one_in(std::size_t count) { return below(count) == 0; }

  /// The lasting predictors or, alive until let_go(), the current ones.
  [[nodiscard]] const Predictors& predictors();
  void let_go() noexcept { current_.reset(); }
  [[nodiscard]] const Shape& warm_shape() { return image_shapes()[below(kWarmShapes)]; }
  /// Three of four times a warm one.
  [[nodiscard]] const Shape& shape() {
    return one_in(4) ? image_shapes()[below(image_shapes().size())] : warm_shape();
  }
  [[nodiscard]] std::int64_t digits_batch() {
    return 1 + static_cast<std::int64_t>(below(one_in(4) ? kDigitBatches : kWarmShapes));
  }
  [[nodiscard]] TensorView image() { return stage_.image_input(shape()); }
  /// Memory for ten scores of each sample of a batch.
  [[nodiscard]] MutableTensorView scores(std::int64_t batch);

  /// Where the calls of the operation that runs are counted.
  void count_in(Tally& tally) noexcept { tally_ = &tally; }
  void count(Ending ending) noexcept { tally_->count(ending); }
  /// Of a call that may have been refused, cancelled or late; what else it may not be is thrown on.
  void count(const Error& error);

 private:
  Stage& stage_;
  std::mt19937_64 random_;
  std::shared_ptr<const Predictors> current_{};
  std::vector<float> scores_ = std::vector<float>(10 * kDigitBatches);
  Tally* tally_ = nullptr;
};

}  // namespace mxinfer::soak
