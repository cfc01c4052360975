// Classifiers and detectors through the C interface.
#include <cmath>
#include <random>

#include "c_api/c_api_support.h"
#include "support/files/stored_png.h"

namespace mxinfer_c_tests {
namespace {

ImageClassifier digit_classifier() {
  ImageClassifier classifier;
  EXPECT_C_OK(mxinfer_image_classifier_open(digits().c_str(), nullptr, Out(classifier)));
  return classifier;
}

TEST(CImages, FilesBytesAndPixelsAgree) {
  const ImageClassifier classifier = digit_classifier();
  const std::string path = image_path("seven.jpg"), bytes = read_bytes(path);
  Classes from_file, from_bytes;
  ASSERT_C_OK(mxinfer_image_classifier_classify_file(classifier.get(), path.c_str(), 3, Out(from_file)));
  ASSERT_C_OK(mxinfer_image_classifier_classify_bytes(classifier.get(), bytes.data(), bytes.size(), 3,
                                                      Out(from_bytes)));
  EXPECT_EQ(first_label(from_file), "seven");
  EXPECT_EQ(mxinfer_classes_samples(from_file.get()), 1U);
  EXPECT_EQ(mxinfer_classes_count(from_file.get(), 0), 3U);
  EXPECT_EQ(mxinfer_classes_count(from_file.get(), 1), 0U);
  for (std::size_t i = 0; i < 3; ++i) {
    auto a = sized<mxinfer_class>(), b = sized<mxinfer_class>();
    ASSERT_C_OK(mxinfer_classes_get(from_file.get(), 0, i, &a));
    ASSERT_C_OK(mxinfer_classes_get(from_bytes.get(), 0, i, &b));
    EXPECT_EQ(a.score, b.score);
    EXPECT_EQ(a.index, b.index);
  }
  Classes all;
  ASSERT_C_OK(mxinfer_image_classifier_classify_file(classifier.get(), path.c_str(), 0, Out(all)));
  EXPECT_EQ(mxinfer_classes_count(all.get(), 0), 10U);
  EXPECT_EQ(first_label(all), "zero");
}

TEST(CImages, PixelsMayHaveAStride) {
  const ImageClassifier classifier = digit_classifier();
  constexpr int kSide = 40;
  std::vector<std::uint8_t> dense(kSide * kSide), wide(kSide * (kSide + 9), 255);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x)
      wide[y * (kSide + 9) + x] = dense[y * kSide + x] = static_cast<std::uint8_t>((x * 7 + y * 3) % 256);
  }
  auto image = sized<mxinfer_image>();
  image.pixels = dense.data();
  image.width = image.height = kSide;
  image.channels = 1;
  Classes a, b;
  ASSERT_C_OK(mxinfer_image_classifier_classify_image(classifier.get(), &image, 1, Out(a)));
  image.pixels = wide.data();
  image.row_stride = kSide + 9;
  ASSERT_C_OK(mxinfer_image_classifier_classify_image(classifier.get(), &image, 1, Out(b)));
  auto first = sized<mxinfer_class>(), second = sized<mxinfer_class>();
  ASSERT_C_OK(mxinfer_classes_get(a.get(), 0, 0, &first));
  ASSERT_C_OK(mxinfer_classes_get(b.get(), 0, 0, &second));
  EXPECT_EQ(first.score, second.score);
  image.row_stride = 3;
  EXPECT_C_ERROR(mxinfer_image_classifier_classify_image(classifier.get(), &image, 1, Out(b)),
                 MXINFER_INVALID_ARGUMENT, "row_stride");
  image.row_stride = 0;
  image.channels = 5;
  EXPECT_C_ERROR(mxinfer_image_classifier_classify_image(classifier.get(), &image, 1, Out(b)),
                 MXINFER_INVALID_ARGUMENT, "5 channels", "4 (RGB, alpha)");
  image.channels = 1;
  image.bits = 12;
  EXPECT_C_ERROR(mxinfer_image_classifier_classify_image(classifier.get(), &image, 1, Out(b)),
                 MXINFER_INVALID_ARGUMENT, "12 bits", "16");
}

/// A score for each value of images of 13 x 17.
ImageClassifier pixel_classifier(int channels) {
  const std::string symbol = R"json({"nodes": [{"op": "null", "name": "data", "inputs": []},
      {"op": "Flatten", "name": "out", "inputs": [[0, 0, 0]]}], "arg_nodes": [0], "heads": [[1, 0, 0]]})json";
  const std::string inputs = "data=-1," + std::to_string(channels) + ",13,17";
  const Options options = make_options({{"inputs", inputs.c_str()}});
  Model model;
  ImageClassifier classifier;
  EXPECT_C_OK(mxinfer_model_load_memory(symbol.data(), symbol.size(), nullptr, 0, options.get(), Out(model)));
  EXPECT_C_OK(mxinfer_image_classifier_create(model.get(), nullptr, Out(classifier)));
  return classifier;
}

