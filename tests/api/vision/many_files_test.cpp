// Lists of files: in batches that run side by side, decoded as far as the network needs, and scaled down.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "image/encoders.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"

namespace mxinfer {
namespace {

using Rows = std::vector<std::vector<Classification>>;

/// Smooth colours with an edge, which are another for each seed.
Image picture(int width, int height, int seed) {
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double across = static_cast<double>(x) / width, down = static_cast<double>(y) / height;
      const double edge = across + down > 0.6 + 0.05 * seed ? 60 : 0;
      for (int c = 0; c < 3; ++c)
        pixels.push_back(
            static_cast<std::uint8_t>(80 + edge + 60 * std::sin(across * (3 + c) + down * seed)));
    }
  }
  return {width, height, 3, pixels};
}

class ManyFiles : public testing::Test {
 protected:
  std::string add_file(const std::string& name, const std::vector<std::uint8_t>& bytes) {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    paths_.push_back(path);
    return path;
  }
  void add_picture(int width, int height) {
    const int seed = static_cast<int>(paths_.size());
    add_file(std::to_string(seed) + ".jpg", image::encode_jpeg(picture(width, height, seed), 90));
  }
  void add_pictures() {
    for (int i = 0; i < 5; ++i) {
      add_picture(300, 200);
      add_picture(120, 333);
      add_picture(64, 48);
    }
  }

  test::TempDir folder_;
  std::vector<std::string> paths_;
};

/// Digits' network behind a resize of the short side and a crop.
ImageClassifier cropping(int batch_size, int threads, bool scaled = false) {
  ImageOptions options;
  options.preprocess.resize = ResizePolicy::short_side_crop;
  options.batch_size = batch_size;
  options.scaled_decoding = scaled;
  options.options.threads = threads;
  return ImageClassifier(MXINFER_SOURCE_DIR "/models/digits", options);
}

/// The same network with transforms of its own.
ImageClassifier transforming(int batch_size, bool scaled = false) {
  namespace t = transforms;
  ModelBuilder builder(MXINFER_SOURCE_DIR "/models/digits");
  builder.transforms({t::resize(32, 32), t::cast(DType::float32), t::transpose({0, 3, 1, 2})});
  ImageOptions options;
  options.batch_size = batch_size;
  options.scaled_decoding = scaled;
  return ImageClassifier(builder.build(), options);
}

void expect_same(const Rows& a, const Rows& b, double tolerance = 0) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].size(), b[i].size()) << i;
    for (std::size_t c = 0; c < a[i].size(); ++c) {
      if (tolerance == 0) {
        EXPECT_EQ(a[i][c].index, b[i][c].index) << i;
      }
      EXPECT_NEAR(a[i][c].score, b[i][c].score, tolerance) << i;
    }
  }
}

/// As a file is decoded for a network of one channel.
Image whole_image(const std::string& path) {
  DecodeOptions options;
  options.color = false;
  return read_image(path, options);
}

/// What the batches of a list are, one call after the other, each image decoded as a whole.
Rows one_after_another(const ImageClassifier& classifier, const std::vector<std::string>& paths,
                       std::size_t batch_size) {
  Rows rows;
  for (std::size_t begin = 0; begin < paths.size(); begin += batch_size) {
    std::vector<Image> images;
    for (std::size_t i = begin; i < std::min(begin + batch_size, paths.size()); ++i)
      images.push_back(whole_image(paths[i]));
    for (auto& row : classifier.classify_batch(images)) rows.push_back(std::move(row));
  }
  return rows;
}

TEST_F(ManyFiles, BatchesSideBySideGiveTheSameBits) {
  add_pictures();
  for (const int threads : {1, 2, 3}) {
    for (const int batch : {1, 4, 15, 100}) {
      const Rows expected = one_after_another(cropping(0, 1), paths_, static_cast<std::size_t>(batch));
      expect_same(cropping(batch, threads).classify_files(paths_), expected);
    }
    expect_same(cropping(0, threads).classify_files(paths_), one_after_another(cropping(0, 1), paths_, 15));
  }
}

