// Detects objects with a decoder of its own: custom_detector MODEL IMAGE SIDE
//
// Many face and YOLO networks return raw heads: scores, offsets, anchors. ObjectDetector prepares the image,
// maps boxes back to its pixels, drops low scores and suppresses overlaps. The program only adds the formula
// of the network, here SSD's.
#include <mxinfer/mxinfer.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

namespace {

/// Applies offsets (x, y, width, height) to an anchor. The box is in fractions of the network's input.
mxinfer::Box box_of(const float* offset, const float* anchor) {
  const float width = anchor[2] - anchor[0], height = anchor[3] - anchor[1];
  const float x = (anchor[0] + anchor[2]) / 2 + offset[0] * 0.1f * width;
  const float y = (anchor[1] + anchor[3]) / 2 + offset[1] * 0.1f * height;
  const float w = std::exp(offset[2] * 0.2f) * width / 2, h = std::exp(offset[3] * 0.2f) * height / 2;
  return {x - w, y - h, x + w, y + h};
}

/// Decodes the objects in an image from scores (batch, classes, n), offsets (batch, 4 n), anchors (1, n, 4).
std::vector<mxinfer::Detection> decode(mxinfer::Span<const mxinfer::Tensor> heads, std::int64_t image) {
  const std::int64_t classes = heads[0].shape()[1], count = heads[0].shape()[2];
  const float* scores = heads[0].data<float>() + image * classes * count;
  const float* offsets = heads[1].data<float>() + image * 4 * count;
  const float* anchors = heads[2].data<float>();
  std::vector<mxinfer::Detection> found;
  for (std::int64_t i = 0; i < count; ++i) {
    for (int c = 1; c < classes; ++c) {  // 0 is the background
      const float score = scores[c * count + i];
      if (score > 0.01f) found.push_back({"", score, c - 1, box_of(offsets + 4 * i, anchors + 4 * i)});
    }
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: custom_detector MODEL IMAGE SIDE\n";
    return 2;
  }
  try {
    mxinfer::LoadOptions load;
    load.outputs = {"cls_prob", "multibox_loc_pred", "multibox_anchors"};
    mxinfer::DetectorOptions options;
    options.height = options.width = std::atoi(argv[3]);
    options.units = mxinfer::BoxUnits::relative;
    options.decoder = decode;
    const mxinfer::ObjectDetector detector(argv[1], options, load);

    mxinfer::DetectOptions wanted;
    wanted.score_threshold = 0.5f;
    wanted.nms.emplace();
    wanted.nms->iou_threshold = 0.45f;
    for (const mxinfer::Detection& found : detector.detect_file(argv[2], wanted)) {
      const mxinfer::Box& box = found.box;
      std::cout << found.index << ' ' << found.score << " at " << box.left << ", " << box.top << " to "
                << box.right << ", " << box.bottom << '\n';
    }
  } catch (const mxinfer::Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
