// KeypointDetector: a Predictor that finds the key points of objects, such as the joints of persons, by the
// heat maps of a network. Top-down: a detector finds the objects, and each one's part of the image goes
// through.
//
//   mxinfer::KeypointOptions options;
//   options.preprocess = mxinfer::Preprocess::preset("imagenet");
//   mxinfer::KeypointDetector joints("simple_pose_resnet18_v1b", options);
//   for (const auto& pose : joints.detect_keypoints(photo, detector))      // an ObjectDetector, of persons
//     std::cout << pose.points[0].x << '\n';
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/predictor.h>
#include <mxinfer/vision/image.h>
#include <mxinfer/vision/object_detector.h>
#include <mxinfer/vision/pose.h>
#include <mxinfer/vision/preprocess.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

struct KeypointOptions {
  /// How the part of the image with the object becomes the network's input. ResizePolicy::short_side_crop,
  /// which would cut off parts of the object, is an Error; a preset's becomes stretch.
  Preprocess preprocess{};
  std::optional<int> height{};  ///< as in ImageOptions
  std::optional<int> width{};
  Options options{};
};

/// Which objects of an image, and how their points are read.
struct PoseOptions {
  /// How much larger than the object's box the part of the image is, about the box's centre, cut at the
  /// edges.
  float box_scale = 1.25f;
  HeatMapPeak peak = HeatMapPeak::cell;
  /// With a detector: the objects that are looked at, by label and score. Empty: all.
  std::vector<std::string> classes{"person"};
  float score_threshold = 0.5f;
  std::optional<int> max_objects{};  ///< the best ones
};

/// Takes networks with an output of heat maps, float32 (batch, points, height, width), such as GluonCV's
/// SimplePose, AlphaPose and MobilePose.
class MXINFER_API KeypointDetector : public Predictor {
 public:
  /// The input must be an image as for ImageClassifier, of a network that does not resize images itself.
  /// Errors as there, and (invalid_argument) if no output can be heat maps, (unsupported) for a model that
  /// resizes.
  explicit KeypointDetector(const Model& model, const KeypointOptions& options = {});
  explicit KeypointDetector(const std::string& uri, const KeypointOptions& options = {},
                            const LoadOptions& load = {});
  KeypointDetector(const KeypointDetector&) noexcept;
  KeypointDetector& operator=(const KeypointDetector&) noexcept;
  ~KeypointDetector() override;

  /// The points of the one object that fills the image.
  Pose detect_keypoints(const Image& image, const PoseOptions& options = {}) const;
  /// Of the object in each box (pixels of the image), as one batch; one pose a box, in order. Errors
  /// (invalid_argument): a box that is not finite or has no pixel in the image, box_scale that is not above
  /// 0, an empty image, outputs that are no heat maps. No boxes: no poses. Thread-safe.
  std::vector<Pose> detect_keypoints(const Image& image, Span<const Box> boxes,
                                     const PoseOptions& options = {}) const;
  /// Of the objects that a detector finds, the best first; what the detector throws too, and
  /// Error(invalid_argument) if it finds something, and none of its labels is one of PoseOptions::classes.
  std::vector<Pose> detect_keypoints(const Image& image, const ObjectDetector& detector,
                                     const PoseOptions& options = {}) const;

 private:
  struct KeypointImpl;
  std::shared_ptr<const KeypointImpl> keypoints_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
