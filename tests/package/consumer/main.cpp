// Loads a model, runs it on zeros, and asks for a model that is not there: consumer MODEL
#include <mxinfer/mxinfer.h>

#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 2 || std::string(MXINFER_VERSION) != mxinfer::version()) return 2;
  try {
    const mxinfer::Predictor predictor{std::string(argv[1])};
    mxinfer::Shape shape = predictor.model().signature().inputs.at(0).shape;
    shape[0] = 2;
    const mxinfer::Tensor zeros(mxinfer::DType::float32, shape);
    const std::vector<mxinfer::Tensor> outputs = predictor.predict({zeros});
    std::cout << "mxinfer " << mxinfer::version() << ": " << to_string(outputs.at(0).shape()) << '\n';
  } catch (const mxinfer::Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
  // The exception's type must be one and the same on both sides of the library's border.
  try {
    (void)mxinfer::Model::load("/nonexistent/model");
  } catch (const mxinfer::Error& e) {
    return e.code() == mxinfer::ErrorCode::not_found ? 0 : 3;
  }
  return 4;
}
