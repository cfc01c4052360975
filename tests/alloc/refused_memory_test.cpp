// Memory that is refused anywhere inside of a public function leaves it as an Error, and what was made before
// goes on. Every call is repeated with its first, second, third ... allocation refused. Not calls that read
// or write JSON: the destructor of nlohmann's lists and objects allocates, and ends the process where that is
// refused.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <functional>
#include <string>

#include "alloc/counting_malloc.h"
#include "base/files/file.h"

#if MXINFER_COUNTS_ALLOCATIONS
namespace mxinfer {
namespace {

const std::string kModel = std::string(MXINFER_SOURCE_DIR) + "/models/digits";
const std::string kImage = std::string(MXINFER_SOURCE_DIR) + "/examples/images/seven.jpg";

// All of the first allocations, then fewer and fewer: what comes later is asked for by the same code.
long after(long n) {
  return n < 400 ? n + 1 : n + n / 40;
}

void refuse_each(const char* what, const std::function<void()>& call) {
  call();
  long refused = 0, others = 0;
  for (long n = 0;; n = after(n)) {
    test::refuse_allocation(n);
    try {
      call();
    } catch (const Error& error) {
      test::refuse_allocation(-1);
      ++refused;
      // A file that could not be read for want of memory may be called unreadable.
      if (error.code() != ErrorCode::out_of_memory && others++ < 3) {
        std::printf("%s, allocation %ld: %s: %s\n", what, n, to_string(error.code()), error.what());
      }
      EXPECT_NE(error.code(), ErrorCode::internal) << what << ", allocation " << n << ": " << error.what();
    } catch (const std::exception& other) {
      test::refuse_allocation(-1);
      ADD_FAILURE() << what << ", allocation " << n << ", threw " << other.what();
    }
    const bool done = !test::was_refused();
    test::refuse_allocation(-1);
    if (done) break;
  }
  EXPECT_GT(refused, 0) << what;
}

TEST(RefusedMemory, ReadingLabelsGivesAnError) {
  const std::string labels = kModel + "/synset.txt";
  refuse_each("load_labels", [&] { (void)load_labels(labels); });
}

TEST(RefusedMemory, PredictingGivesAnErrorAndTheNextCallWorks) {
  const auto model = Model::load(kModel);
  const std::vector<float> sample(32 * 32, 100.0f);
  const Options one{.threads = 1};
  refuse_each("new predictor", [&] {
    const Predictor predictor(model, one);
    (void)predictor.predict_flat<float>({Span<const float>(sample)});
  });
  const Classifier classifier(model, ClassifierOptions{.options = one});
  const auto expected = classifier.classify(Span<const float>(sample))[0].score;
  refuse_each("classify", [&] { (void)classifier.classify(Span<const float>(sample), 3); });
  refuse_each("warmup", [&] { classifier.warmup(); });
  refuse_each("explain", [&] { (void)to_string(classifier.explain()); });
  refuse_each("output_shapes", [&] { (void)classifier.output_shapes(); });
  EXPECT_EQ(classifier.classify(Span<const float>(sample))[0].score, expected);
}

TEST(RefusedMemory, LoadingAndOptimisingGivesAnError) {
  const Options one{.threads = 1};
  refuse_each("load and optimise", [&] { const Predictor predictor(Model::load(kModel), one); });
}

TEST(RefusedMemory, SequencesGiveAnErrorAndSessionsStayAsTheyAre) {
  const Model model = Model::load(std::string(MXINFER_SOURCE_DIR) + "/tests/golden/sequences/language_model");
  SequenceOptions options;
  options.options.threads = 1;
  refuse_each("new sequence predictor", [&] {
    // What is refused must not make another network of it.
    EXPECT_TRUE(SequencePredictor(model, options).buckets().empty());
  });
  const SequencePredictor predictor(model, options);
  const std::vector<std::vector<std::int32_t>> sequences = {{1, 2, 3}, {4}, {5, 6, 7}};
  refuse_each("predict_sequences", [&] { (void)predictor.predict_sequences(sequences); });
  Session session = predictor.session(), other = predictor.session();
  refuse_each("copy a session", [&] { (void)Session(session); });
  // As many steps are done as did not throw: the states are those of so many.
  int steps = 0;
  refuse_each("step", [&] {
    (void)session.step(7);
    ++steps;
  });
  for (int i = 0; i < steps; ++i) (void)other.step(7);
  EXPECT_EQ(session.step(2)[0].span<float>()[0], other.step(2)[0].span<float>()[0]);
}

TEST(RefusedMemory, ClassifyingImagesGivesAnError) {
  ImageOptions options;
  options.options.threads = 1;
  const ImageClassifier classifier(kModel, options);
  refuse_each("new image classifier", [&] { const ImageClassifier other(classifier.model(), options); });
  refuse_each("classify_file", [&] { (void)classifier.classify_file(kImage, 2); });
  const std::vector<std::byte> bytes = read_file(kImage);
  refuse_each("classify_bytes", [&] { (void)classifier.classify_bytes(bytes, 2); });
  refuse_each("read_image", [&] { (void)resize_image(read_image(kImage), 20, 20); });
}

}  // namespace
}  // namespace mxinfer
#endif
