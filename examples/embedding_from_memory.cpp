// Loads a model from memory and returns an inner value beside its output:
// embedding_from_memory SYMBOL PARAMS LAYER
//
// The two files may come from a database or from a package of the program. Image search and face recognition
// compare the output of such a layer. `mxinfer inspect MODEL --nodes` lists the names.
#include <mxinfer/mxinfer.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace {

std::string bytes_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: embedding_from_memory SYMBOL PARAMS LAYER\n";
    return 2;
  }
  try {
    mxinfer::LoadOptions load;
    load.inputs = {{"data", {-1, 1, 32, 32}}};
    const mxinfer::Model network = mxinfer::Model::load_memory(bytes_of(argv[1]), bytes_of(argv[2]), load);
    load.outputs = {argv[3], network.signature().outputs.at(0).name};
    const mxinfer::Predictor predictor(
        mxinfer::Model::load_memory(bytes_of(argv[1]), bytes_of(argv[2]), load));
    const std::vector<float> pixels(32 * 32, 128.0f);
    const std::vector<std::vector<float>> outputs = predictor.predict_flat<float>({pixels});
    std::cout << "embedding of " << outputs.at(0).size() << " numbers, " << outputs.at(1).size()
              << " scores\n";
  } catch (const mxinfer::Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
