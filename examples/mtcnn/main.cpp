// Detects faces with MTCNN: mtcnn FOLDER IMAGE... [--json]
//
// FOLDER holds three small networks, each more accurate than the one before (pyramid.h, refine.h). det1
// proposes boxes at every position and size, det2 rejects most of them, and det3 keeps the faces and finds
// eyes, nose and mouth.
#include <mxinfer/mxinfer.h>

#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "faces/face.h"
#include "mtcnn/networks.h"
#include "mtcnn/pyramid.h"
#include "mtcnn/refine.h"

namespace {

std::vector<faces::Face> find_faces(const mtcnn::Networks& networks, const mxinfer::Image& image) {
  const std::vector<mxinfer::Box> proposed = mtcnn::propose(networks.proposer, image);
  const std::vector<mxinfer::Box> refined = mtcnn::refine(networks.refiner, image, proposed);
  return mtcnn::finish(networks.finisher, image, refined);
}

}  // namespace

int main(int argc, char** argv) {
  const bool json = argc > 1 && std::strcmp(argv[argc - 1], "--json") == 0;
  const std::vector<std::string> words(argv + 1, argv + argc - (json ? 1 : 0));
  if (words.size() < 2) {
    std::cerr << "usage: mtcnn FOLDER IMAGE... [--json]\n";
    return 2;
  }
  try {
    const mtcnn::Networks networks = mtcnn::load_networks(words[0]);
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::vector<faces::Face> found = find_faces(networks, mxinfer::read_image(words[i]));
      (json ? faces::print_json : faces::print_table)(std::cout, words[i], found);
    }
  } catch (const mxinfer::Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
