// Models from bytes that the caller has: in memory, or behind a ByteSource.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file.h"
#include "support/expect_error.h"
#include "support/networks/digits.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::kDigits;

class Bytes : public ByteSource {
 public:
  explicit Bytes(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  std::int64_t size() const override { return static_cast<std::int64_t>(bytes_.size()); }
  void read(std::int64_t offset, Span<std::byte> to) const override {
    ++reads;
    std::memcpy(to.data(), bytes_.data() + offset, to.size());
  }
  mutable std::atomic<int> reads{0};

 private:
  std::vector<std::byte> bytes_;
};

std::shared_ptr<Bytes> file(const std::string& path) {
  return std::make_shared<Bytes>(read_file(path));
}

class Failing : public ByteSource {
 public:
  explicit Failing(bool with_error) : with_error_(with_error) {}
  std::int64_t size() const override { return 100; }
  void read(std::int64_t, Span<std::byte>) const override {
    if (with_error_) throw Error(ErrorCode::network, "the host is gone");
    throw std::runtime_error("no such row");
  }

 private:
  bool with_error_;
};

ModelSources digits_sources() {
  ModelSources sources{file(kDigits + "/digits-symbol.json"), file(kDigits + "/digits-0000.params")};
  sources.name = "row 7";
  return sources;
}

Tensor run(const Model& model) {
  const Tensor input = test::random_tensor({1, 1, 32, 32}, 5, 0.0f, 255.0f);
  return std::move(Predictor(model).predict({input})[0]);
}

TEST(ModelSources, GiveWhatFilesGive) {
  ModelSources sources = digits_sources();
  const std::string names = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n";
  const auto* text = reinterpret_cast<const std::byte*>(names.data());
  sources.labels = std::make_shared<Bytes>(std::vector<std::byte>(text, text + names.size()));
  const Model model = Model::load(sources);
  EXPECT_EQ(model.name(), "row 7");
  EXPECT_EQ(model.labels().at(9), "j");
  EXPECT_EQ(test::relative_difference(run(model), run(Model::load(kDigits))), 0);
}

TEST(ModelSources, ParametersAreReadAtOnceWhereAsked) {
  ModelSources sources = digits_sources();
  const auto params = file(kDigits + "/digits-0000.params");
  sources.params = params;
  LoadOptions options;
  options.read_weights_at_once = true;
  const Model model = Model::load(sources, options);
  const int reads = params->reads;
  EXPECT_GT(reads, 0);
  (void)run(model);
  EXPECT_EQ(params->reads, reads);
}

TEST(ModelSources, WhatTheyThrowIsAnError) {
  ModelSources sources = digits_sources();
  sources.params = std::make_shared<Failing>(true);
  EXPECT_MXINFER_ERROR(Model::load(sources), ErrorCode::network, {"row 7 (params)", "the host is gone"});
  sources.params = std::make_shared<Failing>(false);
  EXPECT_MXINFER_ERROR(Model::load(sources), ErrorCode::malformed,
                       {"row 7 (params)", "ByteSource", "no such row"});
  sources.symbol = nullptr;
  EXPECT_MXINFER_ERROR(Model::load(sources), ErrorCode::invalid_argument,
                       {"'row 7'", "no symbol", "null pointer"});
}

TEST(LoadArchive, FromMemory) {
  const std::vector<std::byte> bundle = read_file(kDigits + ".mxz");
  const ImageClassifier classifier(Model::load_archive(bundle));
  const std::string image = MXINFER_SOURCE_DIR "/tests/golden/image/420.jpg";
  EXPECT_EQ(classifier.classify_file(image, 1)[0].score,
            ImageClassifier(kDigits + ".mxz").classify_file(image, 1)[0].score);
  EXPECT_MXINFER_ERROR(Model::load_archive(std::string("no archive")), ErrorCode::unsupported,
                       {"(memory)", "not a zip"});
}

}  // namespace
}  // namespace mxinfer
