// Classifies an image: classify_image models/digits examples/images/seven.jpg
#include <mxinfer/mxinfer.h>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: classify_image MODEL IMAGE\n";
    return 2;
  }
  try {
    const mxinfer::ImageClassifier classifier(argv[1]);
    for (const auto& [label, score, index] : classifier.classify_file(argv[2], 5)) {
      std::cout << label << ' ' << score << '\n';
    }
  } catch (const mxinfer::Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
