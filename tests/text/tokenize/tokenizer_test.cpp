#include <gtest/gtest.h>
#include <mxinfer/sequence/tokenizer.h>

#include <string>
#include <vector>

#include "support/expect_error.h"

namespace mxinfer {
namespace {

using Tokens = std::vector<std::string>;
using Ids = std::vector<std::int32_t>;

Vocabulary vocabulary_of(std::vector<std::string> words) {
  VocabularyOptions options;
  options.unknown = "[UNK]";
  options.padding = "[PAD]";
  options.begin = "[CLS]";
  options.end = "[SEP]";
  words.insert(words.begin(), {"[UNK]", "[PAD]", "[CLS]", "[SEP]"});
  return Vocabulary(std::move(words), options);
}

TEST(Tokenizer, CutsAtWhiteSpace) {
  const auto tokenizer = Tokenizer::whitespace(vocabulary_of({"a", "pleasant", "day"}));
  EXPECT_EQ(tokenizer.tokens(" a  Pleasant\tday\n"), (Tokens{"a", "Pleasant", "day"}));
  EXPECT_EQ(tokenizer.ids("a pleasant night"), (Ids{4, 5, 0}));
  EXPECT_EQ(Tokenizer::whitespace(vocabulary_of({"a"}), true).ids("A"), (Ids{4}));
  EXPECT_EQ(tokenizer.ids(""), Ids{});
}

TEST(Tokenizer, CutsIntoCharacters) {
  const auto tokenizer = Tokenizer::characters(vocabulary_of({"a", "\u00e9", " "}), true);
  EXPECT_EQ(tokenizer.tokens("A \u00c9"), (Tokens{"a", " ", "\u00e9"}));
  EXPECT_EQ(tokenizer.ids("A \u00c9x"), (Ids{4, 6, 5, 0}));
  EXPECT_EQ(tokenizer.text(Ids{4, 6, 5, 4}), "a \u00e9a");
}

TEST(Tokenizer, CutsAsBert) {
  const auto vocabulary = vocabulary_of({"una", "##ffa", "##ble", "!", "ete"});
  EXPECT_EQ(Tokenizer::basic(vocabulary).tokens("Unaffable!"), (Tokens{"unaffable", "!"}));
  EXPECT_EQ(Tokenizer::basic(vocabulary).ids("\u00c9t\u00e9!"), (Ids{8, 7}));
  const auto tokenizer = Tokenizer::wordpiece(vocabulary);
  EXPECT_EQ(tokenizer.tokens("Unaffable!"), (Tokens{"una", "##ffa", "##ble", "!"}));
  EXPECT_EQ(tokenizer.ids("Unaffable! x"), (Ids{4, 5, 6, 7, 0}));
  WordPieceOptions options;
  options.lower = false;
  EXPECT_EQ(Tokenizer::wordpiece(vocabulary, options).tokens("Una una!"), (Tokens{"[UNK]", "una", "!"}));
  options.basic = false;
  EXPECT_EQ(Tokenizer::wordpiece(vocabulary, options).tokens("una una!"), (Tokens{"una", "[UNK]"}));
  options.lower = true;
  EXPECT_EQ(Tokenizer::wordpiece(vocabulary, options).tokens("UNA \u00c9TE"), (Tokens{"una", "[UNK]"}));
}

TEST(Tokenizer, GivesTheTextOfIds) {
  const auto tokenizer = Tokenizer::wordpiece(vocabulary_of({"una", "##ffa", "##ble", "day"}));
  EXPECT_EQ(tokenizer.text(Ids{2, 4, 5, 6, 7, 0, 3, 1, 1}), "unaffable day [UNK]");
  EXPECT_EQ(tokenizer.text(Ids{5, 6}), "##ffable") << "a piece without the word before it stays as it is";
  EXPECT_EQ(tokenizer.text(Ids{}), "");
  EXPECT_MXINFER_ERROR(tokenizer.text(Ids{99}), ErrorCode::invalid_argument, {"99"});
}

TEST(Tokenizer, NeedsAVocabularyForIds) {
  EXPECT_EQ(Tokenizer::whitespace().tokens("a b"), (Tokens{"a", "b"}));
  EXPECT_MXINFER_ERROR(Tokenizer::whitespace().ids("a b"), ErrorCode::invalid_argument, {"no vocabulary"});
  EXPECT_MXINFER_ERROR(Tokenizer::whitespace().ids(""), ErrorCode::invalid_argument, {"no vocabulary"});
  EXPECT_MXINFER_ERROR(Tokenizer::characters(Vocabulary({"a"})).ids("ab"), ErrorCode::invalid_argument,
                       {"unknown token"});
  EXPECT_EQ(Tokenizer::characters(Vocabulary({"a"})).ids("aa"), (Ids{0, 0}));
  EXPECT_MXINFER_ERROR(Tokenizer::wordpiece(Vocabulary({"a"})), ErrorCode::invalid_argument,
                       {"unknown token"});
  EXPECT_MXINFER_ERROR(Tokenizer::whitespace().transforms(), ErrorCode::invalid_argument, {"no vocabulary"});
}

TEST(Tokenizer, SaysWhereATextIsNotUtf8) {
  for (const auto& tokenizer :
       {Tokenizer::whitespace(), Tokenizer::characters(), Tokenizer::basic(), Tokenizer::whitespace({}, true),
        Tokenizer::wordpiece(vocabulary_of({"a"}))}) {
    EXPECT_MXINFER_ERROR(tokenizer.tokens("abc\xff"), ErrorCode::invalid_argument, {"byte 3 of 4"});
  }
}

TEST(Tokenizer, ListsItsSteps) {
  const auto vocabulary = vocabulary_of({"a"});
  const auto lowered = Tokenizer::characters(vocabulary, true).transforms();
  ASSERT_EQ(lowered.size(), 2u);
  EXPECT_EQ(lowered[0].op, "lower");
  EXPECT_EQ(lowered[1].op, "token_ids");
  EXPECT_EQ(lowered[1].attrs.at("by"), "characters");
  EXPECT_EQ(Vocabulary::parse(lowered[1].attrs.at("vocabulary")).size(), vocabulary.size());
  const auto plain = Tokenizer::whitespace(vocabulary).transforms();
  ASSERT_EQ(plain.size(), 1u);
  EXPECT_EQ(plain[0].attrs.at("by"), "whitespace");
  WordPieceOptions options;
  options.lower = false;
  options.max_word_length = 100;
  const auto pieces = Tokenizer::wordpiece(vocabulary, options).transforms();
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].op, "basic_tokenize");
  EXPECT_EQ(pieces[0].attrs.at("lower"), "False");
  EXPECT_EQ(pieces[1].op, "wordpiece");
  EXPECT_EQ(pieces[1].attrs.at("max_word_length"), "100");
  EXPECT_EQ(pieces[1].attrs.at("prefix"), "##");
}

}  // namespace
}  // namespace mxinfer
