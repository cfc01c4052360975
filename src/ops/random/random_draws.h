// RandomDraws: numbers that follow from a key and a counter alone, so that any thread can draw those of any
// image of any run, and the same seed gives the same numbers.
//
//   RandomDraws draws(combine_keys(run, image));
//   const float factor = draws.uniform(0.5f, 1.5f);
#pragma once

#include <atomic>
#include <cmath>

#include "ops/op_def.h"

namespace mxinfer::ops {

/// The attribute that the pass of random transforms leaves on a node: its key. Nodes without it have key 0.
inline constexpr const char* kRandomKey = "__mxinfer_random_key__";

/// The finaliser of splitmix64: every bit of the result depends on every bit of x.
constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr std::uint64_t combine_keys(std::uint64_t key, std::uint64_t number) {
  return mix_bits(key + (number + 1) * 0x9e3779b97f4a7c15u);
}

class RandomDraws {
 public:
  explicit RandomDraws(std::uint64_t key) : key_(key) {}

  std::uint64_t bits() { return combine_keys(key_, count_++); }
  /// [0, 1), of 53 bits.
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// [low, high); low if they are equal.
  float uniform(float low, float high) { return static_cast<float>(low + (double{high} - low) * unit()); }
  /// 0 .. count - 1, for count >= 1.
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(unit() * static_cast<double>(count));
  }
  float normal(float deviation) {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - unit()));
    return static_cast<float>(deviation * radius * std::cos(6.283185307179586 * unit()));
  }

 private:
  std::uint64_t key_;
  std::uint64_t count_ = 0;
};

/// The draws of one step: counts its runs, on any threads.
class RandomSource {
 public:
  /// Nodes, and plans of one node for other shapes, draw other numbers.
  explicit RandomSource(const LowerContext& context)
      : runs_(std::make_shared<std::atomic<std::uint64_t>>(0)) {
    if (context.attrs().given(kRandomKey)) {
      key_ = static_cast<std::uint64_t>(context.attrs().integer(kRandomKey));
    }
    const TensorType& type = context.num_inputs() > 0 ? context.input(0) : context.output(0);
    for (const std::int64_t size : type.shape) {
      key_ = combine_keys(key_, static_cast<std::uint64_t>(size));
    }
  }

  /// The key of a run: to be taken once in each.
  std::uint64_t next_run() const {
    return combine_keys(key_, runs_->fetch_add(1, std::memory_order_relaxed));
  }
  static RandomDraws draws(std::uint64_t run, std::int64_t image) {
    return RandomDraws(combine_keys(run, static_cast<std::uint64_t>(image)));
  }

 private:
  std::uint64_t key_ = 0;
  std::shared_ptr<std::atomic<std::uint64_t>> runs_;
};

}  // namespace mxinfer::ops
