// KeypointDetector: a Predictor that finds the key points of objects, such as the joints of people, from a
// network's heat maps. It works top-down: a detector finds the objects, and the network gets the part of the
// image around each of them.
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

/// How a key-point detector prepares the parts of an image.
struct KeypointOptions {
  /// How the part of the image around an object becomes the network's input. ResizePolicy::short_side_crop
  /// without a resize_short, as in presets, becomes stretch. With one, it is an Error(invalid_argument),
  /// because it would cut off parts of the object.
  Preprocess preprocess{};
  std::optional<int> height{};  ///< as in ImageOptions
  std::optional<int> width{};
  Options options{};
};

/// Which objects of an image are used, and how their points are read.
struct PoseOptions {
  /// The size of the part of the image, as a multiple of the object's box. It has the same centre and is cut
  /// at the edges of the image.
  float box_scale = 1.25f;
  HeatMapPeak peak = HeatMapPeak::cell;
  /// With a detector: only objects with these labels and at least this score are used. Empty: all labels.
  std::vector<std::string> classes{"person"};
  float score_threshold = 0.5f;
  std::optional<int> max_objects{};  ///< the most objects, best first
};

/// Takes networks with an output of heat maps, float32 (batch, points, height, width), such as GluonCV's
/// SimplePose, AlphaPose and MobilePose.
class MXINFER_API KeypointDetector : public Predictor {
 public:
  /// The input must be an image as for ImageClassifier. Throws as ImageClassifier, Error(invalid_argument) if
  /// no output can be heat maps, and Error(unsupported) if the model resizes images itself.
  explicit KeypointDetector(const Model& model, const KeypointOptions& options = {});
  explicit KeypointDetector(const std::string& uri, const KeypointOptions& options = {},
                            const LoadOptions& load = {});
  KeypointDetector(const KeypointDetector&) noexcept;
  KeypointDetector& operator=(const KeypointDetector&) noexcept;
  ~KeypointDetector() override;

  /// Returns the points of the object that fills the image. PoseOptions::box_scale has no effect.
  Pose detect_keypoints(const Image& image, const PoseOptions& options = {}) const;
  /// Returns one pose for each box (in pixels of the image), in order. The boxes run as one batch; without
  /// boxes, returns no poses. Throws Error(invalid_argument) if the image is empty, a box is not finite or
  /// has no pixel in the image, box_scale is not above 0, or the outputs are not heat maps. Thread-safe.
  std::vector<Pose> detect_keypoints(const Image& image, Span<const Box> boxes,
                                     const PoseOptions& options = {}) const;
  /// Returns the poses of the objects that a detector finds, best first. Also throws what the detector
  /// throws, and Error(invalid_argument) if the detector finds objects but has none of PoseOptions::classes
  /// among its labels.
  std::vector<Pose> detect_keypoints(const Image& image, const ObjectDetector& detector,
                                     const PoseOptions& options = {}) const;

 private:
  struct KeypointImpl;
  std::shared_ptr<const KeypointImpl> keypoints_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