TEST(CImages, PixelsOfEveryFormAreThoseOfTheirPng) {
  std::mt19937 random(4);
  for (const int wanted : {1, 3}) {
    const ImageClassifier classifier = pixel_classifier(wanted);
    for (const int bits : {8, 16}) {
      for (int channels = 1; channels <= 4; ++channels) {
        std::vector<std::uint16_t> deep(static_cast<std::size_t>(13 * 17 * channels));
        for (std::uint16_t& sample : deep)
          sample = static_cast<std::uint16_t>(random() >> (bits == 8 ? 24 : 16));
        const std::vector<std::uint8_t> shallow(deep.begin(), deep.end());
        const std::string file = mxinfer::test::stored_png({17, 13, channels, bits}, deep);
        auto image = sized<mxinfer_image>();
        image.pixels = bits == 8 ? shallow.data() : reinterpret_cast<const std::uint8_t*>(deep.data());
        image.width = 17;
        image.height = 13;
        image.channels = channels;
        image.bits = bits;
        Classes from_file, from_pixels, from_list;
        ASSERT_C_OK(mxinfer_image_classifier_classify_bytes(classifier.get(), file.data(), file.size(), 0,
                                                            Out(from_file)));
        ASSERT_C_OK(mxinfer_image_classifier_classify_image(classifier.get(), &image, 0, Out(from_pixels)));
        const std::vector<mxinfer_image> list(2, image);
        ASSERT_C_OK(
            mxinfer_image_classifier_classify_images(classifier.get(), list.data(), 2, 0, 0, Out(from_list)));
        const std::vector<float> expected = scores_of(from_file);
        ASSERT_EQ(expected.size(), static_cast<std::size_t>(wanted * 13 * 17));
        EXPECT_EQ(scores_of(from_pixels), expected)
            << wanted << " of " << channels << ", " << bits << " bits";
        EXPECT_EQ(scores_of(from_list, 1), expected)
            << wanted << " of " << channels << ", " << bits << " bits";
      }
    }
  }
}

TEST(CImages, ListsTellWhatIsWrongWithEach) {
  const ImageClassifier classifier = digit_classifier();
  const std::string seven = image_path("seven.jpg"), one = image_path("one.jpg");
  const char* const paths[] = {seven.c_str(), "/nowhere.jpg", one.c_str()};
  Classes classes;
  EXPECT_C_ERROR(mxinfer_image_classifier_classify_files(classifier.get(), paths, 3, 1, 0, Out(classes)),
                 MXINFER_NOT_FOUND, "/nowhere.jpg");
  ASSERT_C_OK(mxinfer_image_classifier_classify_files(classifier.get(), paths, 3, 1, 1, Out(classes)));
  ASSERT_EQ(mxinfer_classes_samples(classes.get()), 3U);
  EXPECT_EQ(first_label(classes, 0), "seven");
  EXPECT_EQ(first_label(classes, 2), "one");
  const char* message = nullptr;
  EXPECT_EQ(mxinfer_classes_item_status(classes.get(), 0, &message), MXINFER_OK);
  EXPECT_STREQ(message, "");
  EXPECT_EQ(mxinfer_classes_item_status(classes.get(), 1, &message), MXINFER_NOT_FOUND);
  EXPECT_NE(std::string(message).find("/nowhere.jpg"), std::string::npos);
  EXPECT_EQ(mxinfer_classes_count(classes.get(), 1), 0U);

  const std::string bytes = read_bytes(seven);
  mxinfer_bytes encoded[] = {sized<mxinfer_bytes>(), sized<mxinfer_bytes>()};
  encoded[0].data = bytes.data();
  encoded[0].bytes = bytes.size();
  encoded[1].data = "/etc/passwd";
  encoded[1].bytes = 11;
  ASSERT_C_OK(mxinfer_image_classifier_classify_bytes_list(classifier.get(), encoded, 2, 1, 1, Out(classes)));
  EXPECT_EQ(first_label(classes, 0), "seven");
  EXPECT_EQ(mxinfer_classes_item_status(classes.get(), 1, nullptr), MXINFER_MALFORMED);
}

