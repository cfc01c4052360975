// Vocabularies, tokenizers and word vectors through the C interface, beside C++.
#include <mxinfer/sequence/tokenizer.h>
#include <mxinfer/sequence/vocabulary.h>
#include <mxinfer/sequence/word_vectors.h>

#include <string>
#include <vector>

#include "c_api/c_api_support.h"
#include "support/files/temp_dir.h"

namespace mxinfer_c_tests {
namespace {

const std::string kSentenceWords = MXINFER_SOURCE_DIR "/models/sentences/vocab.json";

Vocabulary sentence_words() {
  Vocabulary vocabulary;
  EXPECT_C_OK(mxinfer_vocabulary_load(kSentenceWords.c_str(), nullptr, Out(vocabulary)));
  return vocabulary;
}

TEST(CVocabulary, GivesWhatCppGives) {
  const Vocabulary vocabulary = sentence_words();
  const mxinfer::Vocabulary same = mxinfer::Vocabulary::load(kSentenceWords);
  ASSERT_EQ(mxinfer_vocabulary_size(vocabulary.get()), same.size());
  for (std::int32_t id = 0; id < static_cast<std::int32_t>(same.size()); ++id) {
    EXPECT_EQ(mxinfer_vocabulary_word(vocabulary.get(), id), same.word(id));
    EXPECT_EQ(mxinfer_vocabulary_find(vocabulary.get(), same.word(id).c_str()), id);
  }
  EXPECT_EQ(mxinfer_vocabulary_word(vocabulary.get(), -1), nullptr);
  EXPECT_EQ(mxinfer_vocabulary_word(vocabulary.get(), static_cast<std::int32_t>(same.size())), nullptr);
  EXPECT_EQ(mxinfer_vocabulary_find(vocabulary.get(), "whale"), -1);
  std::int32_t id = 7;
  ASSERT_C_OK(mxinfer_vocabulary_id(vocabulary.get(), "whale", &id));
  EXPECT_EQ(id, same.unknown_id());
  const char* const words[] = {"cat", "whale", "the"};
  std::int32_t ids[3] = {};
  ASSERT_C_OK(mxinfer_vocabulary_ids(vocabulary.get(), words, 3, ids));
  EXPECT_EQ(std::vector<std::int32_t>(ids, ids + 3), same.ids({"cat", "whale", "the"}));
  EXPECT_EQ(mxinfer_vocabulary_unknown_id(vocabulary.get()), same.unknown_id());
  EXPECT_EQ(mxinfer_vocabulary_padding_id(vocabulary.get()), same.padding_id());
  EXPECT_EQ(mxinfer_vocabulary_begin_id(vocabulary.get()), same.begin_id());
  EXPECT_EQ(mxinfer_vocabulary_end_id(vocabulary.get()), same.end_id());
  Text json;
  ASSERT_C_OK(mxinfer_vocabulary_to_json(vocabulary.get(), Out(json)));
  EXPECT_EQ(json.get(), same.to_json());

  const std::string contents = read_bytes(kSentenceWords);
  Vocabulary parsed;
  ASSERT_C_OK(mxinfer_vocabulary_parse(contents.data(), contents.size(), nullptr, Out(parsed)));
  EXPECT_EQ(mxinfer_vocabulary_size(parsed.get()), same.size());
}

TEST(CVocabulary, IsMadeOfAList) {
  const char* const words[] = {"<unk>", "a", "", "day", "<s>"};
  auto options = sized<mxinfer_vocabulary_options>();
  options.unknown = "<unk>";
  options.begin = "<s>";
  options.end = "day";
  options.padding = "a";
  Vocabulary vocabulary;
  ASSERT_C_OK(mxinfer_vocabulary_create(words, 5, &options, Out(vocabulary)));
  EXPECT_EQ(mxinfer_vocabulary_size(vocabulary.get()), 5U);
  EXPECT_STREQ(mxinfer_vocabulary_word(vocabulary.get(), 2), "");
  EXPECT_EQ(mxinfer_vocabulary_unknown_id(vocabulary.get()), 0);
  EXPECT_EQ(mxinfer_vocabulary_begin_id(vocabulary.get()), 4);
  EXPECT_EQ(mxinfer_vocabulary_end_id(vocabulary.get()), 3);
  EXPECT_EQ(mxinfer_vocabulary_padding_id(vocabulary.get()), 1);
  ASSERT_C_OK(mxinfer_vocabulary_create(words, 2, nullptr, Out(vocabulary)));
  EXPECT_EQ(mxinfer_vocabulary_unknown_id(vocabulary.get()), -1);
  std::int32_t id = 7;
  EXPECT_C_ERROR(mxinfer_vocabulary_id(vocabulary.get(), "whale", &id), MXINFER_INVALID_ARGUMENT, "whale");
  const char* const unknown[] = {"a", "whale"};
  std::int32_t ids[2] = {7, 7};
  EXPECT_C_ERROR(mxinfer_vocabulary_ids(vocabulary.get(), unknown, 2, ids), MXINFER_INVALID_ARGUMENT,
                 "whale");
  EXPECT_EQ(id, 7);
  EXPECT_EQ(ids[0], 7);
}

TEST(CVocabulary, TellsWhatIsWrong) {
  Vocabulary none;
  const char* const twice[] = {"a", "a"};
  const char* const gap[] = {"a", nullptr};
  EXPECT_C_ERROR(mxinfer_vocabulary_create(twice, 2, nullptr, Out(none)), MXINFER_INVALID_ARGUMENT, "a");
  EXPECT_C_ERROR(mxinfer_vocabulary_create(gap, 2, nullptr, Out(none)), MXINFER_INVALID_ARGUMENT, "NULL");
  EXPECT_C_ERROR(mxinfer_vocabulary_load("/nowhere.json", nullptr, Out(none)), MXINFER_NOT_FOUND);
  EXPECT_C_ERROR(mxinfer_vocabulary_parse("", 0, nullptr, Out(none)), MXINFER_MALFORMED);
  EXPECT_C_ERROR(mxinfer_vocabulary_parse(nullptr, 3, nullptr, Out(none)), MXINFER_INVALID_ARGUMENT,
                 "contents");
  auto options = sized<mxinfer_vocabulary_options>();
  options.format = "yaml";
  EXPECT_C_ERROR(mxinfer_vocabulary_parse("a\n", 2, &options, Out(none)), MXINFER_INVALID_ARGUMENT, "yaml",
                 "word_index");
  options.format = "words";
  options.unknown = "nobody";
  EXPECT_C_ERROR(mxinfer_vocabulary_parse("a\n", 2, &options, Out(none)), MXINFER_INVALID_ARGUMENT, "nobody");
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(mxinfer_vocabulary_size(nullptr), 0U);
  EXPECT_EQ(mxinfer_vocabulary_unknown_id(nullptr), -1);
}

Vocabulary pieces() {
  const char* const words[] = {"[UNK]", "una", "##ffa", "##ble", "unaffable", "!", "++ffa", "Una"};
  auto options = sized<mxinfer_vocabulary_options>();
  options.unknown = "[UNK]";
  Vocabulary vocabulary;
  EXPECT_C_OK(mxinfer_vocabulary_create(words, 8, &options, Out(vocabulary)));
  return vocabulary;
}

std::vector<std::string> tokens_of(const Tokenizer& tokenizer, const char* text) {
  Texts tokens;
  EXPECT_C_OK(mxinfer_tokenizer_tokens(tokenizer.get(), text, Out(tokens)));
  EXPECT_EQ(mxinfer_texts_get(tokens.get(), mxinfer_texts_count(tokens.get())), nullptr);
  return texts_of(tokens);
}

using Words = std::vector<std::string>;

TEST(CTokenizer, CutsAsItsKindDoes) {
  const Vocabulary vocabulary = pieces();
  const auto cut = [&](const char* kind, const char* text, const mxinfer_tokenizer_options* options) {
    Tokenizer tokenizer;
    EXPECT_C_OK(mxinfer_tokenizer_create(kind, vocabulary.get(), options, Out(tokenizer)));
    return tokens_of(tokenizer, text);
  };
  auto options = sized<mxinfer_tokenizer_options>();
  EXPECT_EQ(cut("whitespace", "Una  ble!", nullptr), (Words{"Una", "ble!"}));
  EXPECT_EQ(cut("characters", "Un!", nullptr), (Words{"U", "n", "!"}));
  EXPECT_EQ(cut("basic", "Una ble!", nullptr), (Words{"una", "ble", "!"}));
  EXPECT_EQ(cut("wordpiece", "Unaffa !", nullptr), (Words{"una", "##ffa", "!"}));
  options.lower = -1;
  EXPECT_EQ(cut("basic", "Una", &options), (Words{"Una"}));
  EXPECT_EQ(cut("wordpiece", "Unaffa", &options), (Words{"Una", "##ffa"}));
  options.lower = 1;
  EXPECT_EQ(cut("whitespace", "Una", &options), (Words{"una"}));
  options.prefix = "++";
  EXPECT_EQ(cut("wordpiece", "unaffa", &options), (Words{"una", "++ffa"}));
  options.prefix = nullptr;
  options.whitespace_words = 1;
  EXPECT_EQ(cut("wordpiece", "una!", &options), (Words{"[UNK]"}));
  options.whitespace_words = 0;
  options.max_word_length = 4;
  EXPECT_EQ(cut("wordpiece", "unaffable", &options), (Words{"[UNK]"}));
}

TEST(CTokenizer, GivesIdsAndTexts) {
  const Vocabulary vocabulary = pieces();
  Tokenizer tokenizer;
  ASSERT_C_OK(mxinfer_tokenizer_create("wordpiece", vocabulary.get(), nullptr, Out(tokenizer)));
  Ids ids;
  ASSERT_C_OK(mxinfer_tokenizer_ids(tokenizer.get(), "unaffa! whale", Out(ids)));
  EXPECT_EQ(ids_of(ids), (std::vector<std::int32_t>{1, 2, 5, 0}));
  Text text;
  ASSERT_C_OK(mxinfer_tokenizer_text(tokenizer.get(), mxinfer_ids_data(ids.get()), 2, Out(text)));
  EXPECT_STREQ(text.get(), "unaffa");
  ASSERT_C_OK(mxinfer_tokenizer_ids(tokenizer.get(), "", Out(ids)));
  EXPECT_EQ(mxinfer_ids_count(ids.get()), 0U);
  EXPECT_EQ(mxinfer_ids_data(ids.get()), nullptr);
  EXPECT_EQ(mxinfer_vocabulary_find(mxinfer_tokenizer_vocabulary(tokenizer.get()), "una"), 1);
  const std::int32_t beyond = 99;
  EXPECT_C_ERROR(mxinfer_tokenizer_text(tokenizer.get(), &beyond, 1, Out(text)), MXINFER_INVALID_ARGUMENT,
                 "99");
  EXPECT_C_ERROR(mxinfer_tokenizer_text(tokenizer.get(), nullptr, 1, Out(text)), MXINFER_INVALID_ARGUMENT,
                 "ids");
}

TEST(CTokenizer, TellsWhatIsWrong) {
  const Vocabulary vocabulary = pieces();
  Tokenizer none;
  EXPECT_C_ERROR(mxinfer_tokenizer_create("sentencepiece", vocabulary.get(), nullptr, Out(none)),
                 MXINFER_INVALID_ARGUMENT, "sentencepiece", "wordpiece");
  EXPECT_C_ERROR(mxinfer_tokenizer_create(nullptr, vocabulary.get(), nullptr, Out(none)),
                 MXINFER_INVALID_ARGUMENT, "kind");
  EXPECT_C_ERROR(mxinfer_tokenizer_create("wordpiece", nullptr, nullptr, Out(none)),
                 MXINFER_INVALID_ARGUMENT);
  auto options = sized<mxinfer_tokenizer_options>();
  options.lower = 5;
  EXPECT_C_ERROR(mxinfer_tokenizer_create("basic", vocabulary.get(), &options, Out(none)),
                 MXINFER_INVALID_ARGUMENT, "lower is 5");
  options = sized<mxinfer_tokenizer_options>();
  options.prefix = "##";
  EXPECT_C_ERROR(mxinfer_tokenizer_create("basic", vocabulary.get(), &options, Out(none)),
                 MXINFER_INVALID_ARGUMENT, "prefix");
  EXPECT_NE(mxinfer_tokenizer_sentencepiece("/nowhere.model", Out(none)), MXINFER_OK);
  EXPECT_NE(mxinfer_tokenizer_sentencepiece_bytes("text", 4, Out(none)), MXINFER_OK);
  EXPECT_C_ERROR(mxinfer_tokenizer_sentencepiece_bytes(nullptr, 4, Out(none)), MXINFER_INVALID_ARGUMENT,
                 "model");
  EXPECT_EQ(none, nullptr);

  Tokenizer without_words;
  ASSERT_C_OK(mxinfer_tokenizer_create("whitespace", nullptr, nullptr, Out(without_words)));
  EXPECT_EQ(tokens_of(without_words, "a b"), (Words{"a", "b"}));
  Ids ids;
  EXPECT_C_ERROR(mxinfer_tokenizer_ids(without_words.get(), "a", Out(ids)), MXINFER_INVALID_ARGUMENT);
  Texts texts;
  EXPECT_C_ERROR(mxinfer_tokenizer_tokens(without_words.get(), "\xff", Out(texts)), MXINFER_INVALID_ARGUMENT,
                 "UTF-8");
}

constexpr const char* kVectors =
    "king 1 0.1 0\nqueen 1 0.9 0\nman 0.1 0 1\nwoman 0.1 0.8 1\nking 5 5 5\nfish -1 0 0.3\n";

class CWordVectors : public testing::Test {
 protected:
  CWordVectors() {
    EXPECT_C_OK(mxinfer_word_vectors_parse(contents_.data(), contents_.size(), nullptr, Out(vectors_)));
  }
  void expect_near(const NearWords& found, const std::vector<mxinfer::NearWord>& expected) const {
    ASSERT_EQ(mxinfer_near_words_count(found.get()), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      auto word = sized<mxinfer_near_word>();
      ASSERT_C_OK(mxinfer_near_words_get(found.get(), i, &word));
      EXPECT_EQ(word.word, expected[i].word);
      EXPECT_EQ(word.score, expected[i].score);
      EXPECT_EQ(word.id, expected[i].id);
    }
  }

