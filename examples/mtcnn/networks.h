// MTCNN's three networks: their inputs and outputs, and how many plans they keep.
#pragma once

#include <mxinfer/mxinfer.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mtcnn {

/// The networks take BGR, (pixel - 127.5) / 128.
mxinfer::Preprocess preprocess();

struct Networks {
  mxinfer::Predictor proposer;  ///< det1: every position of an image of any size
  mxinfer::Predictor refiner;   ///< det2: crops of 24 x 24
  mxinfer::Predictor finisher;  ///< det3: crops of 48 x 48, landmarks too
};

/// Loads them from a folder with det1-symbol.json, det1-0001.params, ..., or with a folder for each,
/// mtcnn_det1 and so on. Errors: not_found, which says what is missing; those of Model::load.
Networks load_networks(const std::string& folder);

/// Throws Error(unsupported) unless the output has that shape.
void expect_shape(const mxinfer::Tensor& output, const mxinfer::Shape& shape);

/// A network's outputs for crops, in order: each is (crops, numbers), with a row for each crop.
struct Answers {
  std::vector<std::vector<float>> outputs;
  const float* row(std::size_t output, std::size_t crop, std::size_t numbers) const {
    return outputs[output].data() + crop * numbers;
  }
};

/// Runs crops of side x side in batches. `numbers` says how many numbers each output has for a crop.
Answers run_crops(const mxinfer::Predictor& network, const std::vector<mxinfer::Image>& crops, int side,
                  const std::vector<std::int64_t>& numbers);

}  // namespace mtcnn
