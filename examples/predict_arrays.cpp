// Runs a model on arrays: predict_arrays models/digits
//
// The program passes the same three samples twice: as a flat array, which is enough if every input has one
// shape and one dtype, and as a tensor, which has its own shape and dtype. The model's file has no signature,
// so the program states the input's shape, by which the library splits a flat array into samples.
#include <mxinfer/mxinfer.h>

#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: predict_arrays MODEL\n";
    return 2;
  }
  try {
    mxinfer::LoadOptions load;
    load.inputs = {{"data", {-1, 1, 32, 32}}};  // the batch is free
    const mxinfer::Predictor predictor(argv[1], {}, load);
    const mxinfer::DataDesc& input = predictor.model().signature().inputs.at(0);
    std::cout << "input " << to_string(input) << '\n';

    mxinfer::Shape shape = input.shape;
    shape[0] = 3;
    const std::vector<float> samples(static_cast<std::size_t>(shape.elements()), 128.0f);

    // Flat: as many samples as the array holds, one vector for each output.
    const std::vector<std::vector<float>> flat = predictor.predict_flat<float>({samples});

    // Tensors: a view borrows the samples, the outputs own theirs.
    const std::vector<mxinfer::Tensor> outputs =
        predictor.predict({mxinfer::TensorView(samples.data(), shape)});
    const mxinfer::Tensor& scores = outputs.at(0);

    std::cout << shape[0] << " samples of " << to_string(scores.shape()) << ", first score "
              << scores.data<float>()[0] << ", the same flat " << flat.at(0).at(0) << '\n';
  } catch (const mxinfer::Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
