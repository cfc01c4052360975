// Bytes of images from memory: whatever they are, they are never taken as the path of a file.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/expect_error.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

const std::string kImage = MXINFER_SOURCE_DIR "/examples/images/seven.jpg";

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

ImageClassifier digit_classifier() {
  return ImageClassifier(MXINFER_SOURCE_DIR "/models/digits");
}

// What decode_image says of bytes that are not an image: their first eight, not those of a file.
void expect_refused(const std::function<void()>& call, const std::string& first_bytes) {
  EXPECT_MXINFER_ERROR(call(), ErrorCode::malformed, {"not a JPEG or PNG", first_bytes});
}

TEST(ImageBytes, APathIsNotOpened) {
  const ImageClassifier classifier = digit_classifier();
  const std::string password_file = "/etc/passwd";  // begins with "root:x:0", 72 6f 6f 74 ...
  expect_refused([&] { classifier.classify_bytes(password_file, 1); }, "2f 65 74 63 2f 70 61 73");
  expect_refused([&] { classifier.classify_bytes_list({password_file}, 1); }, "2f 65 74 63 2f 70 61 73");
  expect_refused([&] { (void)decode_image(password_file); }, "2f 65 74 63 2f 70 61 73");
  // Nor that of an image, which could be read.
  EXPECT_MXINFER_ERROR(classifier.classify_bytes(kImage, 1), ErrorCode::malformed, {"not a JPEG or PNG"});
  EXPECT_MXINFER_ERROR(classifier.classify_bytes(std::string(), 1), ErrorCode::malformed, {"JPEG or PNG"});
}

TEST(ImageBytes, EveryHolderOfBytesGivesWhatTheFileGives) {
  const ImageClassifier classifier = digit_classifier();
  const float score = classifier.classify_file(kImage, 1)[0].score;
  const std::string body = file_text(kImage);
  const std::vector<char> chars(body.begin(), body.end());
  const std::vector<std::uint8_t> numbers(body.begin(), body.end());
  const auto* first = reinterpret_cast<const std::byte*>(body.data());
  const std::vector<std::byte> bytes(first, first + body.size());
  EXPECT_EQ(classifier.classify_bytes(body, 1)[0].score, score);
  EXPECT_EQ(classifier.classify_bytes(std::string_view(body), 1)[0].score, score);
  EXPECT_EQ(classifier.classify_bytes(chars, 1)[0].score, score);
  EXPECT_EQ(classifier.classify_bytes(numbers, 1)[0].score, score);
  EXPECT_EQ(classifier.classify_bytes(bytes, 1)[0].score, score);
  EXPECT_EQ(classifier.classify_bytes(Span<const std::byte>(bytes), 1)[0].score, score);
  EXPECT_EQ(classifier.classify_bytes({body.data(), body.size()}, 1)[0].score, score);
  EXPECT_EQ(decode_image(body).size(), read_image(kImage).size());
}

TEST(ImageBytes, ListsReportWhichIsWrong) {
  const ImageClassifier classifier = digit_classifier();
  const std::vector<std::string> bodies = {file_text(kImage), "/etc/passwd", file_text(kImage)};
  EXPECT_MXINFER_ERROR(classifier.classify_bytes_list(bodies, 1), ErrorCode::malformed,
                       {"image 1", "not a JPEG or PNG"});
  std::vector<ItemError> errors;
  const auto rows = classifier.classify_bytes_list(bodies, 1, &errors);
  ASSERT_EQ(rows.size(), 3u);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].item, 1u);
  EXPECT_TRUE(rows[1].empty());
  EXPECT_EQ(rows[2].at(0).label, "seven");
  EXPECT_TRUE(classifier.classify_bytes_list({}, 1).empty());
  EXPECT_MXINFER_ERROR(classifier.classify_bytes_list({}, 0), ErrorCode::invalid_argument, {"top_k"});
}

TEST(ImageBytes, DetectorsTakeThemToo) {
  const std::string folder = MXINFER_SOURCE_DIR "/tests/golden/ssd/ssd";
  DetectorOptions options;
  options.height = options.width = 48;
  const ObjectDetector detector(Model::load_files(folder + "-symbol.json", folder + "-0000.params"), options);
  expect_refused([&] { detector.detect_bytes(std::string("/etc/passwd")); }, "2f 65 74 63 2f 70 61 73");
  const std::string body = file_text(kImage);
  const DetectOptions all{0.0f, {}};
  const auto by_path = detector.detect_file(kImage, all), by_bytes = detector.detect_bytes(body, all);
  ASSERT_FALSE(by_path.empty());
  ASSERT_EQ(by_path.size(), by_bytes.size());
  EXPECT_EQ(by_path[0].score, by_bytes[0].score);
  std::vector<ItemError> errors;
  EXPECT_EQ(detector.detect_bytes_list({body, std::string_view("no")}, all, &errors)[0].size(),
            by_path.size());
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].item, 1u);
}

TEST(ModelBytes, OneContainerServesBothFiles) {
  const std::string prefix = MXINFER_SOURCE_DIR "/models/digits/digits";
  const std::string symbol = file_text(prefix + "-symbol.json"), params = file_text(prefix + "-0000.params");
  const std::vector<std::byte> bytes(reinterpret_cast<const std::byte*>(params.data()),
                                     reinterpret_cast<const std::byte*>(params.data()) + params.size());
  EXPECT_EQ(Model::load_memory(symbol, params).signature().inputs[0].name, "data");
  EXPECT_EQ(Model::load_memory(std::string_view(symbol), bytes).signature().inputs[0].name, "data");
  EXPECT_MXINFER_ERROR(Model::load_memory(prefix, params), ErrorCode::malformed, {"JSON"});
}

template <typename Given, typename = void>
struct Classifies : std::false_type {};
template <typename Given>
struct Classifies<
    Given, std::void_t<decltype(std::declval<const ImageClassifier&>().classify(std::declval<Given>(), 1))>>
    : std::true_type {};
template <typename Given, typename = void>
struct Detects : std::false_type {};
template <typename Given>
struct Detects<Given,
               std::void_t<decltype(std::declval<const ObjectDetector&>().detect(std::declval<Given>()))>>
    : std::true_type {};

TEST(ImageBytes, TextThatMayBeEitherDoesNotCompile) {
  EXPECT_TRUE((Classifies<const Image&>::value && Classifies<const std::vector<float>&>::value));
  EXPECT_FALSE(Classifies<const std::string&>::value);
  EXPECT_FALSE(Classifies<std::string>::value);
  EXPECT_FALSE(Classifies<std::string_view>::value);
  EXPECT_FALSE(Classifies<const char*>::value);
  EXPECT_FALSE(Classifies<const std::vector<std::uint8_t>&>::value);
  EXPECT_TRUE(Detects<const Image&>::value);
  EXPECT_FALSE(Detects<const std::string&>::value);
  EXPECT_FALSE(Detects<const char*>::value);
  EXPECT_FALSE((std::is_convertible_v<const char*, ByteSpan>));
  EXPECT_FALSE((std::is_convertible_v<const std::vector<int>&, ByteSpan>));
  EXPECT_FALSE((std::is_convertible_v<const std::string&, ByteSpans>));
}

}  // namespace
}  // namespace mxinfer
