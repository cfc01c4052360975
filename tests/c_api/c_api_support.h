// What the tests of the C interface share: handles that free themselves, and small models.
#pragma once

#include <gtest/gtest.h>
#include <mxinfer_c.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace mxinfer_c_tests {

template <auto kFree>
struct FreeWith {
  template <typename T>
  void operator()(T* handle) const {
    kFree(handle);
  }
};
template <typename T, auto kFree>
using Handle = std::unique_ptr<T, FreeWith<kFree>>;

using Options = Handle<mxinfer_options, mxinfer_options_free>;
using Model = Handle<mxinfer_model, mxinfer_model_free>;
using Predictor = Handle<mxinfer_predictor, mxinfer_predictor_free>;
using Classifier = Handle<mxinfer_classifier, mxinfer_classifier_free>;
using ImageClassifier = Handle<mxinfer_image_classifier, mxinfer_image_classifier_free>;
using Detector = Handle<mxinfer_object_detector, mxinfer_object_detector_free>;
using OwnedImage = Handle<mxinfer_owned_image, mxinfer_owned_image_free>;
using OwnedBytes = Handle<mxinfer_owned_bytes, mxinfer_owned_bytes_free>;
using Segmenter = Handle<mxinfer_image_segmenter, mxinfer_image_segmenter_free>;
using Segmentations = Handle<mxinfer_segmentations, mxinfer_segmentations_free>;
using KeypointDetector = Handle<mxinfer_keypoint_detector, mxinfer_keypoint_detector_free>;
using Poses = Handle<mxinfer_poses, mxinfer_poses_free>;
using FaceEmbedder = Handle<mxinfer_face_embedder, mxinfer_face_embedder_free>;
using TextClassifier = Handle<mxinfer_text_classifier, mxinfer_text_classifier_free>;
using Ids = Handle<mxinfer_ids, mxinfer_ids_free>;
using Texts = Handle<mxinfer_texts, mxinfer_texts_free>;
using Vocabulary = Handle<mxinfer_vocabulary, mxinfer_vocabulary_free>;
using Tokenizer = Handle<mxinfer_tokenizer, mxinfer_tokenizer_free>;
using WordVectors = Handle<mxinfer_word_vectors, mxinfer_word_vectors_free>;
using NearWords = Handle<mxinfer_near_words, mxinfer_near_words_free>;
using BucketedModel = Handle<mxinfer_bucketed_model, mxinfer_bucketed_model_free>;
using SequencePredictor = Handle<mxinfer_sequence_predictor, mxinfer_sequence_predictor_free>;
using SequenceOutputs = Handle<mxinfer_sequence_outputs, mxinfer_sequence_outputs_free>;
using Session = Handle<mxinfer_session, mxinfer_session_free>;
using Generator = Handle<mxinfer_sequence_generator, mxinfer_sequence_generator_free>;
using Generated = Handle<mxinfer_generated, mxinfer_generated_free>;
using Generation = Handle<mxinfer_generation, mxinfer_generation_free>;
using CtcSequences = Handle<mxinfer_ctc_sequences, mxinfer_ctc_sequences_free>;
using Text = Handle<char, mxinfer_text_free>;
using Tensors = Handle<mxinfer_tensors, mxinfer_tensors_free>;
using Descs = Handle<mxinfer_descs, mxinfer_descs_free>;
using Classes = Handle<mxinfer_classes, mxinfer_classes_free>;
using Detections = Handle<mxinfer_detections, mxinfer_detections_free>;
using Request = Handle<mxinfer_request, mxinfer_request_free>;
using CompletionQueue = Handle<mxinfer_completion_queue, mxinfer_completion_queue_free>;
using Queue = Handle<mxinfer_queue, mxinfer_queue_free>;

/// Receives what a function gives: `function(..., Out(handle))`.
template <typename Owner>
class Out {
 public:
  using Element = typename Owner::element_type;
  explicit Out(Owner& owner) : owner_(owner) {}
  ~Out() {
    if (raw_ != nullptr) owner_.reset(raw_);
  }
  Out(const Out&) = delete;
  Out& operator=(const Out&) = delete;
  operator Element**() { return &raw_; }

 private:
  Owner& owner_;
  Element* raw_ = nullptr;
};

/// A struct whose size is set.
template <typename Struct>
Struct sized() {
  Struct value{};
  value.struct_size = sizeof value;
  return value;
}

inline std::string digits() {
  return MXINFER_SOURCE_DIR "/models/digits";
}
inline std::string image_path(const std::string& name) {
  return std::string(MXINFER_SOURCE_DIR "/examples/images/") + name;
}
inline std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline Options make_options(const std::vector<std::pair<const char*, const char*>>& values) {
  Options options;
  EXPECT_EQ(mxinfer_options_create(Out(options)), MXINFER_OK);
  for (const auto& [name, value] : values)
    EXPECT_EQ(mxinfer_options_set(options.get(), name, value), MXINFER_OK) << mxinfer_last_error();
  return options;
}

