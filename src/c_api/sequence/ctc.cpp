#include <mxinfer_c/ctc.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "c_api/call.h"
#include "c_api/choice.h"
#include "c_api/sequence/handles.h"
#include "c_api/structs.h"
#include "c_api/views.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

std::vector<std::string> ctc_labels_of(const mxinfer_ctc_options& given) {
  const int ways = (given.label_count > 0 ? 1 : 0) + (given.characters != nullptr ? 1 : 0) +
                   (given.vocabulary != nullptr ? 1 : 0);
  if (ways > 1) {
    reject(
        "mxinfer_ctc_options has more than one of labels, characters and vocabulary; give the names of the "
        "classes once");
  }
  if (given.characters != nullptr) return ctc_labels(given.characters);
  if (given.vocabulary != nullptr) return ctc_labels(given.vocabulary->vocabulary);
  return need_texts(given.labels, given.label_count, "options.labels", "text of options.labels");
}

CtcBeamOptions ctc_options_of(const mxinfer_ctc_options* options) {
  CtcBeamOptions result;
  if (options == nullptr) return result;
  const mxinfer_ctc_options given = read_struct(*options);
  result.scores = static_cast<CtcScores>(choice_or_first("mxinfer_ctc_options.scores", given.scores,
                                                         {"probabilities", "log_probabilities", "logits"}));
  result.layout =
      static_cast<CtcLayout>(choice_or_first("mxinfer_ctc_options.layout", given.layout, {"ntc", "tnc"}));
  result.blank = given.blank;
  const Span<const std::int64_t> lengths = need_span(given.lengths, given.length_count, "options.lengths");
  result.lengths.assign(lengths.begin(), lengths.end());
  result.labels = ctc_labels_of(given);
  if (given.beam_width != 0) result.beam_width = given.beam_width;
  if (given.best != 0) result.best = given.best;
  return result;
}

TensorView scores_view(const mxinfer_tensor* scores) {
  return view_of(read_struct(need(scores, "scores")));
}

}  // namespace

size_t mxinfer_ctc_sequences_count(const mxinfer_ctc_sequences* sequences) {
  return sequences == nullptr ? 0 : sequences->list.size();
}

size_t mxinfer_ctc_sequences_readings(const mxinfer_ctc_sequences* sequences, size_t sequence) {
  return sequence < mxinfer_ctc_sequences_count(sequences) ? sequences->list[sequence].size() : 0;
}

mxinfer_status mxinfer_ctc_sequences_get(const mxinfer_ctc_sequences* sequences, size_t sequence,
                                         size_t reading, mxinfer_ctc_sequence* out) {
  return call([&] {
    const auto& list = need(sequences, "sequences").list;
    if (sequence >= list.size()) no_such("sequence", sequence, list.size());
    const std::vector<CtcSequence>& readings = list[sequence];
    if (reading >= readings.size()) no_such("reading", reading, readings.size());
    const CtcSequence& found = readings[reading];
    write_struct(need(out, "out"),
                 {0, found.labels.data(), found.labels.size(), found.text.c_str(), found.log_probability});
  });
}

void mxinfer_ctc_sequences_free(mxinfer_ctc_sequences* sequences) {
  delete sequences;
}

mxinfer_status mxinfer_ctc_greedy(const mxinfer_tensor* scores, const mxinfer_ctc_options* options,
                                  mxinfer_ctc_sequences** out) {
  return give(out, [&] {
    auto made = std::make_unique<mxinfer_ctc_sequences>();
    for (CtcSequence& read : ctc_greedy(scores_view(scores), ctc_options_of(options)))
      made->list.emplace_back().push_back(std::move(read));
    return made.release();
  });
}

mxinfer_status mxinfer_ctc_beam_search(const mxinfer_tensor* scores, const mxinfer_ctc_options* options,
                                       mxinfer_ctc_sequences** out) {
  return give(out, [&] {
    return new mxinfer_ctc_sequences{ctc_beam_search(scores_view(scores), ctc_options_of(options))};
  });
}
