// Detections: the objects in the outputs of a detection network, with class names. The model's signature must
// say which outputs are ids, scores and boxes, as after the postprocessing step "boxes".
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

/// A box in the units of the model: fractions of the image's sides (0 to 1), or pixels of the network's
/// input. ObjectDetector converts it to pixels of the image.
struct Box {
  float left = 0;
  float top = 0;
  float right = 0;
  float bottom = 0;
};

/// One object in one image.
struct Detection {
  std::string label;  ///< the class name, or the index as text if the model has no labels
  float score = 0;
  int index = 0;  ///< the position of the class in the labels
  Box box;
  /// Named points of the object, such as the eyes, nose and corners of the mouth of a face, in the model's
  /// order. Empty if the model gives none.
  std::vector<Point> landmarks{};
};

/// Returns the objects of each sample whose score is at least `least_score`, in the model's order. Rows whose
/// id is below 0 are empty. `outputs` are all outputs of predict, in order, as float32:
/// - ids and scores: (batch, rows) or (batch, rows, 1)
/// - boxes: (batch, rows, 4)
/// - landmarks, if the model has them: (batch, rows, 2 k) for k points
///
/// Throws Error(invalid_argument) if the signature names no ids, scores and boxes, or if a shape or dtype
/// differs. Thread-safe.
MXINFER_API std::vector<std::vector<Detection>> read_detections(const Model& model,
                                                                Span<const Tensor> outputs,
                                                                float least_score = 0);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
