// A detector whose boxes the program decodes itself: custom_detector MODEL IMAGE SIDE
//
// Many face and YOLO networks give raw heads: scores, offsets, anchors. The library prepares the image,
// leads boxes back to its pixels and suppresses overlaps; only the formula of the network is left. Here it is
// SSD's.
#include <mxinfer/mxinfer.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <vector>

namespace {

/// The box that offsets (x, y, width, height) make of an anchor, in pixels of a square input.
mxinfer::Box decode(const float* offset, const float* anchor, float side) {
  const float width = anchor[2] - anchor[0], height = anchor[3] - anchor[1];
  const float x = (anchor[0] + anchor[2]) / 2 + offset[0] * 0.1f * width;
  const float y = (anchor[1] + anchor[3]) / 2 + offset[1] * 0.1f * height;
  const float w = std::exp(offset[2] * 0.2f) * width / 2, h = std::exp(offset[3] * 0.2f) * height / 2;
  return {(x - w) * side, (y - h) * side, (x + w) * side, (y + h) * side};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: custom_detector MODEL IMAGE SIDE\n";
    return 2;
  }
  try {
    mxinfer::LoadOptions load;
    load.outputs = {"cls_prob", "multibox_loc_pred",
                    "multibox_anchors"};  // (1, classes, n), (1, 4n), (1, n, 4)
    const mxinfer::Predictor predictor(argv[1], {}, load);
    mxinfer::ImageOptions options;
    options.height = options.width = std::atoi(argv[3]);
    const mxinfer::ImageInput input = image_input(predictor.model(), options);
    const std::vector<mxinfer::Image> images = {mxinfer::read_image(argv[2])};
    const mxinfer::PreparedImages prepared = prepare_images(images, options.preprocess, input);
    const std::vector<mxinfer::Tensor> heads = predictor.predict({prepared.tensor});

    const std::int64_t classes = heads[0].shape()[1], count = heads[0].shape()[2];
    std::vector<mxinfer::Detection> found;
    for (std::int64_t i = 0; i < count; ++i) {
      for (int c = 1; c < classes; ++c) {  // 0 is the background
        const float score = heads[0].data<float>()[c * count + i];
        const float* offset = heads[1].data<float>() + 4 * i;
        const float* anchor = heads[2].data<float>() + 4 * i;
        if (score > 0.5f)
          found.push_back({"", score, c - 1, decode(offset, anchor, static_cast<float>(input.width))});
      }
    }
    for (const mxinfer::Detection& detection : mxinfer::non_max_suppression(found, 0.45f)) {
      const mxinfer::Box box = prepared.maps[0].to_source(detection.box);
      std::cout << detection.index << ' ' << detection.score << " at " << box.left << ", " << box.top
                << " to " << box.right << ", " << box.bottom << '\n';
    }
  } catch (const mxinfer::Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
