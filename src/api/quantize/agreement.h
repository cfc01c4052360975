// How far a network's results are from those of the float32 network.
//
//   Agreement agreement(values);
//   for (...) agreement.add(float_results, results);
//   if (agreement.drop() <= 0.01) ...
#pragma once

#include <mxinfer/tensor.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "api/quantize/compared_values.h"

namespace mxinfer::api {

/// The power of a signal, and that of the noise that is added to it.
struct SignalNoise {
  double signal = 0, noise = 0;

  /// Precondition: the same number of elements.
  void add(const TensorView& expected, const TensorView& actual);
  double share() const { return noise == 0 ? 0 : noise / signal; }
  /// Infinity without noise.
  double decibels() const;
};

class Agreement {
 public:
  explicit Agreement(std::vector<ComparedValue> values);

  /// The values of one run. Throws Error(internal) if their shapes differ.
  void add(const std::vector<Tensor>& expected, const std::vector<Tensor>& actual);

  /// The worst of all values: the share of rows whose best class is another, or that of the noise.
  double drop() const;
  std::optional<double> top1() const;
  std::optional<double> snr_db() const;

 private:
  struct Rows {
    std::int64_t same = 0, all = 0;
  };
  std::vector<ComparedValue> values_;
  std::vector<Rows> rows_;
  std::vector<SignalNoise> noise_;
};

}  // namespace mxinfer::api
