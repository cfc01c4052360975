#include "mtcnn/networks.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace mtcnn {
namespace {

namespace fs = std::filesystem;

/// The largest batch of crops. A smaller batch is filled up to a power of two, so six plans serve any number
/// of faces. With a plan for each number, almost every image would need a new one.
constexpr std::size_t kMostCrops = 32;

/// Returns the folder or prefix of one of the networks.
std::string find_network(const std::string& folder, const std::string& name) {
  const fs::path prefix = fs::path(folder) / name, own_folder = fs::path(folder) / ("mtcnn_" + name);
  if (fs::exists(prefix.string() + "-symbol.json")) return prefix.string();
  if (fs::is_directory(own_folder)) return own_folder.string();
  throw mxinfer::Error(mxinfer::ErrorCode::not_found,
                       "the folder '" + folder + "' has no network " + name + ": expected " +
                           prefix.string() + "-symbol.json, or the folder " + own_folder.string() +
                           "; give the folder with MTCNN's det1, det2 and det3");
}

/// Names the outputs, which fixes their order and rejects other networks.
mxinfer::Predictor load(const std::string& folder, const std::string& name, const mxinfer::Shape& input,
                        const std::vector<std::string>& outputs, const mxinfer::Options& options) {
  mxinfer::LoadOptions load;
  load.inputs = {{"data", input}};
  load.outputs = outputs;
  return mxinfer::Predictor(find_network(folder, name), options, load);
}

std::size_t filled_batch(std::size_t crops) {
  std::size_t batch = 1;
  while (batch < crops) batch *= 2;
  return batch;
}

mxinfer::Tensor with_rows(const mxinfer::Tensor& batch, std::size_t rows) {
  mxinfer::Shape shape = batch.shape();
  shape[0] = static_cast<std::int64_t>(rows);
  mxinfer::Tensor filled(batch.dtype(), shape);  // zeros after the crops
  std::memcpy(filled.raw(), batch.raw(), batch.bytes());
  return filled;
}

}  // namespace

mxinfer::Preprocess preprocess() {
  mxinfer::Preprocess how;
  how.color = mxinfer::ColorOrder::bgr;
  how.mean = {127.5f, 127.5f, 127.5f};
  how.std = {128.0f, 128.0f, 128.0f};
  return how;
}

Networks load_networks(const std::string& folder) {
  if (!fs::is_directory(folder)) {
    throw mxinfer::Error(mxinfer::ErrorCode::not_found,
                         "'" + folder + "' is not a folder; give the one with MTCNN's det1, det2 and det3");
  }
  // Each level of the pyramid has its own size, and therefore its own plan. The plans of one image are kept
  // for the next of the same size, as in a video. The limit keeps images of many sizes from filling the
  // memory.
  mxinfer::Options pyramid;
  pyramid.max_plans = 16;
  pyramid.max_plan_bytes = std::size_t{256} << 20;
  mxinfer::Options crops;
  crops.max_plans = 6;
  return {load(folder, "det1", {-1, 3, -1, -1}, {"prob1", "conv4_2"}, pyramid),
          load(folder, "det2", {-1, 3, 24, 24}, {"prob1", "conv5_2"}, crops),
          load(folder, "det3", {-1, 3, 48, 48}, {"prob1", "conv6_2", "conv6_3"}, crops)};
}

void expect_shape(const mxinfer::Tensor& output, const mxinfer::Shape& shape) {
  if (output.dtype() == mxinfer::DType::float32 && output.shape() == shape) return;
  throw mxinfer::Error(mxinfer::ErrorCode::unsupported, "a network gives " + to_string(output.shape()) +
                                                            " where one of MTCNN's gives float32 " +
                                                            to_string(shape));
}

Answers run_crops(const mxinfer::Predictor& network, const std::vector<mxinfer::Image>& crops, int side,
                  const std::vector<std::int64_t>& numbers) {
  mxinfer::ImageInput input;
  input.height = input.width = side;
  Answers answers;
  answers.outputs.resize(numbers.size());
  for (std::size_t first = 0; first < crops.size(); first += kMostCrops) {
    const std::size_t count = std::min(kMostCrops, crops.size() - first);
    const mxinfer::Span<const mxinfer::Image> some(crops.data() + first, count);
    const mxinfer::Tensor batch =
        with_rows(mxinfer::prepare_images(some, preprocess(), input).tensor, filled_batch(count));
    const std::vector<mxinfer::Tensor> outputs = network.predict({batch});
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      expect_shape(outputs.at(i), {batch.shape()[0], numbers[i]});
      const float* values = outputs[i].data<float>();
      answers.outputs[i].insert(answers.outputs[i].end(), values,
                                values + static_cast<std::int64_t>(count) * numbers[i]);
    }
  }
  return answers;
}

}  // namespace mtcnn
