// Answers requests from many threads: serve_bytes MODEL IMAGE
//
// A service receives images as bytes, often in a std::string. classify_bytes never opens a file, even if the
// bytes are a path. If a request is invalid, it gets an Error, and the others are not affected.
#include <mxinfer/mxinfer.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace {

/// The body that a request handler would send back.
std::string answer(const mxinfer::ImageClassifier& classifier, const std::string& body) {
  try {
    return classifier.classify_bytes(body, 1).at(0).label;
  } catch (const mxinfer::Error& e) {
    return std::string("400 ") + to_string(e.code());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: serve_bytes MODEL IMAGE\n";
    return 2;
  }
  try {
    mxinfer::ImageOptions options;
    options.options.threads = 1;  // the service has threads of its own
    const mxinfer::ImageClassifier classifier(argv[1], options);
    classifier.warmup();
    std::ifstream file(argv[2], std::ios::binary);
    const std::vector<std::string> bodies = {{std::istreambuf_iterator<char>(file), {}}, "/etc/passwd"};
    std::vector<std::string> answers(8);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < answers.size(); ++i)
      threads.emplace_back([&, i] { answers[i] = answer(classifier, bodies[i % 2]); });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& text : answers) std::cout << text << '\n';
    std::cout << classifier.stats().calls << " calls of " << classifier.stats().plans << " plan\n";
  } catch (const mxinfer::Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
