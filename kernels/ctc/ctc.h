// The loss of connectionist temporal classification: - log of the probability that a sequence of frames
// spells its labels, when repeats are merged and then blanks are dropped. data is (frames, batch, classes),
// its softmax over the classes is the probability of a class in a frame.
//
// With e = blank, label 0, blank, label 1, ..., blank and p(t, s) the log probability of class e[s] in frame
// t,
//
//   alpha(t, s) = p(t, s) + log(exp alpha(t-1, s) + exp alpha(t-1, s-1) + exp alpha(t-1, s-2))
//
// where s - 2 counts only if e[s] is a label other than e[s - 2]; the loss is - log of the sum of the last
// two. It is 0 for labels that do not fit into the frames, blanks between equal neighbours included.
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

/// Preconditions: frame_counts <= frames; label_counts <= labels_stride; labels and blank in [0, classes).
struct CtcArgs {
  std::int64_t frames = 0, batch = 0, classes = 0;
  std::int64_t labels_stride = 0;  ///< from the labels of a sequence to the next one's
  std::int64_t blank = 0;
  const float* data = nullptr;
  const std::int64_t* labels = nullptr;
  const std::int64_t* label_counts = nullptr;  ///< (batch)
  const std::int64_t* frame_counts = nullptr;  ///< (batch)
  float* loss = nullptr;                       ///< (batch)
};

/// Doubles of scratch for one call.
inline std::int64_t ctc_scratch_elements(std::int64_t labels_stride) {
  return 2 * labels_stride + 1;
}

/// Sequences [begin, end).
void ctc_loss(const CtcArgs& args, double* scratch, std::int64_t begin, std::int64_t end);

}  // namespace mxinfer::kernels