  std::string contents_ = kVectors;
  mxinfer::WordVectors same_ = mxinfer::WordVectors::parse(contents_);
  WordVectors vectors_;
};

TEST_F(CWordVectors, HoldWhatCppHolds) {
  EXPECT_EQ(mxinfer_word_vectors_dimensions(vectors_.get()), 3);
  EXPECT_EQ(mxinfer_word_vectors_skipped(vectors_.get()), same_.skipped());
  EXPECT_EQ(mxinfer_vocabulary_find(mxinfer_word_vectors_vocabulary(vectors_.get()), "man"),
            same_.vocabulary().find("man"));
  auto matrix = sized<mxinfer_tensor>();
  ASSERT_C_OK(mxinfer_word_vectors_matrix(vectors_.get(), &matrix));
  EXPECT_EQ(shape_of(matrix), (std::vector<std::int64_t>{same_.matrix().shape()[0], 3}));
  EXPECT_EQ(floats_of(matrix)[4], 0.9F);
  const float* vector = nullptr;
  ASSERT_C_OK(mxinfer_word_vectors_vector(vectors_.get(), "woman", &vector));
  EXPECT_EQ(vector[1], 0.8F);
  ASSERT_C_OK(mxinfer_word_vectors_vector_of_id(vectors_.get(), 0, &vector));
  EXPECT_EQ(vector[0], 1);
  const std::int32_t ids[] = {2, 0};
  const char* const words[] = {"man", "king"};
  Tensors by_id, by_word;
  ASSERT_C_OK(mxinfer_word_vectors_rows(vectors_.get(), ids, 2, Out(by_id)));
  ASSERT_C_OK(mxinfer_word_vectors_rows_of_words(vectors_.get(), words, 2, Out(by_word)));
  EXPECT_EQ(floats_of(tensor_at(by_id, 0)), (std::vector<float>{0.1F, 0, 1, 1, 0.1F, 0}));
  EXPECT_EQ(floats_of(tensor_at(by_word, 0)), floats_of(tensor_at(by_id, 0)));
  EXPECT_STREQ(tensor_at(by_id, 0).name, "");
}

TEST_F(CWordVectors, FindTheWordsThatCppFinds) {
  float alike = 0;
  ASSERT_C_OK(mxinfer_word_vectors_similarity(vectors_.get(), "king", "queen", &alike));
  EXPECT_EQ(alike, same_.similarity("king", "queen"));
  NearWords found;
  ASSERT_C_OK(mxinfer_word_vectors_nearest(vectors_.get(), "king", 3, nullptr, Out(found)));
  expect_near(found, same_.nearest("king", 3));
  ASSERT_C_OK(mxinfer_word_vectors_analogy(vectors_.get(), "man", "king", "woman", 1, nullptr, Out(found)));
  expect_near(found, same_.analogy("man", "king", "woman", 1));
  const float any[] = {0.2F, 0.3F, 1};
  ASSERT_C_OK(mxinfer_word_vectors_nearest_to_vector(vectors_.get(), any, 3, 2, nullptr, Out(found)));
  expect_near(found, same_.nearest(any, 2));
  auto options = sized<mxinfer_nearest_options>();
  const float least = 0.5F;
  options.min_score = &least;
  options.first = 3;
  options.include_given = 1;
  ASSERT_C_OK(mxinfer_word_vectors_nearest(vectors_.get(), "king", 9, &options, Out(found)));
  mxinfer::NearestOptions expected;
  expected.min_score = least;
  expected.first = 3;
  expected.include_given = true;
  expect_near(found, same_.nearest("king", 9, expected));

  EXPECT_C_ERROR(mxinfer_word_vectors_similarity(vectors_.get(), "kin", "queen", &alike), MXINFER_NOT_FOUND,
                 "kin");
  EXPECT_C_ERROR(mxinfer_word_vectors_nearest(vectors_.get(), "king", 0, nullptr, Out(found)),
                 MXINFER_INVALID_ARGUMENT);
  EXPECT_C_ERROR(mxinfer_word_vectors_nearest_to_vector(vectors_.get(), any, 2, 2, nullptr, Out(found)),
                 MXINFER_INVALID_ARGUMENT);
  auto word = sized<mxinfer_near_word>();
  EXPECT_C_ERROR(mxinfer_near_words_get(found.get(), 99, &word), MXINFER_INVALID_ARGUMENT, "word 99");
  const float* vector = nullptr;
  EXPECT_C_ERROR(mxinfer_word_vectors_vector(vectors_.get(), "whale", &vector), MXINFER_INVALID_ARGUMENT,
                 "whale");
  EXPECT_C_ERROR(mxinfer_word_vectors_vector_of_id(vectors_.get(), 99, &vector), MXINFER_INVALID_ARGUMENT);
  EXPECT_EQ(vector, nullptr);
}

TEST_F(CWordVectors, AreMadeOfAMatrixAndOfFiles) {
  const char* const words[] = {"a", "b"};
  Vocabulary vocabulary;
  ASSERT_C_OK(mxinfer_vocabulary_create(words, 2, nullptr, Out(vocabulary)));
  const std::vector<float> values = {1, 0, 0, 1};
  const std::vector<std::int64_t> shape = {2, 2};
  mxinfer_tensor matrix = tensor_of(values.data(), shape);
  WordVectors made, none;
  ASSERT_C_OK(mxinfer_word_vectors_create(vocabulary.get(), &matrix, 1, Out(made)));
  vocabulary.reset();
  float alike = 1;
  ASSERT_C_OK(mxinfer_word_vectors_similarity(made.get(), "a", "b", &alike));
  EXPECT_EQ(alike, 0);
  matrix.rank = 1;
  EXPECT_C_ERROR(
      mxinfer_word_vectors_create(mxinfer_word_vectors_vocabulary(made.get()), &matrix, 1, Out(none)),
      MXINFER_INVALID_ARGUMENT);

  const mxinfer::test::TempDir dir;
  auto options = sized<mxinfer_word_vectors_options>();
  options.format = "text";
  options.unknown = "fish";
  options.threads = 1;
  ASSERT_C_OK(mxinfer_word_vectors_load(dir.write("words.txt", kVectors).c_str(), &options, Out(made)));
  const float* vector = nullptr;
  ASSERT_C_OK(mxinfer_word_vectors_vector(made.get(), "whale", &vector));
  EXPECT_EQ(vector[0], -1);
  EXPECT_C_ERROR(mxinfer_word_vectors_load("/nowhere.txt", nullptr, Out(none)), MXINFER_NOT_FOUND);
  EXPECT_C_ERROR(mxinfer_word_vectors_parse("king one", 8, nullptr, Out(none)), MXINFER_MALFORMED);
  options.format = "csv";
  EXPECT_C_ERROR(mxinfer_word_vectors_parse("king 1", 6, &options, Out(none)), MXINFER_INVALID_ARGUMENT,
                 "csv", "word2vec");
  EXPECT_EQ(none, nullptr);
}

}  // namespace
}  // namespace mxinfer_c_tests
