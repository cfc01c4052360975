// Attaches preprocessing and the choice of the best classes to a network, writes the result as one model, and
// classifies images with that model:
//
//   fuse_and_classify models/digits whole examples/images/seven.jpg examples/images/two.png
#include <mxinfer/mxinfer.h>

#include <iostream>
#include <string>
#include <vector>

namespace t = mxinfer::transforms;

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: fuse_and_classify NETWORK PREFIX IMAGE...\n";
    return 2;
  }
  try {
    // The digits network was trained on images of 32 x 32 with values from 0 to 255.
    mxinfer::ModelBuilder builder(argv[1]);
    builder.transforms({t::resize(32, 32), t::cast(mxinfer::DType::float32), t::transpose({0, 3, 1, 2})});
    builder.post({t::top_k(3)});
    builder.sample(argv[3]);
    builder.save(argv[2]);

    // A program that loads the model needs no sizes, colours or means.
    mxinfer::LoadOptions load;
    load.verify = true;
    const mxinfer::ImageClassifier classifier(argv[2], {}, load);
    const std::vector<std::string> files(argv + 3, argv + argc);
    const auto results = classifier.classify_files(files, 1);
    for (std::size_t i = 0; i < files.size(); ++i) {
      std::cout << files[i] << ": " << results[i][0].label << ' ' << results[i][0].score << '\n';
    }
  } catch (const mxinfer::Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
