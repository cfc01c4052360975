#include "text/ctc/ctc_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.h"

namespace mxinfer::text {
namespace {

// By how much a sum of rounded probabilities may exceed 1: they may be float32 values converted from float16.
constexpr double kRounding = 1e-2;

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

void check_rank_and_dtype(const TensorView& scores) {
  const bool numbers = scores.dtype() == DType::float32 || scores.dtype() == DType::float64;
  const bool is_on_cpu = scores.device() == Device{};
  const Shape& shape = scores.shape();
  if (numbers && (shape.rank() == 2 || shape.rank() == 3) && is_on_cpu) return;
  fail(ErrorCode::invalid_argument, "CTC decoding was given ", to_string(scores.dtype()), " ",
       to_string(shape), is_on_cpu ? "" : " on a device",
       "; it takes float32 or float64 on the CPU, (steps, classes) or a batch of them of rank 3");
}

std::int32_t blank_of(int blank, std::int64_t classes) {
  if (blank >= -1 && blank < classes) return blank == -1 ? static_cast<std::int32_t>(classes - 1) : blank;
  fail(ErrorCode::invalid_argument, "CtcOptions::blank is ", blank, ", but there are ", classes,
       " classes; give the position of one of them, or -1 for the last");
}

const char* kind_text(CtcScores scores) {
  if (scores == CtcScores::probabilities) return "probabilities, which are 0 to 1";
  if (scores == CtcScores::logits) return "logits, which are finite or -infinity";
  return "log-probabilities, which are -infinity to 0";
}

bool is_score_of(double value, CtcScores scores) {
  if (scores == CtcScores::probabilities) return value >= 0 && value <= 1 + kRounding;
  if (scores == CtcScores::logits) return value < std::numeric_limits<double>::infinity();
  return value <= kRounding;
}

double log_sum(Span<const double> row, double largest) {
  double sum = 0;
  for (const double value : row) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

}  // namespace

CtcBatch::CtcBatch(const TensorView& scores, const CtcOptions& options)
    : scores_(scores), options_(options), read_element_(element_reader(scores.dtype())) {
  check_rank_and_dtype(scores);
  const Shape& shape = scores.shape();
  classes_ = shape.back();
  if (classes_ < 1 || classes_ > std::numeric_limits<std::int32_t>::max()) {
    fail(ErrorCode::invalid_argument, "CTC decoding was given ", to_string(shape),
         ": the last axis, the classes, must have at least one, the blank");
  }
  const bool one = shape.rank() == 2, steps_first = one || options.layout == CtcLayout::tnc;
  sequences_ = one ? 1 : shape[steps_first ? 1 : 0];
  steps_ = shape[steps_first ? 0 : 1];
  step_stride_ = steps_first ? sequences_ * classes_ : classes_;
  sequence_stride_ = steps_first ? classes_ : steps_ * classes_;
  blank_ = blank_of(options.blank, classes_);
  check_lengths();
  check_labels();
}

void CtcBatch::check_lengths() const {
  const auto& lengths = options_.lengths;
  if (lengths.empty()) return;
  if (lengths.size() != sequences()) {
    fail(ErrorCode::invalid_argument, "CtcOptions::lengths has ", lengths.size(), " lengths for ", sequences_,
         " sequences of scores ", to_string(scores_.shape()), "; give one for each");
  }
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] >= 0 && lengths[i] <= steps_) continue;
    fail(ErrorCode::invalid_argument, "CtcOptions::lengths[", i, "] is ", lengths[i], ", but a sequence has ",
         steps_, " steps; give 0 to ", steps_);
  }
}

void CtcBatch::check_labels() const {
  const std::size_t names = options_.labels.size();
  if (names == 0 || names == classes() || names + 1 == classes()) return;
  fail(ErrorCode::invalid_argument, "CtcOptions::labels has ", names, " names for ", classes_,
       " classes; give one for each class, or for each but the blank");
}

std::int64_t CtcBatch::steps(std::size_t sequence) const {
  return options_.lengths.empty() ? steps_ : options_.lengths[sequence];
}

void CtcBatch::check(double value, std::size_t sequence, std::int64_t step, std::size_t index) const {
  if (is_score_of(value, options_.scores)) return;
  fail(ErrorCode::invalid_argument, "the score of class ", index, " at step ", step, " of sequence ",
       sequence, " is ", value, "; CtcOptions::scores says ", kind_text(options_.scores));
}

void CtcBatch::read(std::size_t sequence, std::int64_t step, Span<double> row) const {
  const std::int64_t first = static_cast<std::int64_t>(sequence) * sequence_stride_ + step * step_stride_;
  double largest = kImpossible;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const double value = read_element_(scores_.raw(), first + static_cast<std::int64_t>(c));
    check(value, sequence, step, c);
    row[c] = options_.scores == CtcScores::probabilities ? std::log(value) : value;
    largest = std::max(largest, row[c]);
  }
  if (largest == kImpossible) {
    fail(ErrorCode::invalid_argument, "at step ", step, " of sequence ", sequence,
         " every class has the probability 0; one of them must be possible");
  }
  if (options_.scores != CtcScores::logits) return;
  const double sum = log_sum(Span<const double>(row.data(), row.size()), largest);
  for (double& value : row) value -= sum;
}

std::string CtcBatch::text(Span<const std::int32_t> labels) const {
  std::string text;
  if (options_.labels.empty()) return text;
  const bool without_blank = options_.labels.size() != classes();
  for (const std::int32_t label : labels) {
    const std::int32_t name = without_blank && label > blank_ ? label - 1 : label;
    text += options_.labels[static_cast<std::size_t>(name)];
  }
  return text;
}

}  // namespace mxinfer::text
