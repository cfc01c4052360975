#include "mtcnn/refine.h"

#include <cstddef>

#include "mtcnn/boxes.h"
#include "mtcnn/networks.h"

namespace mtcnn {
namespace {

// The outputs in the order in which load_networks() asks for them.
constexpr std::size_t kScores = 0, kOffsets = 1, kLandmarks = 2;
constexpr float kRefineThreshold = 0.7f, kFinishThreshold = 0.8f;

Answers look_at(const mxinfer::Predictor& network, const mxinfer::Image& image,
                const std::vector<mxinfer::Box>& boxes, int side, const std::vector<std::int64_t>& numbers) {
  std::vector<mxinfer::Image> crops;
  crops.reserve(boxes.size());
  for (const mxinfer::Box& box : boxes) crops.push_back(crop_with_border(image, box));
  return run_crops(network, crops, side, numbers);
}

Candidate candidate_of(const Answers& answers, std::size_t i, const mxinfer::Box& box) {
  const float* offset = answers.row(kOffsets, i, 4);
  return {box, answers.row(kScores, i, 2)[1], {offset[0], offset[1], offset[2], offset[3]}, {}};
}

/// det3 returns five x and then five y, in fractions of the crop's sides.
mxinfer::FaceLandmarks landmarks_in(const mxinfer::Box& box, const float* numbers) {
  mxinfer::FaceLandmarks landmarks;
  for (std::size_t i = 0; i < landmarks.size(); ++i) {
    landmarks[i].x = box.left + numbers[i] * (box.right - box.left);
    landmarks[i].y = box.top + numbers[landmarks.size() + i] * (box.bottom - box.top);
  }
  return landmarks;
}

}  // namespace

std::vector<mxinfer::Box> refine(const mxinfer::Predictor& refiner, const mxinfer::Image& image,
                                 const std::vector<mxinfer::Box>& boxes) {
  const Answers answers = look_at(refiner, image, boxes, 24, {2, 4});
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Candidate candidate = candidate_of(answers, i, boxes[i]);
    if (candidate.score > kRefineThreshold) candidates.push_back(candidate);
  }
  return next_boxes(suppress(candidates, 0.7f), image.size());
}

std::vector<faces::Face> finish(const mxinfer::Predictor& finisher, const mxinfer::Image& image,
                                const std::vector<mxinfer::Box>& boxes) {
  const Answers answers = look_at(finisher, image, boxes, 48, {2, 4, 10});
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    Candidate candidate = candidate_of(answers, i, boxes[i]);
    if (!(candidate.score > kFinishThreshold)) continue;
    candidate.landmarks = landmarks_in(boxes[i], answers.row(kLandmarks, i, 10));
    candidate.box = calibrated(candidate);
    candidates.push_back(candidate);
  }
  std::vector<faces::Face> found;
  for (const Candidate& best : suppress(candidates, 0.7f, mxinfer::SuppressOverlap::min)) {
    const faces::Face face{best.score, best.box, best.landmarks};
    if (faces::is_finite(face)) found.push_back(face);
  }
  return found;
}

}  // namespace mtcnn
