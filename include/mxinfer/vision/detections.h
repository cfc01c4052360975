// Detections: what a detection network has found, with names, from the outputs of a model whose signature
// says which are ids, scores and boxes, such as one with the postprocessing step "boxes".
//
//   mxinfer::Predictor predictor("ssd_end_to_end");
//   auto outputs = predictor.predict_list({image});
//   for (const auto& found : mxinfer::read_detections(predictor.model(), outputs, 0.5f)[0])
//     std::cout << found.label << ' ' << found.score << ' ' << found.box.left << '\n';
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/model.h>
#include <mxinfer/span.h>
#include <mxinfer/tensor.h>
#include <mxinfer/vision/point.h>

#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// In the units of the model: parts of the image's sides (0..1), or pixels of the network's input.
struct Box {
  float left = 0;
  float top = 0;
  float right = 0;
  float bottom = 0;
};

/// One object in one image.
struct Detection {
  std::string label;  ///< the class name; the index as text if the model has no labels
  float score = 0;
  int index = 0;  ///< the class's position in the labels
  Box box;
  /// Named points of the object, such as the eyes, nose and corners of the mouth of a face, in the model's
  /// order; empty where the model gives none.
  std::vector<Point> landmarks{};
};

/// The objects of each sample, in the model's order, those that score at least `least_score`; rows whose id
/// is below 0 stand for nothing. `outputs` are all outputs of a predict, in order: float32, ids and scores of
/// (batch, rows) or (batch, rows, 1), boxes of (batch, rows, 4), and landmarks, where the model has them, of
/// (batch, rows, 2 k) for k points. Errors (invalid_argument): a model whose signature names no ids, scores
/// and boxes, other shapes or dtypes. Thread-safe.
MXINFER_API std::vector<std::vector<Detection>> read_detections(const Model& model,
                                                                Span<const Tensor> outputs,
                                                                float least_score = 0);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
