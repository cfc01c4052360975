// The bundled digits model, from images to labels, on digits that its training never saw.
#include <gtest/gtest.h>
#include <mxinfer/vision/image.h>
#include <mxinfer/vision/image_classifier.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "formats/arrays/npz.h"
#include "support/networks/digits.h"

namespace mxinfer {
namespace {

using test::kDigits;
const std::string kBundle = kDigits + ".mxz";

const Tensor& array(const std::vector<formats::NamedArray>& arrays, const std::string& name) {
  for (const auto& array : arrays) {
    if (array.name == name) return array.tensor;
  }
  throw std::runtime_error("held_out.npz has no array " + name);
}

// Dark ink on white paper with a margin, enlarged: what draw() in models/digits/digits.py does.
Image draw(const std::uint8_t* ink) {
  constexpr int kSide = 8, kMargin = 2, kPaper = kSide + 2 * kMargin;
  std::vector<std::uint8_t> paper(kPaper * kPaper, 255);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      paper[static_cast<std::size_t>((y + kMargin) * kPaper + x + kMargin)] =
          static_cast<std::uint8_t>(255 - ink[y * kSide + x]);
    }
  }
  return resize_image(Image(kPaper, kPaper, 1, paper), 64, 64, Interpolation::cubic);
}

using ClassesOfImages = std::vector<std::vector<Classification>>;

ClassesOfImages read_digits(const std::string& model, const std::string& precision,
                            const std::vector<Image>& images) {
  ImageOptions options;
  options.options.precision = parse_precision(precision);
  return ImageClassifier(model, options).classify_batch(Span<const Image>(images), 10);
}

// The largest difference of a score from that of the same digit.
float difference(const ClassesOfImages& a, const ClassesOfImages& b) {
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (const Classification& x : a[i]) {
      for (const Classification& y : b[i])
        if (x.index == y.index) largest = std::max(largest, std::abs(x.score - y.score));
    }
  }
  return largest;
}

TEST(Digits, AtLeast98OfAHundredHeldOutDigitsAreRead) {
  const auto arrays = formats::load_npz(kDigits + "/held_out.npz");
  const Tensor& ink = array(arrays, "ink");
  const Tensor& labels = array(arrays, "label");
  std::vector<Image> images;
  for (std::int64_t i = 0; i < labels.elements(); ++i)
    images.push_back(draw(ink.data<std::uint8_t>() + i * 64));
  ASSERT_EQ(images.size(), 360u);

  for (const std::string& model : {kDigits, kBundle}) {
    const ClassesOfImages exact = read_digits(model, "float32", images);
    const ClassesOfImages rounded = read_digits(model, "bfloat16", images);
    int right = 0, same = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      right += exact[i].at(0).index == labels.data<std::uint8_t>()[i] ? 1 : 0;
      same += exact[i].at(0).index == rounded[i].at(0).index ? 1 : 0;
    }
    const double accuracy = static_cast<double>(right) / static_cast<double>(images.size());
    RecordProperty("accuracy", std::to_string(accuracy));
    EXPECT_GE(accuracy, 0.98) << model;
    std::cout << "bfloat16: the same digit for " << same << " of " << images.size()
              << ", largest difference of a score " << difference(exact, rounded) << '\n';
    EXPECT_GE(same, 358) << model;
  }
}

// What models/digits/bundle.sh has put together is the network of the folder behind its own resize.
TEST(Digits, TheBundleIsTheNetworkWithItsTransforms) {
  LoadOptions checked;
  checked.verify = true;
  const ImageClassifier whole(kBundle, {}, checked), network(kDigits);
  EXPECT_EQ(whole.model().labels(), network.model().labels());
  for (const char* image : {"seven.jpg", "zero.png"}) {
    const std::string path = std::string(MXINFER_SOURCE_DIR) + "/examples/images/" + image;
    const auto by_bundle = whole.classify_file(path), by_network = network.classify_file(path);
    ASSERT_EQ(by_bundle.size(), by_network.size());
    for (std::size_t i = 0; i < by_bundle.size(); ++i)
      EXPECT_EQ(by_bundle[i].score, by_network[i].score) << image << ' ' << i;
  }
}

TEST(Digits, EveryExampleImageShowsWhatItsNameSays) {
  const ImageClassifier classifier(kBundle);
  int images = 0;
  for (const std::string& name : classifier.model().labels()) {
    for (const char* ending : {".png", ".jpg"}) {
      const std::string path = MXINFER_SOURCE_DIR "/examples/images/" + name + ending;
      if (!std::filesystem::exists(path)) continue;
      ++images;
      const auto best = classifier.classify_file(path, 1).at(0);
      EXPECT_EQ(best.label, name);
      EXPECT_GT(best.score, 0.5f) << name;
    }
  }
  EXPECT_EQ(images, 10);
}

}  // namespace
}  // namespace mxinfer