TEST_F(ManyFiles, AModelWithTransformsDoesSo) {
  add_pictures();
  for (const int batch : {0, 4}) {
    const Rows expected =
        one_after_another(transforming(0), paths_, static_cast<std::size_t>(batch == 0 ? 15 : batch));
    expect_same(transforming(batch).classify_files(paths_), expected);
  }
}

TEST_F(ManyFiles, ImagesAndBytesRunInBatches) {
  add_pictures();
  std::vector<Image> images;
  std::vector<std::string> files;
  for (const std::string& path : paths_) {
    images.push_back(whole_image(path));
    std::ifstream file(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  const ImageClassifier classifier = cropping(4, 2);
  const Rows expected = one_after_another(cropping(0, 1), paths_, 4);
  expect_same(classifier.classify_batch(images), expected);
  expect_same(classifier.classify_bytes_list(files), expected);
}

TEST_F(ManyFiles, OnlyADamagedFileFails) {
  add_pictures();
  const std::vector<std::string> good = paths_;
  std::vector<std::uint8_t> cut = image::encode_jpeg(picture(300, 200, 1), 90);
  cut.resize(cut.size() / 2);
  const std::string damaged = add_file("damaged.jpg", cut);
  std::vector<std::string> paths = good;
  paths.insert(paths.begin() + 6, damaged);
  paths.insert(paths.begin() + 9, "no such file.jpg");
  for (const int batch : {0, 1, 4}) {
    for (const bool own_transforms : {false, true}) {
      const ImageClassifier classifier = own_transforms ? transforming(batch) : cropping(batch, 2);
      std::vector<ItemError> errors;
      Rows rows = classifier.classify_files(paths, {}, &errors);
      ASSERT_EQ(errors.size(), 2U) << batch;
      EXPECT_EQ(errors[0].item, 6U);
      EXPECT_EQ(errors[0].error.code(), ErrorCode::malformed);
      EXPECT_NE(std::string(errors[0].error.what()).find("damaged.jpg"), std::string::npos);
      EXPECT_EQ(errors[1].item, 9U);
      EXPECT_EQ(errors[1].error.code(), ErrorCode::not_found);
      EXPECT_TRUE(rows[6].empty() && rows[9].empty());
      rows.erase(rows.begin() + 9);
      rows.erase(rows.begin() + 6);
      expect_same(rows, one_after_another(own_transforms ? transforming(0) : cropping(0, 1), good, 15), 1e-5);
      EXPECT_MXINFER_ERROR(classifier.classify_files(paths), ErrorCode::malformed, {"damaged.jpg"});
    }
  }
}

TEST_F(ManyFiles, AListOfWrongFilesHasNoRows) {
  for (const int batch : {0, 1}) {
    std::vector<ItemError> errors;
    const Rows rows = cropping(batch, 2).classify_files({"neither", "nor"}, {}, &errors);
    EXPECT_EQ(errors.size(), 2U);
    EXPECT_TRUE(rows.size() == 2 && rows[0].empty() && rows[1].empty());
  }
  EXPECT_TRUE(cropping(4, 2).classify_files({}).empty());
}

TEST_F(ManyFiles, ScaledDecodingChangesScoresALittle) {
  add_pictures();
  expect_same(cropping(4, 2, true).classify_files(paths_), cropping(4, 2).classify_files(paths_), 0.15);
  expect_same(transforming(4, true).classify_files(paths_), transforming(4).classify_files(paths_), 0.15);
}

TEST_F(ManyFiles, SmallImagesAreNotScaled) {
  // Half of their sides is less than the 37 pixels that the short side becomes.
  for (const Size size : {Size{73, 72}, Size{40, 39}, Size{20, 30}, Size{1, 1}})
    add_picture(size.width, size.height);
  expect_same(cropping(0, 1, true).classify_files(paths_), cropping(0, 1).classify_files(paths_));
}

TEST_F(ManyFiles, ANegativeBatchIsRejected) {
  EXPECT_MXINFER_ERROR(cropping(-1, 1), ErrorCode::invalid_argument, {"ImageOptions::batch_size is -1"});
}

}  // namespace
}  // namespace mxinfer