/// Of the text of a symbol file, without parameters.
inline Model model_of(const std::string& symbol,
                      const std::vector<std::pair<const char*, const char*>>& options = {}) {
  Model model;
  EXPECT_EQ(mxinfer_model_load_memory(symbol.data(), symbol.size(), nullptr, 0, make_options(options).get(),
                                      Out(model)),
            MXINFER_OK)
      << mxinfer_last_error();
  return model;
}

/// sum = a + b, of any shape that `inputs` says, and a second output b * b.
inline Model add_model(const char* inputs = "a=-1,4;b=-1,4") {
  static const std::string symbol = R"json({"nodes": [
      {"op": "null", "name": "a", "inputs": []}, {"op": "null", "name": "b", "inputs": []},
      {"op": "elemwise_add", "name": "sum", "inputs": [[0, 0, 0], [1, 0, 0]]},
      {"op": "square", "name": "squared", "inputs": [[1, 0, 0]]}],
      "arg_nodes": [0, 1], "heads": [[2, 0, 0], [3, 0, 0]]})json";
  const Options options = make_options({{"inputs", inputs}});
  Model model;
  EXPECT_EQ(mxinfer_model_load_memory(symbol.data(), symbol.size(), nullptr, 0, options.get(), Out(model)),
            MXINFER_OK)
      << mxinfer_last_error();
  return model;
}

/// Of add_model(), with the defaults.
inline Predictor add_predictor() {
  Predictor predictor;
  EXPECT_EQ(mxinfer_predictor_create(add_model().get(), nullptr, Out(predictor)), MXINFER_OK)
      << mxinfer_last_error();
  return predictor;
}

inline mxinfer_tensor tensor_of(const float* data, const std::vector<std::int64_t>& shape,
                                const char* name = nullptr) {
  auto tensor = sized<mxinfer_tensor>();
  tensor.name = name;
  tensor.data = const_cast<float*>(data);
  tensor.shape = shape.data();
  tensor.rank = static_cast<std::int32_t>(shape.size());
  return tensor;
}

inline mxinfer_tensor tensor_at(const Tensors& tensors, std::size_t index) {
  auto tensor = sized<mxinfer_tensor>();
  EXPECT_EQ(mxinfer_tensors_get(tensors.get(), index, &tensor), MXINFER_OK) << mxinfer_last_error();
  return tensor;
}

inline std::vector<std::int64_t> shape_of(const mxinfer_tensor& tensor) {
  return {tensor.shape, tensor.shape + tensor.rank};
}

inline std::vector<float> floats_of(const mxinfer_tensor& tensor) {
  std::size_t count = 1;
  for (std::int32_t i = 0; i < tensor.rank; ++i) count *= static_cast<std::size_t>(tensor.shape[i]);
  const auto* data = static_cast<const float*>(tensor.data);
  return {data, data + count};
}

inline std::vector<float> scores_of(const Classes& classes, std::size_t sample = 0) {
  std::vector<float> scores(mxinfer_classes_count(classes.get(), sample));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    auto one = sized<mxinfer_class>();
    EXPECT_EQ(mxinfer_classes_get(classes.get(), sample, i, &one), MXINFER_OK) << mxinfer_last_error();
    scores[i] = one.score;
  }
  return scores;
}

inline std::vector<std::int32_t> ids_of(const Ids& ids) {
  const std::int32_t* const data = mxinfer_ids_data(ids.get());
  return {data, data + mxinfer_ids_count(ids.get())};
}

inline std::vector<std::string> texts_of(const Texts& texts) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < mxinfer_texts_count(texts.get()); ++i)
    list.emplace_back(mxinfer_texts_get(texts.get(), i));
  return list;
}

inline std::string first_label(const Classes& classes, std::size_t sample = 0) {
  auto first = sized<mxinfer_class>();
  EXPECT_EQ(mxinfer_classes_get(classes.get(), sample, 0, &first), MXINFER_OK) << mxinfer_last_error();
  return first.label == nullptr ? "" : first.label;
}

}  // namespace mxinfer_c_tests

#define EXPECT_C_OK(call) EXPECT_EQ(call, MXINFER_OK) << mxinfer_last_error()
#define ASSERT_C_OK(call) ASSERT_EQ(call, MXINFER_OK) << mxinfer_last_error()

/// The status, and facts that the message names.
#define EXPECT_C_ERROR(call, status, ...)                                                        \
  do {                                                                                           \
    EXPECT_EQ(call, status) << mxinfer_last_error();                                             \
    EXPECT_EQ(mxinfer_last_status(), status);                                                    \
    const std::string c_message = mxinfer_last_error();                                          \
    for (const char* fact : std::initializer_list<const char*>{__VA_ARGS__})                     \
      EXPECT_NE(c_message.find(fact), std::string::npos) << fact << " is not in: " << c_message; \
  } while (false)
