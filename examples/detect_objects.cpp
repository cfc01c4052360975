// Detects objects in an image: detect_objects models/digit_detector models/digit_detector/scenes/08.jpg
//
// If the model's files do not state the size of its images, add the side of the input, such as 512:
// detect_objects MODEL IMAGE SIDE
#include <mxinfer/mxinfer.h>

#include <cstdlib>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::cerr << "usage: detect_objects MODEL IMAGE [SIDE]\n";
    return 2;
  }
  try {
    mxinfer::DetectorOptions options;
    if (argc == 4) options.height = options.width = std::atoi(argv[3]);
    const mxinfer::ObjectDetector detector(argv[1], options);
    for (const mxinfer::Detection& found : detector.detect_file(argv[2])) {
      const mxinfer::Box& box = found.box;
      std::cout << found.label << ' ' << found.score << " at " << box.left << ", " << box.top << " to "
                << box.right << ", " << box.bottom << '\n';
    }
  } catch (const mxinfer::Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
