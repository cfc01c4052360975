// What the C interface adds to a call: the same calls through it and through C++, in turn.
//
//   build/release/bench/mxinfer_c_overhead [MODEL]          # models/digits of the sources without an argument
//
// Prints nanoseconds of a call, the least of many rounds: a network of one addition, where the call is all
// there is, and the model.
#include <mxinfer/predictor.h>
#include <mxinfer/vision/image_classifier.h>
#include <mxinfer_c.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

void require(mxinfer_status status) {
  if (status == MXINFER_OK) return;
  std::fprintf(stderr, "%s\n", mxinfer_last_error());
  std::exit(1);
}

template <typename Call>
double nanoseconds_of(const Call& call, int calls) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) call();
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  return time.count() / calls;
}

template <typename Cpp, typename C>
void compare(const char* what, int calls, const Cpp& cpp, const C& c) {
  double in_cpp = 1e18, in_c = 1e18;
  for (int round = 0; round < 60; ++round) {
    in_cpp = std::min(in_cpp, nanoseconds_of(cpp, calls));
    in_c = std::min(in_c, nanoseconds_of(c, calls));
  }
  std::printf("%-28s C++ %9.0f ns   C %9.0f ns   %+6.0f ns\n", what, in_cpp, in_c, in_c - in_cpp);
}

constexpr const char* kAdd = R"json({"nodes": [{"op": "null", "name": "a", "inputs": []},
    {"op": "null", "name": "b", "inputs": []}, {"op": "elemwise_add", "name": "sum", "inputs": [[0, 0, 0], [1, 0, 0]]}],
    "arg_nodes": [0, 1], "heads": [[2, 0, 0]]})json";

mxinfer_tensor tensor_of(float* data, const std::int64_t* shape, std::int32_t rank) {
  mxinfer_tensor tensor{};
  tensor.struct_size = sizeof tensor;
  tensor.data = data;
  tensor.shape = shape;
  tensor.rank = rank;
  return tensor;
}

void compare_additions() {
  mxinfer::LoadOptions load;
  load.inputs = {{"a", {-1, 4}}, {"b", {-1, 4}}};
  mxinfer::Options options;
  options.threads = 1;
  const mxinfer::Predictor cpp(mxinfer::Model::load_memory(std::string(kAdd), {}, load), options);
  mxinfer_options* set = nullptr;
  mxinfer_model* model = nullptr;
  mxinfer_predictor* c = nullptr;
  require(mxinfer_options_create(&set));
  require(mxinfer_options_set(set, "threads", "1"));
  require(mxinfer_options_set(set, "inputs", "a=-1,4;b=-1,4"));
  require(mxinfer_model_load_memory(kAdd, std::string(kAdd).size(), nullptr, 0, set, &model));
  require(mxinfer_predictor_create(model, set, &c));

  float a[4] = {1, 2, 3, 4}, b[4] = {1, 2, 3, 4}, sum[4] = {};
  const std::int64_t shape[] = {1, 4};
  const mxinfer_tensor inputs[] = {tensor_of(a, shape, 2), tensor_of(b, shape, 2)};
  const mxinfer_tensor outputs[] = {tensor_of(sum, shape, 2)};
  compare(
      "addition, predict_into", 20000,
      [&] {
        cpp.predict_into({mxinfer::TensorView(a, {1, 4}), mxinfer::TensorView(b, {1, 4})},
                         {mxinfer::MutableTensorView(sum, {1, 4})});
      },
      [&] { require(mxinfer_predictor_predict_into(c, inputs, 2, outputs, 1)); });
  compare(
      "addition, predict", 20000,
      [&] {
        (void)cpp.predict({mxinfer::TensorView(a, {1, 4}), mxinfer::TensorView(b, {1, 4})});
      },
      [&] {
        mxinfer_tensors* made = nullptr;
        require(mxinfer_predictor_predict(c, inputs, 2, &made));
        mxinfer_tensors_free(made);
      });
  mxinfer_predictor_free(c);
  mxinfer_model_free(model);
  mxinfer_options_free(set);
}

void compare_images(const std::string& path) {
  mxinfer::ImageOptions options;
  options.options.threads = 1;
  const mxinfer::ImageClassifier cpp(path, options);
  mxinfer_options* set = nullptr;
  mxinfer_image_classifier* c = nullptr;
  require(mxinfer_options_create(&set));
  require(mxinfer_options_set(set, "threads", "1"));
  require(mxinfer_image_classifier_open(path.c_str(), set, &c));
  std::vector<std::uint8_t> pixels(64 * 64 * 3, 100);
  const mxinfer::Image picture(64, 64, 3, pixels);
  mxinfer_image image{};
  image.struct_size = sizeof image;
  image.pixels = pixels.data();
  image.width = image.height = 64;
  image.channels = 3;
  compare(
      "model, classify an image", 500, [&] { (void)cpp.classify(picture, 5); },
      [&] {
        mxinfer_classes* made = nullptr;
        require(mxinfer_image_classifier_classify_image(c, &image, 5, &made));
        mxinfer_classes_free(made);
      });
  mxinfer_image_classifier_free(c);
  mxinfer_options_free(set);
}

}  // namespace

int main(int count, char** arguments) {
  compare_additions();
  compare_images(count > 1 ? arguments[1] : MXINFER_SOURCE_DIR "/models/digits");
  return 0;
}
