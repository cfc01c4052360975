// RandomDraws: numbers that follow from a key and a counter alone, so that any thread, of a CPU or a GPU, can
// draw those of any image of any run, and the same seed gives the same numbers.
//
//   RandomDraws draws(combine_keys(run, image));
//   const float factor = draws.uniform(0.5f, 1.5f);
#pragma once

#include <cmath>
#include <cstdint>

namespace mxinfer::kernels {

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
  explicit constexpr RandomDraws(std::uint64_t key) : key_(key) {}

  constexpr std::uint64_t bits() { return combine_keys(key_, count_++); }
  /// [0, 1), of 53 bits.
  constexpr double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// [low, high); low if they are equal.
  constexpr float uniform(float low, float high) {
    return static_cast<float>(low + (double{high} - low) * unit());
  }
  /// 0 .. count - 1, for count >= 1.
  constexpr std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(unit() * static_cast<double>(count));
  }
  /// A template, as a constexpr function that nvcc calls on a GPU too may not call std::log otherwise.
  template <typename T = double>
  constexpr float normal(float deviation) {
    const T radius = std::sqrt(T(-2) * std::log(T(1) - unit()));
    return static_cast<float>(deviation * radius * std::cos(T(6.283185307179586) * unit()));
  }

 private:
  std::uint64_t key_;
  std::uint64_t count_ = 0;
};

}  // namespace mxinfer::kernels
