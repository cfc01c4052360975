// WordVectors: files of every kind, look-ups, neighbours and analogies.
#include <gtest/gtest.h>
#include <mxinfer/sequence/word_vectors.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "formats/arrays/npz.h"
#include "formats/arrays/write_params.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "tensor/npy.h"
#include "text/words/word_vectors_access.h"

namespace mxinfer {
namespace {

using test::TempDir;
using Words = std::vector<std::string>;

const char kText[] =
    "<unk> 0 0 0\n"
    "man 1 0 0.1\n"
    "king 1 1 0\n"
    "woman 0 0 1\n"
    "queen 0.1 1 1\n"
    "apple -1 0.2 -0.3\n"
    "prince 1 0.9 0.1\n";

WordVectors of_text(const std::string& text = kText, const WordVectorsOptions& options = {}) {
  return WordVectors::parse(text, options);
}

Words words_of(const std::vector<NearWord>& near) {
  Words words;
  for (const NearWord& one : near) words.push_back(one.word);
  return words;
}

/// Rows 0, 1, 2, ... of three numbers.
Tensor numbers(std::int64_t rows, std::int64_t columns = 3) {
  Tensor matrix(DType::float32, {rows, columns});
  for (std::int64_t i = 0; i < matrix.elements(); ++i) matrix.data<float>()[i] = static_cast<float>(i) / 4;
  return matrix;
}

void expect_numbers(const WordVectors& vectors, std::int64_t rows, std::int64_t columns = 3) {
  const Tensor expected = numbers(rows, columns);
  ASSERT_EQ(vectors.matrix().shape(), expected.shape());
  EXPECT_EQ(std::memcmp(vectors.matrix().raw(), expected.raw(), expected.bytes()), 0);
}

WordVectorsOptions with_words(const Words& words) {
  WordVectorsOptions options;
  options.vocabulary = Vocabulary(words);
  return options;
}

TEST(WordVectors, HaveWordsAndRows) {
  const WordVectors vectors = of_text();
  EXPECT_EQ(vectors.vocabulary().size(), 7u);
  EXPECT_EQ(vectors.dimensions(), 3);
  EXPECT_EQ(vectors.matrix().shape(), (Shape{7, 3}));
  const Span<const float> king = vectors.vector("king");
  EXPECT_EQ(std::vector<float>(king.begin(), king.end()), (std::vector<float>{1, 1, 0}));
  EXPECT_EQ(vectors.vector(2).data(), king.data());
  const Tensor rows = vectors.rows(vectors.vocabulary().ids({"king", "man", "king"}));
  EXPECT_EQ(rows.shape(), (Shape{3, 3}));
  EXPECT_EQ(rows.data<float>()[5], 0.1f);
  EXPECT_EQ(rows.data<float>()[7], 1.0f);
  EXPECT_EQ(vectors.rows(Words{}).shape(), (Shape{0, 3}));
  EXPECT_MXINFER_ERROR(vectors.vector(7), ErrorCode::invalid_argument, {"there is no vector with the id 7"});
  EXPECT_MXINFER_ERROR(vectors.vector(-1), ErrorCode::invalid_argument, {"-1"});
  EXPECT_MXINFER_ERROR(vectors.vector("night"), ErrorCode::invalid_argument, {"\"night\""});
}

TEST(WordVectors, TheUnknownTokenStandsForOtherWords) {
  WordVectorsOptions options;
  options.unknown = "<unk>";
  const WordVectors vectors = of_text(kText, options);
  EXPECT_EQ(vectors.vector("night").data(), vectors.vector(0).data());
  EXPECT_MXINFER_ERROR(vectors.similarity("night", "king"), ErrorCode::not_found, {"\"night\""});
  options.unknown = "[UNK]";
  EXPECT_MXINFER_ERROR(of_text(kText, options), ErrorCode::invalid_argument, {"[UNK]"});
}

TEST(WordVectors, AreComparedByCosines) {
  const WordVectors vectors = of_text();
  EXPECT_NEAR(vectors.similarity("man", "king"), 1 / std::sqrt(1.01 * 2), 1e-6);
  EXPECT_NEAR(vectors.similarity("king", "king"), 1, 1e-6);
  EXPECT_EQ(vectors.similarity("king", "<unk>"), 0.0f);
  EXPECT_LT(vectors.similarity("apple", "man"), -0.9f);
}

TEST(WordVectors, AreComparedWhateverTheirLengths) {
  for (const char* length : {"1e-43", "1e-20", "1", "2e19", "1e38"}) {
    const std::string one(length);
    const WordVectors vectors = of_text("a " + one + " 0\nb " + one + " " + one + "\nc 0 " + one + "\n");
    EXPECT_NEAR(vectors.similarity("a", "b"), std::sqrt(0.5), 1e-6) << one;
    EXPECT_EQ(words_of(vectors.nearest("a", 3)), (Words{"b", "c"})) << one;
    NearestOptions with_given;
    with_given.include_given = true;
    const std::vector<NearWord> by_word = vectors.nearest("b", 3, with_given);
    const std::vector<NearWord> by_vector = vectors.nearest(vectors.vector("b"), 3);
    EXPECT_EQ(words_of(by_word), (Words{"b", "a", "c"})) << one;
    EXPECT_EQ(words_of(by_vector), words_of(by_word)) << one;
    EXPECT_NEAR(by_word[1].score, by_vector[1].score, 1e-6) << one;
  }
}

TEST(WordVectors, NearestWordsAreBestFirstWithoutTheWord) {
  const WordVectors vectors = of_text();
  EXPECT_EQ(words_of(vectors.nearest("king", 2)), (Words{"prince", "man"}));
  // Zeros are near to nothing.
  EXPECT_EQ(vectors.nearest("king", 100).size(), 5u);
  EXPECT_TRUE(vectors.nearest("<unk>", 3).empty());
  NearestOptions options;
  options.include_given = true;
  EXPECT_EQ(words_of(vectors.nearest("king", 1, options)), Words{"king"});
  options.first = 6;
  EXPECT_EQ(words_of(vectors.nearest("king", 2, options)), (Words{"king", "man"}));
  options.min_score = 0.99f;
  EXPECT_EQ(words_of(vectors.nearest("king", 9, options)), Words{"king"});
  const std::vector<float> up = {0, 1, 0};
  const std::vector<NearWord> near = vectors.nearest(up, 1);
  EXPECT_EQ(near[0].word, "king");
  EXPECT_EQ(near[0].id, 2);
  EXPECT_NEAR(near[0].score, std::sqrt(0.5), 1e-6);
}

TEST(WordVectors, AnalogiesLeaveOutTheThreeWords) {
  const WordVectors vectors = of_text();
  EXPECT_EQ(words_of(vectors.analogy("man", "king", "woman", 1)), Words{"queen"});
  for (const NearWord& one : vectors.analogy("man", "king", "woman", 100)) {
    EXPECT_NE(one.word, "man");
    EXPECT_NE(one.word, "king");
    EXPECT_NE(one.word, "woman");
  }
}

TEST(WordVectors, SayWhatIsWrongWithAQuestion) {
  const WordVectors vectors = of_text();
  EXPECT_MXINFER_ERROR(vectors.nearest("kign", 3), ErrorCode::not_found, {"did you mean 'king'?"});
  EXPECT_MXINFER_ERROR(vectors.nearest("", 3), ErrorCode::not_found, {"\"\""});
  EXPECT_MXINFER_ERROR(vectors.nearest("king", 0), ErrorCode::invalid_argument, {"k is 0"});
  EXPECT_MXINFER_ERROR(vectors.analogy("man", "king", "womna", 3), ErrorCode::not_found, {"'woman'"});
  EXPECT_MXINFER_ERROR(vectors.nearest(std::vector<float>{1, 2}, 1), ErrorCode::invalid_argument,
                       {"expected 3 finite ones"});
  EXPECT_MXINFER_ERROR(vectors.nearest(std::vector<float>{1, 2, NAN}, 1), ErrorCode::invalid_argument,
                       {"not all finite"});
}

TEST(WordVectors, OfAMatrixOfTheCallers) {
  const WordVectors vectors(Vocabulary({"a", "b"}), numbers(3));
  expect_numbers(vectors, 3);
  // A row without a word is not among the answers.
  EXPECT_EQ(vectors.nearest(std::vector<float>{1, 1, 1}, 9).size(), 2u);
  EXPECT_MXINFER_ERROR(WordVectors(Vocabulary({"a", "b"}), numbers(1)), ErrorCode::invalid_argument,
                       {"the vocabulary has 2 words, the matrix 1 rows"});
  EXPECT_MXINFER_ERROR(WordVectors(Vocabulary({"a"}), Tensor(DType::float64, {1, 2})),
                       ErrorCode::invalid_argument, {"float64"});
  EXPECT_MXINFER_ERROR(WordVectors(Vocabulary({"a"}), Tensor(DType::float32, {2})),
                       ErrorCode::invalid_argument, {"(2,)"});
}

TEST(WordVectors, OfFilesOfText) {
  const TempDir dir;
  dir.write("vectors.txt", "\xef\xbb\xbf" + std::string(kText) + "king 5 5 5\n");
  const WordVectors vectors = WordVectors::load(dir / "vectors.txt");
  EXPECT_EQ(vectors.vocabulary().find("<unk>"), 0);
  EXPECT_EQ(vectors.skipped(), 1u);
  EXPECT_EQ(vectors.vector("king")[0], 1.0f);
  EXPECT_MXINFER_ERROR(WordVectors::load(dir / "none.txt"), ErrorCode::not_found, {"none.txt"});
  dir.write("empty.txt", "");
  EXPECT_MXINFER_ERROR(WordVectors::load(dir / "empty.txt"), ErrorCode::malformed, {"is empty"});
  dir.write("bad.txt", "a 1 2\nb 1\n");
  EXPECT_MXINFER_ERROR(WordVectors::load(dir / "bad.txt"), ErrorCode::malformed, {"bad.txt › line 2"});
  dir.write("page.txt", "<!DOCTYPE html><p>");
  EXPECT_MXINFER_ERROR(WordVectors::load(dir / "page.txt"), ErrorCode::malformed, {"web page"});
  dir.write("vocab.json", "{\"idx_to_token\": [\"a\"]}");
  EXPECT_MXINFER_ERROR(WordVectors::load(dir / "vocab.json"), ErrorCode::malformed, {"perhaps a vocabulary"});
  dir.write("bytes.bin", std::string("\x01\x02\x03\0abc", 7));
  EXPECT_MXINFER_ERROR(WordVectors::load(dir / "bytes.bin"), ErrorCode::malformed, {"expected text"});
}

TEST(WordVectors, OfWord2VecsBinaryForm) {
  std::string bytes = "2 3\n";
  const Tensor matrix = numbers(2);
  for (const char* word : {"the", "of"}) {
    bytes += std::string(word) + ' ';
    bytes.append(static_cast<const char*>(matrix.raw()) + (word[0] == 't' ? 0 : 12), 12);
    bytes += '\n';
  }
  const WordVectors vectors = of_text(bytes);
  EXPECT_EQ(vectors.vocabulary().find("of"), 1);
  expect_numbers(vectors, 2);
}

TEST(WordVectors, OfANpyFileAreMapped) {
  const TempDir dir;
  save_npy(dir / "e.npy", numbers(4));
  const WordVectors vectors = WordVectors::load(dir / "e.npy", with_words({"a", "b", "c"}));
  expect_numbers(vectors, 4);
  EXPECT_FALSE(WordVectorsAccess::parameter(vectors)->in_memory());
  // Once it is open the file may go.
  std::remove((dir / "e.npy").c_str());
  expect_numbers(vectors, 4);
  EXPECT_EQ(std::memcmp(WordVectorsAccess::parameter(vectors)->value()->raw(), vectors.matrix().raw(), 48),
            0);
}

TEST(WordVectors, TheParameterOfAGraphLivesByItself) {
  const TempDir dir;
  save_npy(dir / "e.npy", numbers(4));
  std::shared_ptr<const Parameter> parameter;
  {
    const WordVectors vectors = WordVectors::load(dir / "e.npy", with_words({"a"}));
    parameter = WordVectorsAccess::parameter(vectors);
  }
  EXPECT_EQ(parameter->shape(), (Shape{4, 3}));
  EXPECT_EQ(std::memcmp(parameter->value()->raw(), numbers(4).raw(), 48), 0);
}

TEST(WordVectors, OfANpyFileMayBeRead) {
  const TempDir dir;
  save_npy(dir / "e.npy", numbers(4));
  WordVectorsOptions options = with_words({"a", "b", "c"});
  options.read_at_once = true;
  const WordVectors vectors = WordVectors::load(dir / "e.npy", options);
  expect_numbers(vectors, 4);
  const auto parameter = WordVectorsAccess::parameter(vectors);
  ASSERT_TRUE(parameter->in_memory());
  EXPECT_EQ(parameter->value()->raw(), vectors.matrix().raw());
}

TEST(WordVectors, OfOtherFloatsBecomeFloat32) {
  const TempDir dir;
  Tensor wide(DType::float64, {2, 3});
  for (int i = 0; i < 6; ++i) wide.data<double>()[i] = i / 4.0;
  save_npy(dir / "e.npy", wide);
  expect_numbers(WordVectors::load(dir / "e.npy", with_words({"a"})), 2);
  save_npy(dir / "i.npy", Tensor(DType::int32, {2, 3}));
  EXPECT_MXINFER_ERROR(WordVectors::load(dir / "i.npy", with_words({"a"})), ErrorCode::invalid_argument,
                       {"int32"});
  save_npy(dir / "one.npy", Tensor(DType::float32, {6}));
  EXPECT_MXINFER_ERROR(WordVectors::load(dir / "one.npy", with_words({"a"})), ErrorCode::invalid_argument,
                       {"(6,)"});
  save_npy(dir / "none.npy", Tensor(DType::float32, {0, 3}));
  EXPECT_MXINFER_ERROR(WordVectors::load(dir / "none.npy", with_words({"a"})), ErrorCode::invalid_argument,
                       {"the matrix 0 rows"});
}

TEST(WordVectors, OfACutNpyFileAreRefused) {
  const TempDir dir;
  const std::vector<std::byte> bytes = write_npy(numbers(4));
  write_file(dir / "e.npy", Span<const std::byte>(bytes).subspan(0, bytes.size() - 4));
  EXPECT_MXINFER_ERROR(WordVectors::load(dir / "e.npy", with_words({"a"})), ErrorCode::malformed,
                       {"44 follow"});
}

/// A file with the arrays "arg:embedding0_weight" (of `rows` rows), "arg:fc_weight" and "arg:fc_bias".
std::string params_file(const TempDir& dir, std::int64_t rows, std::int64_t columns = 3) {
  const Tensor embedding = numbers(rows, columns), weight(DType::float32, {2, 3}), bias(DType::float32, {2});
  const std::string path = dir / "model-0000.params";
  formats::write_params(path, {{"arg:fc_bias", bias.view()},
                               {"arg:embedding0_weight", embedding.view()},
                               {"arg:fc_weight", weight.view()}});
  return path;
}

TEST(WordVectors, OfAParamsFileByTheNameOfTheArray) {
  const TempDir dir;
  WordVectorsOptions options = with_words({"a", "b"});
  const std::string path = params_file(dir, 5);
  EXPECT_MXINFER_ERROR(WordVectors::load(path, options), ErrorCode::invalid_argument, {"has 2 matrices"});
  options.array = "embeding0_weight";
  EXPECT_MXINFER_ERROR(WordVectors::load(path, options), ErrorCode::invalid_argument,
                       {"did you mean 'embedding0_weight'?"});
  options.array = "fc_bias";
  EXPECT_MXINFER_ERROR(WordVectors::load(path, options), ErrorCode::invalid_argument, {"(2,)"});
  options.array = "arg:embedding0_weight";
  expect_numbers(WordVectors::load(path, options), 5);
  options.array = "embedding0_weight";
  expect_numbers(WordVectors::load(path, options), 5);
  options.vocabulary.reset();
  EXPECT_MXINFER_ERROR(WordVectors::load(path, options), ErrorCode::invalid_argument,
                       {"WordVectorsOptions::vocabulary"});
}

TEST(WordVectors, OfALargeArrayOfAParamsFileAreMapped) {
  const TempDir dir;
  WordVectorsOptions options = with_words({"a", "b"});
  options.array = "embedding0_weight";
  const WordVectors vectors = WordVectors::load(params_file(dir, 3000, 50), options);
  expect_numbers(vectors, 3000, 50);
  EXPECT_FALSE(WordVectorsAccess::parameter(vectors)->in_memory());
  options.read_at_once = true;
  const WordVectors read = WordVectors::load(params_file(dir, 3000, 50), options);
  expect_numbers(read, 3000, 50);
  EXPECT_TRUE(WordVectorsAccess::parameter(read)->in_memory());
}

TEST(WordVectors, OfFilesWithWordsTakeNoOthers) {
  EXPECT_MXINFER_ERROR(of_text(kText, with_words({"a"})), ErrorCode::invalid_argument, {"its own words"});
  WordVectorsOptions options;
  options.array = "weight";
  EXPECT_MXINFER_ERROR(of_text(kText, options), ErrorCode::invalid_argument, {"not a .params file"});
  options = {};
  options.threads = -1;
  EXPECT_MXINFER_ERROR(of_text(kText, options), ErrorCode::invalid_argument, {"threads is -1"});
}

TEST(WordVectors, OfAnArchiveThatIsNotGluonNlps) {
  const TempDir dir;
  formats::save_npz(dir / "e.npz", {{"weight", numbers(2).view()}});
  EXPECT_MXINFER_ERROR(WordVectors::load(dir / "e.npz"), ErrorCode::malformed, {"idx_to_token.npy"});
  EXPECT_MXINFER_ERROR(WordVectors::load(dir / "e.npz"), ErrorCode::malformed, {"weight.npy"});
}

}  // namespace
}  // namespace mxinfer