TEST(CImages, ClassifiersAreLentAsTheirBases) {
  const ImageClassifier classifier = digit_classifier();
  const mxinfer_predictor* const predictor = mxinfer_image_classifier_predictor(classifier.get());
  ASSERT_NE(predictor, nullptr);
  EXPECT_EQ(mxinfer_classifier_predictor(mxinfer_image_classifier_classifier(classifier.get())), predictor);
  Classes classes;
  const std::string path = image_path("seven.jpg");
  ASSERT_C_OK(mxinfer_image_classifier_classify_file(classifier.get(), path.c_str(), 1, Out(classes)));
  auto metrics = sized<mxinfer_call_metrics>();
  ASSERT_C_OK(mxinfer_predictor_metrics(predictor, &metrics));
  EXPECT_EQ(metrics.done, 1U);
}

TEST(CClassifier, ClassifiesArrays) {
  const std::string symbol = R"json({"nodes": [{"op": "null", "name": "data", "inputs": []},
      {"op": "softmax", "name": "p", "inputs": [[0, 0, 0]]}], "arg_nodes": [0], "heads": [[1, 0, 0]]})json";
  const Options options = make_options({{"inputs", "data=-1,3"}, {"labels", R"(["low", "middle", "high"])"}});
  Model model;
  ASSERT_C_OK(mxinfer_model_load_memory(symbol.data(), symbol.size(), nullptr, 0, options.get(), Out(model)));
  Classifier classifier;
  ASSERT_C_OK(mxinfer_classifier_create(model.get(), nullptr, Out(classifier)));
  const float samples[] = {0, 1, 2, 9, 1, 2};
  Classes classes;
  ASSERT_C_OK(mxinfer_classifier_classify(classifier.get(), samples, 3, 2, Out(classes)));
  EXPECT_EQ(first_label(classes), "high");
  EXPECT_EQ(mxinfer_classes_count(classes.get(), 0), 2U);
  const std::vector<std::int64_t> shape = {2, 3};
  const mxinfer_tensor batch = tensor_of(samples, shape);
  ASSERT_C_OK(mxinfer_classifier_classify_batch(classifier.get(), &batch, 1, Out(classes)));
  EXPECT_EQ(first_label(classes, 0), "high");
  EXPECT_EQ(first_label(classes, 1), "low");
  EXPECT_C_ERROR(mxinfer_classifier_classify(classifier.get(), samples, 4, 1, Out(classes)),
                 MXINFER_INVALID_ARGUMENT);
  EXPECT_C_ERROR(mxinfer_classifier_classify(classifier.get(), samples, 3, -1, Out(classes)),
                 MXINFER_INVALID_ARGUMENT, "-1");
}

// A network that finds one object in every image, where its own constants say: id 1, score 0.75.
Detector one_object_detector(const char* units) {
  const std::string symbol = R"json({"nodes": [{"op": "null", "name": "data", "inputs": []},
      {"op": "mean", "name": "m", "attrs": {"axis": "(1, 2, 3)", "keepdims": "True"}, "inputs": [[0, 0, 0]]},
      {"op": "_mul_scalar", "name": "z", "attrs": {"scalar": "0"}, "inputs": [[1, 0, 0]]},
      {"op": "Reshape", "name": "r", "attrs": {"shape": "(-1, 1, 1)"}, "inputs": [[2, 0, 0]]},
      {"op": "_plus_scalar", "name": "id", "attrs": {"scalar": "1"}, "inputs": [[3, 0, 0]]},
      {"op": "_plus_scalar", "name": "score", "attrs": {"scalar": "0.75"}, "inputs": [[3, 0, 0]]},
      {"op": "_plus_scalar", "name": "low", "attrs": {"scalar": "0.25"}, "inputs": [[3, 0, 0]]},
      {"op": "_plus_scalar", "name": "high", "attrs": {"scalar": "0.5"}, "inputs": [[3, 0, 0]]},
      {"op": "Concat", "name": "out", "attrs": {"num_args": "6", "dim": "2"},
       "inputs": [[4, 0, 0], [5, 0, 0], [6, 0, 0], [6, 0, 0], [7, 0, 0], [7, 0, 0]]}],
      "arg_nodes": [0], "heads": [[8, 0, 0]]})json";
  const Options load = make_options({{"inputs", "data=-1,3,32,32"}, {"labels", R"(["cat", "dog"])"}});
  Model model;
  EXPECT_C_OK(mxinfer_model_load_memory(symbol.data(), symbol.size(), nullptr, 0, load.get(), Out(model)));
  Detector detector;
  const Options options = make_options({{"units", units}});
  EXPECT_C_OK(mxinfer_object_detector_create(model.get(), options.get(), Out(detector)));
  return detector;
}

