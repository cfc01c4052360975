// Many threads ask one WordVectors at once, from the first question on, which computes the lengths.
#include <gtest/gtest.h>
#include <mxinfer/sequence/word_vectors.h>

#include <string>
#include <thread>
#include <vector>

namespace mxinfer {
namespace {

WordVectors make_vectors(int threads) {
  constexpr int kWords = 5000, kDimensions = 16;
  std::vector<std::string> words;
  Tensor matrix(DType::float32, {kWords, kDimensions});
  unsigned state = 1;
  for (int i = 0; i < kWords; ++i) words.push_back("w" + std::to_string(i));
  for (int i = 0; i < kWords * kDimensions; ++i) {
    state = state * 1664525U + 1013904223U;
    matrix.data<float>()[i] = static_cast<float>(state >> 16) / 32768.0f - 1.0f;
  }
  return WordVectors(Vocabulary(words), std::move(matrix), threads);
}

bool same(const std::vector<NearWord>& a, const std::vector<NearWord>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].word != b[i].word || a[i].score != b[i].score || a[i].id != b[i].id) return false;
  }
  return true;
}

TEST(WordVectorsThreads, AnswerAllAlike) {
  const std::vector<NearWord> expected = make_vectors(1).nearest("w7", 20);
  const WordVectors vectors = make_vectors(3);
  std::vector<char> right(8, 0);
  std::vector<std::thread> callers;
  for (std::size_t i = 0; i < right.size(); ++i) {
    callers.emplace_back([&, i] {
      const WordVectors copy = vectors;
      right[i] = 1;
      for (int call = 0; call < 5; ++call) {
        if (!same(copy.nearest("w7", 20), expected)) right[i] = 0;
        (void)copy.similarity("w1", "w2");
        (void)copy.vocabulary().find("w" + std::to_string(call));
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const char one : right) EXPECT_EQ(one, 1);
}

}  // namespace
}  // namespace mxinfer
