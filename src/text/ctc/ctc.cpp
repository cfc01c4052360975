#include <mxinfer/sequence/ctc.h>

#include <algorithm>

#include "base/fail.h"
#include "base/utf8.h"
#include "text/ctc/ctc_beam.h"
#include "text/ctc/ctc_scores.h"

namespace mxinfer {
namespace {

constexpr int kWidestBeam = 65'536;

CtcSequence best_path(const text::CtcBatch& batch, std::size_t sequence) {
  CtcSequence found;
  std::vector<double> row(batch.classes());
  std::int32_t before = batch.blank();
  for (std::int64_t step = 0; step < batch.steps(sequence); ++step) {
    batch.read(sequence, step, row);
    const auto best = std::max_element(row.begin(), row.end());
    const auto label = static_cast<std::int32_t>(best - row.begin());
    if (label != before && label != batch.blank()) found.labels.push_back(label);
    found.log_probability += *best;
    before = label;
  }
  found.text = batch.text(found.labels);
  return found;
}

void check_beam(const CtcBeamOptions& options) {
  if (options.beam_width < 1 || options.beam_width > kWidestBeam) {
    fail(ErrorCode::invalid_argument, "CtcBeamOptions::beam_width is ", options.beam_width, "; give 1 to ",
         kWidestBeam);
  }
  if (options.best >= 1) return;
  fail(ErrorCode::invalid_argument, "CtcBeamOptions::best is ", options.best, "; give 1 or more");
}

std::vector<CtcSequence> beam_search(const text::CtcBatch& batch, std::size_t sequence,
                                     const CtcBeamOptions& options) {
  text::CtcBeam beam(batch.classes(), batch.blank(), static_cast<std::size_t>(options.beam_width));
  std::vector<double> row(batch.classes());
  for (std::int64_t step = 0; step < batch.steps(sequence); ++step) {
    batch.read(sequence, step, row);
    beam.advance(row);
  }
  std::vector<CtcSequence> found = beam.best(static_cast<std::size_t>(options.best));
  for (CtcSequence& each : found) each.text = batch.text(each.labels);
  return found;
}

}  // namespace

std::vector<CtcSequence> MXINFER_ABI::ctc_greedy(const TensorView& scores, const CtcOptions& options) try {
  const text::CtcBatch batch(scores, options);
  std::vector<CtcSequence> found;
  for (std::size_t i = 0; i < batch.sequences(); ++i) found.push_back(best_path(batch, i));
  return found;
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<CtcSequence>> MXINFER_ABI::ctc_beam_search(const TensorView& scores,
                                                                   const CtcBeamOptions& options) try {
  check_beam(options);
  const text::CtcBatch batch(scores, options);
  std::vector<std::vector<CtcSequence>> found;
  for (std::size_t i = 0; i < batch.sequences(); ++i) found.push_back(beam_search(batch, i, options));
  return found;
} catch (...) {
  throw_as_error();
}

std::vector<std::string> MXINFER_ABI::ctc_labels(std::string_view characters) try {
  std::vector<std::string> labels;
  for (std::string_view rest = characters; !rest.empty();) {
    const std::size_t bytes = utf8_bytes(rest);
    if (bytes == 0) {
      fail(ErrorCode::invalid_argument, "the characters of ctc_labels are not UTF-8 from byte ",
           characters.size() - rest.size(), " on: ", escaped_byte(rest[0]));
    }
    labels.emplace_back(rest.substr(0, bytes));
    rest.remove_prefix(bytes);
  }
  return labels;
} catch (...) {
  throw_as_error();
}

std::vector<std::string> MXINFER_ABI::ctc_labels(const Vocabulary& vocabulary) try {
  std::vector<std::string> labels;
  for (std::size_t id = 0; id < vocabulary.size(); ++id)
    labels.push_back(vocabulary.word(static_cast<std::int32_t>(id)));
  return labels;
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