TEST(CDetector, TakesClassesThresholdsAndSuppressionAndReports) {
  const Detector detector = one_object_detector("relative");
  const std::string seven = image_path("seven.jpg");
  Detections found;
  auto options = sized<mxinfer_detect_options>();
  const auto detect = [&] {
    return mxinfer_object_detector_detect_file(detector.get(), seven.c_str(), &options, Out(found));
  };
  const char* const dog = "dog";
  const char* const cat = "cat";
  const char* const horse = "horse";
  options.score_threshold = 0.5F;
  options.classes = &dog;
  options.class_count = 1;
  ASSERT_C_OK(detect());
  EXPECT_EQ(mxinfer_detections_count(found.get(), 0), 1U);
  auto object = sized<mxinfer_detection>();
  ASSERT_C_OK(mxinfer_detections_get(found.get(), 0, 0, &object));
  EXPECT_EQ(object.landmarks, nullptr);
  EXPECT_EQ(object.landmark_count, 0U);
  options.classes = &cat;
  ASSERT_C_OK(detect());
  EXPECT_EQ(mxinfer_detections_count(found.get(), 0), 0U);
  options.classes = &horse;
  EXPECT_C_ERROR(detect(), MXINFER_INVALID_ARGUMENT, "horse");
  options.classes = nullptr;
  EXPECT_C_ERROR(detect(), MXINFER_INVALID_ARGUMENT, "options.classes");
  options.class_count = 0;

  const float threshold = 0.9F;
  options.threshold_classes = &dog;
  options.class_thresholds = &threshold;
  options.class_threshold_count = 1;
  ASSERT_C_OK(detect());
  EXPECT_EQ(mxinfer_detections_count(found.get(), 0), 0U);

  Handle<mxinfer_detect_report, mxinfer_detect_report_free> report;
  ASSERT_C_OK(mxinfer_object_detector_report_file(detector.get(), seven.c_str(), &options, Out(report)));
  auto counts = sized<mxinfer_detect_counts>();
  ASSERT_C_OK(mxinfer_detect_report_counts(report.get(), &counts));
  EXPECT_EQ(counts.candidates, 1);
  EXPECT_EQ(counts.below_threshold, 1);
  EXPECT_EQ(counts.histogram[7], 1);
  EXPECT_NE(std::string(mxinfer_detect_report_text(report.get())).find("0 of 1 candidate"),
            std::string::npos);
  EXPECT_EQ(mxinfer_detections_count(mxinfer_detect_report_detections(report.get()), 0), 0U);
  ASSERT_EQ(mxinfer_detect_report_classes(report.get()), 1U);
  auto best = sized<mxinfer_class>();
  ASSERT_C_OK(mxinfer_detect_report_best(report.get(), 0, &best));
  EXPECT_STREQ(best.label, "dog");
  EXPECT_C_ERROR(mxinfer_detect_report_best(report.get(), 1, &best), MXINFER_INVALID_ARGUMENT, "no class 1");

  options.class_threshold_count = 0;
  auto nms = sized<mxinfer_nms_options>();
  options.nms = &nms;
  ASSERT_C_OK(detect());
  EXPECT_EQ(mxinfer_detections_count(found.get(), 0), 1U);
  nms.method = "gaussian";
  nms.overlap = "min";
  ASSERT_C_OK(detect());
  nms.method = "soft";
  EXPECT_C_ERROR(detect(), MXINFER_INVALID_ARGUMENT, "\"linear\"");
  nms.method = nullptr;
  nms.iou_threshold = 2;
  EXPECT_C_ERROR(detect(), MXINFER_INVALID_ARGUMENT, "iou_threshold");
}

