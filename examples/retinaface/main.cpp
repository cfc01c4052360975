// Detects faces with RetinaFace: retinaface MODEL IMAGE... [--threshold 0.8] [--side 640] [--json]
//
// One network sees the whole image once. Its output maps hold, for each anchor (anchors.h), a score, and the
// box and the landmarks of the nearest face. The program decodes them (decode.h). A larger side finds smaller
// faces.
#include <mxinfer/mxinfer.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "faces/face.h"
#include "retinaface/decode.h"
#include "retinaface/input_image.h"

namespace {

struct Arguments {
  std::vector<std::string> words;  ///< the model and the images
  float threshold = 0.8f;
  int side = 640;
  bool json = false;
};

/// False if the command line is invalid.
bool read_arguments(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_value = word == "--threshold" || word == "--side";
    if (has_value && i + 1 == argc) return false;
    if (word == "--json") {
      arguments.json = true;
    } else if (word == "--threshold") {
      arguments.threshold = std::strtof(argv[++i], nullptr);
    } else if (word == "--side") {
      arguments.side = std::atoi(argv[++i]);
    } else {
      arguments.words.push_back(word);
    }
  }
  return arguments.words.size() >= 2 && arguments.threshold > 0 && arguments.threshold <= 1 &&
         arguments.side >= 32 && arguments.side <= 16384;
}

mxinfer::Predictor load(const std::string& model) {
  mxinfer::LoadOptions load;
  load.inputs = {{"data", {-1, 3, -1, -1}}};
  load.outputs = retinaface::output_names();  // not_found if it is another network
  mxinfer::Options options;
  options.max_plans = 8;  // one for each size; a bound, so that many sizes do not fill the memory
  return mxinfer::Predictor(model, options, load);
}

std::vector<faces::Face> find_faces(const mxinfer::Predictor& network, const mxinfer::Image& image,
                                    const Arguments& arguments) {
  const retinaface::Input input = retinaface::prepare(image, arguments.side);
  const std::vector<mxinfer::Tensor> maps = network.predict({input.tensor});
  std::vector<faces::Face> found = retinaface::suppress(retinaface::decode(maps, arguments.threshold), 0.4f);
  for (faces::Face& face : found) face = retinaface::to_image(face, input);
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!read_arguments(argc, argv, arguments)) {
    std::cerr << "usage: retinaface MODEL IMAGE... [--threshold 0..1] [--side PIXELS] [--json]\n";
    return 2;
  }
  try {
    const mxinfer::Predictor network = load(arguments.words[0]);
    for (std::size_t i = 1; i < arguments.words.size(); ++i) {
      const std::string& name = arguments.words[i];
      const std::vector<faces::Face> found = find_faces(network, mxinfer::read_image(name), arguments);
      (arguments.json ? faces::print_json : faces::print_table)(std::cout, name, found);
    }
  } catch (const mxinfer::Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
