// Tells the language of each text: language_id models/language_id "Wo ist der Bahnhof?" "Où est la gare ?"
#include <mxinfer/mxinfer.h>

#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: language_id MODEL TEXT...\n";
    return 2;
  }
  try {
    const mxinfer::TextClassifier classifier(argv[1]);
    const std::vector<std::string> texts(argv + 2, argv + argc);
    const auto classes = classifier.classify_texts(mxinfer::Span<const std::string>(texts), 1);
    std::cout << std::fixed << std::setprecision(2);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto& [label, score, index] = classes[i][0];
      std::cout << label << ' ' << score << "  " << texts[i] << '\n';
    }
  } catch (const mxinfer::Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