TEST(CDetector, FindsObjectsInPixelsOfTheImage) {
  const Detector detector = one_object_detector("relative");
  const std::vector<std::uint8_t> pixels(200 * 100 * 3, 50);
  auto image = sized<mxinfer_image>();
  image.pixels = pixels.data();
  image.width = 200;
  image.height = 100;
  image.channels = 3;
  Detections found;
  ASSERT_C_OK(mxinfer_object_detector_detect_image(detector.get(), &image, nullptr, Out(found)));
  ASSERT_EQ(mxinfer_detections_images(found.get()), 1U);
  ASSERT_EQ(mxinfer_detections_count(found.get(), 0), 1U);
  auto object = sized<mxinfer_detection>();
  ASSERT_C_OK(mxinfer_detections_get(found.get(), 0, 0, &object));
  EXPECT_STREQ(object.label, "dog");
  EXPECT_EQ(object.index, 1);
  EXPECT_FLOAT_EQ(object.score, 0.75F);
  EXPECT_FLOAT_EQ(object.left, 50);
  EXPECT_FLOAT_EQ(object.top, 25);
  EXPECT_FLOAT_EQ(object.right, 100);
  EXPECT_FLOAT_EQ(object.bottom, 50);
  auto options = sized<mxinfer_detect_options>();
  options.score_threshold = 0.8F;
  ASSERT_C_OK(mxinfer_object_detector_detect_image(detector.get(), &image, &options, Out(found)));
  EXPECT_EQ(mxinfer_detections_count(found.get(), 0), 0U);
  options.max_detections = -2;
  EXPECT_C_ERROR(mxinfer_object_detector_detect_image(detector.get(), &image, &options, Out(found)),
                 MXINFER_INVALID_ARGUMENT, "max_detections");

  const std::string seven = image_path("seven.jpg");
  const char* const paths[] = {seven.c_str(), "/nowhere.jpg"};
  ASSERT_C_OK(mxinfer_object_detector_detect_files(detector.get(), paths, 2, nullptr, 1, Out(found)));
  EXPECT_EQ(mxinfer_detections_count(found.get(), 0), 1U);
  const char* message = nullptr;
  EXPECT_EQ(mxinfer_detections_item_status(found.get(), 1, &message), MXINFER_NOT_FOUND);
  EXPECT_NE(mxinfer_object_detector_predictor(detector.get()), nullptr);

  Request request;
  ASSERT_C_OK(mxinfer_object_detector_submit_image(detector.get(), &image, nullptr, nullptr, Out(request)));
  ASSERT_C_OK(mxinfer_request_detections(request.get(), Out(found)));
  EXPECT_EQ(mxinfer_detections_count(found.get(), 0), 1U);
  ASSERT_C_OK(
      mxinfer_object_detector_submit_file(detector.get(), seven.c_str(), nullptr, nullptr, Out(request)));
  ASSERT_C_OK(mxinfer_request_detections(request.get(), Out(found)));
  const std::string bytes = read_bytes(seven);
  ASSERT_C_OK(mxinfer_object_detector_submit_bytes(detector.get(), bytes.data(), bytes.size(), nullptr,
                                                   nullptr, Out(request)));
  ASSERT_C_OK(mxinfer_request_detections(request.get(), Out(found)));
}

TEST(CPredictList, RunsItemsOfDifferentSizes) {
  // The bundle's network resizes its images itself.
  Predictor predictor;
  ASSERT_C_OK(mxinfer_predictor_open(MXINFER_SOURCE_DIR "/models/digits.mxz", nullptr, Out(predictor)));
  const std::vector<std::uint8_t> pixels(60 * 40, 9);
  const std::vector<std::int64_t> small = {20, 30, 1}, large = {60, 40, 1}, wrong = {60};
  mxinfer_tensor items[] = {sized<mxinfer_tensor>(), sized<mxinfer_tensor>(), sized<mxinfer_tensor>()};
  const std::vector<std::int64_t>* const shapes[] = {&small, &wrong, &large};
  for (std::size_t i = 0; i < 3; ++i) {
    items[i].data = const_cast<std::uint8_t*>(pixels.data());
    items[i].shape = shapes[i]->data();
    items[i].rank = static_cast<std::int32_t>(shapes[i]->size());
    items[i].dtype = MXINFER_UINT8;
  }
  Tensors outputs;
  ASSERT_C_OK(mxinfer_predictor_predict_list(predictor.get(), items, 3, 1, Out(outputs)));
  EXPECT_EQ(tensor_at(outputs, 0).shape[0], 3);
  const std::vector<float> scores = floats_of(tensor_at(outputs, 0));
  EXPECT_FALSE(std::isnan(scores.front()));
  EXPECT_TRUE(std::isnan(scores[scores.size() / 2]));
  EXPECT_FALSE(std::isnan(scores.back()));
  const char* message = nullptr;
  EXPECT_EQ(mxinfer_tensors_item_status(outputs.get(), 0, &message), MXINFER_OK);
  EXPECT_EQ(mxinfer_tensors_item_status(outputs.get(), 1, &message), MXINFER_INVALID_ARGUMENT);
  EXPECT_NE(std::string(message).find("(60,)"), std::string::npos) << message;
  EXPECT_C_ERROR(mxinfer_predictor_predict_list(predictor.get(), items, 3, 0, Out(outputs)),
                 MXINFER_INVALID_ARGUMENT, "(60,)");
}

}  // namespace
}  // namespace mxinfer_c_tests
