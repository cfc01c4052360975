// Finds the key points of people: top_down_pose DETECTOR NETWORK IMAGE
//
// A detector such as GluonCV's yolo3_mobilenet1.0_coco finds the people. A network of heat maps, such as
// simple_pose_resnet18_v1b, then runs on the part of the image with each. Instead of a detector you can pass
// the box of a person, LEFT,TOP,RIGHT,BOTTOM in pixels.
#include <mxinfer/mxinfer.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

namespace {

/// The preprocessing of GluonCV for both networks.
mxinfer::Preprocess imagenet() {
  mxinfer::Preprocess preprocess = mxinfer::Preprocess::preset("imagenet");
  preprocess.resize = mxinfer::ResizePolicy::stretch;
  return preprocess;
}

std::vector<mxinfer::Pose> find(const std::string& detector, const mxinfer::KeypointDetector& network,
                                const mxinfer::Image& image) {
  mxinfer::Box box;
  if (std::sscanf(detector.c_str(), "%f,%f,%f,%f", &box.left, &box.top, &box.right, &box.bottom) == 4)
    return network.detect_keypoints(image, {&box, 1});
  mxinfer::DetectorOptions options;
  options.preprocess = imagenet();
  return network.detect_keypoints(image, mxinfer::ObjectDetector(detector, options));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: top_down_pose DETECTOR NETWORK IMAGE\n";
    return 2;
  }
  try {
    mxinfer::KeypointOptions options;
    options.preprocess = imagenet();
    options.preprocess.interpolation = mxinfer::Interpolation::cubic;  // as GluonCV's crop_resize_normalize
    options.height = 256;
    options.width = 192;
    const mxinfer::KeypointDetector network(argv[2], options);
    for (const mxinfer::Pose& pose : find(argv[1], network, mxinfer::read_image(argv[3]))) {
      std::cout << "person " << pose.score << " at " << pose.box.left << ", " << pose.box.top << '\n';
      for (const mxinfer::Keypoint& point : pose.points)
        std::cout << "  " << point.label << ' ' << point.x << ", " << point.y << ' ' << point.score << '\n';
    }
  } catch (const mxinfer::Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
