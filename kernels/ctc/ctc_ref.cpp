#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/ctc/ctc.h"

namespace mxinfer::kernels {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

double log_add(double a, double b) {
  if (a == kImpossible) return b;
  if (b == kImpossible) return a;
  const double larger = std::max(a, b);
  return larger + std::log1p(std::exp(std::min(a, b) - larger));
}

/// One sequence.
struct Sequence {
  const CtcArgs& args;
  std::int64_t index;

  std::int64_t frames() const { return args.frame_counts[index]; }
  std::int64_t labels() const { return args.label_counts[index]; }
  std::int64_t states() const { return 2 * labels() + 1; }
  std::int64_t label(std::int64_t i) const { return args.labels[index * args.labels_stride + i]; }
  /// The class of a state: blanks between the labels.
  std::int64_t at(std::int64_t state) const { return state % 2 == 0 ? args.blank : label(state / 2); }
  const float* frame(std::int64_t t) const { return args.data + (t * args.batch + index) * args.classes; }

  bool fits() const {
    std::int64_t least = labels();
    for (std::int64_t i = 1; i < labels(); ++i) least += label(i) == label(i - 1) ? 1 : 0;
    return least <= frames();
  }
  /// Whether a label may follow the one before it without a blank.
  bool skips(std::int64_t state) const {
    return state >= 2 && at(state) != args.blank && at(state) != at(state - 2);
  }
};

/// log of the sum of exp over the classes of a frame.
double log_total(const float* frame, std::int64_t classes) {
  const double largest = *std::max_element(frame, frame + classes);
  double sum = 0;
  for (std::int64_t c = 0; c < classes; ++c) sum += std::exp(static_cast<double>(frame[c]) - largest);
  return largest + std::log(sum);
}

void advance(const Sequence& s, std::int64_t t, double* alpha) {
  const float* frame = s.frame(t);
  const double total = log_total(frame, s.args.classes);
  // From the last state back: the states before it still are those of the previous frame.
  for (std::int64_t state = s.states() - 1; state >= 0; --state) {
    double sum = alpha[state];
    if (state >= 1) sum = log_add(sum, alpha[state - 1]);
    if (s.skips(state)) sum = log_add(sum, alpha[state - 2]);
    alpha[state] = sum + (static_cast<double>(frame[s.at(state)]) - total);
  }
}

double loss_of(const Sequence& s, double* alpha) {
  if (s.frames() == 0 || !s.fits()) return 0;
  // Before the first frame, as if in the first blank: only it and the first label can follow.
  std::fill_n(alpha, s.states(), kImpossible);
  alpha[0] = 0;
  for (std::int64_t t = 0; t < s.frames(); ++t) advance(s, t, alpha);
  const std::int64_t last = s.states() - 1;
  return -(last == 0 ? alpha[0] : log_add(alpha[last], alpha[last - 1]));
}

}  // namespace

void ctc_loss(const CtcArgs& args, double* scratch, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    args.loss[i] = static_cast<float>(loss_of(Sequence{args, i}, scratch));
  }
}

}  // namespace mxinfer::kernels
