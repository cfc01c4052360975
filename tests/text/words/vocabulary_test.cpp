#include <gtest/gtest.h>
#include <mxinfer/error.h>
#include <mxinfer/sequence/vocabulary.h>

#include <string>
#include <vector>

#include "text/error_in.h"

namespace mxinfer {
namespace {

using Ids = std::vector<std::int32_t>;
using Words = std::vector<std::string>;
using test::error_in;

Vocabulary parse(const std::string& text, VocabularyFormat format = VocabularyFormat::automatic) {
  VocabularyOptions options;
  options.format = format;
  return Vocabulary::parse(text, options);
}

/// "malformed: line 3: ..."
std::string vocabulary_error(const std::string& text, VocabularyFormat format = VocabularyFormat::automatic) {
  try {
    parse(text, format);
  } catch (const Error& e) {
    return std::string(to_string(e.code())) + ": " + e.what();
  }
  return "";
}

Words all_words(const Vocabulary& vocabulary) {
  Words words;
  for (std::size_t id = 0; id < vocabulary.size(); ++id)
    words.push_back(vocabulary.word(static_cast<std::int32_t>(id)));
  return words;
}

TEST(Vocabulary, IsEmptyWithoutWords) {
  const Vocabulary none;
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(none.find("a"));
  EXPECT_FALSE(none.find(""));
  EXPECT_EQ(error_in([&] { (void)none.word(0); }),
            "invalid_argument: the vocabulary is empty and has no word with the id 0");
  EXPECT_NE(error_in([&] { (void)none.id("a"); }), "");
}

TEST(Vocabulary, FindsWordsAndIds) {
  VocabularyOptions options;
  options.unknown = "<unk>";
  options.end = "day";
  const Vocabulary vocabulary({"<unk>", "a", "pleasant", "day", "Straße"}, options);
  EXPECT_EQ(vocabulary.size(), 5U);
  EXPECT_EQ(vocabulary.ids({"a", "pleasant", "night", "Straße"}), (Ids{1, 2, 0, 4}));
  EXPECT_EQ(vocabulary.words(Ids{3, 0, 3}), (Words{"day", "<unk>", "day"}));
  EXPECT_FALSE(vocabulary.find("night"));
  EXPECT_EQ(vocabulary.unknown_id(), 0);
  EXPECT_EQ(vocabulary.end_id(), 3);
  EXPECT_FALSE(vocabulary.begin_id());
  EXPECT_EQ(error_in([&] { (void)vocabulary.word(5); }),
            "invalid_argument: there is no word with the id 5; ids are 0 to 4");
  EXPECT_NE(error_in([&] { (void)vocabulary.word(-1); }), "");
}

TEST(Vocabulary, OfManyWordsFindsEach) {
  Words words;
  for (int i = 0; i < 50'000; ++i) words.push_back("w" + std::to_string(i));
  const Vocabulary vocabulary(words);
  for (int i = 0; i < 50'000; ++i) ASSERT_EQ(vocabulary.find(words[static_cast<std::size_t>(i)]), i);
  EXPECT_FALSE(vocabulary.find("w50000"));
}

TEST(Vocabulary, RefusesWordsThatAreNone) {
  EXPECT_EQ(error_in([] {
              Vocabulary({"a", "b", "a"});
            }),
            "invalid_argument: the word \"a\" appears twice, with the ids 0 and 2; a word has one id");
  EXPECT_EQ(error_in([] {
              Vocabulary({"a", "\xff"});
            }),
            "invalid_argument: the word \"\\xff\", with the id 1, is not UTF-8; save the words as UTF-8");
  VocabularyOptions options;
  options.padding = "<pad>";
  EXPECT_EQ(error_in([&] { Vocabulary({"a"}, options); }),
            "invalid_argument: the padding token \"<pad>\" is not one of the 1 words");
  EXPECT_NE(error_in([] { Vocabulary({std::string(65'537, 'a')}); }), "");
  EXPECT_EQ(error_in([] { Vocabulary({std::string(65'536, 'a')}); }), "");
}

TEST(Vocabulary, AnEmptyWordHasAnIdAndIsNotFound) {
  const Vocabulary vocabulary({"", "a", ""});
  EXPECT_EQ(vocabulary.size(), 3U);
  EXPECT_FALSE(vocabulary.find(""));
  EXPECT_EQ(vocabulary.word(2), "");
}

TEST(Vocabulary, ReadsOneWordALine) {
  EXPECT_EQ(all_words(parse("[PAD]\n[UNK]\nthe\n##s\n")), (Words{"[PAD]", "[UNK]", "the", "##s"}));
  EXPECT_EQ(all_words(parse("\xef\xbb\xbfthe\r\nof\r\n")), (Words{"the", "of"}));
  EXPECT_EQ(all_words(parse("the\nof")), (Words{"the", "of"}));
  EXPECT_EQ(all_words(parse("New York\nof\n")), (Words{"New York", "of"}));
  // Characters, one of them a space and one a tab.
  EXPECT_EQ(all_words(parse("a\n \n\t\nb\n")), (Words{"a", " ", "\t", "b"}));
  EXPECT_EQ(all_words(parse("{\n\"\nb\n")), (Words{"{", "\"", "b"}));
  EXPECT_EQ(all_words(parse("1\n2\n")), (Words{"1", "2"}));
}

TEST(Vocabulary, AnEmptyLineKeepsItsId) {
  const Vocabulary vocabulary = parse("the\n\nof\n\n\n");
  EXPECT_EQ(vocabulary.size(), 3U);
  EXPECT_EQ(vocabulary.find("of"), 2);
  EXPECT_EQ(vocabulary.word(1), "");
}

TEST(Vocabulary, ReadsWordsAndIds) {
  EXPECT_EQ(all_words(parse("of 1\nthe 0\n")), (Words{"the", "of"}));
  EXPECT_EQ(all_words(parse("of\t1\r\nNew York\t0\r\n\r\n")), (Words{"New York", "of"}));
  EXPECT_EQ(all_words(parse("New York 1\nof 0\n")), (Words{"of", "New York"}));
  EXPECT_EQ(all_words(parse("0 the\n1 of\n")), (Words{"the", "of"}));
  // Numbers as words: what stands last is the id.
  EXPECT_EQ(all_words(parse("1984 1\n2001 0\n")), (Words{"2001", "1984"}));
}

TEST(Vocabulary, IdsMayHaveGapsAndCostNoMemory) {
  const Vocabulary vocabulary = parse("the 3\nof 16777215\n");
  EXPECT_EQ(vocabulary.size(), 16'777'216U);
  EXPECT_EQ(vocabulary.word(0), "");
  EXPECT_EQ(vocabulary.word(3), "the");
  EXPECT_EQ(vocabulary.word(4), "");
  EXPECT_EQ(vocabulary.word(16'777'215), "of");
  EXPECT_EQ(vocabulary.find("of"), 16'777'215);
}

TEST(Vocabulary, SaysWhatIsWrongWithIds) {
  EXPECT_EQ(vocabulary_error("the 0\nof 2147483648\n"),
            "malformed: line 2: the id 2147483648 is not one of 0 to 16777215");
  EXPECT_EQ(vocabulary_error("the -1\n"), "malformed: line 1: the id -1 is not one of 0 to 16777215");
  EXPECT_EQ(vocabulary_error("the 7\nof 8\n\na 7\n"),
            "malformed: line 4: the word \"a\" has the id 7, which is that of \"the\" in line 1; each word "
            "needs an id of its own (are these counts?)");
  EXPECT_EQ(vocabulary_error("a 0\nb 1\na 2\n"),
            "malformed: the word \"a\" appears twice, with the ids 0 and 2; a word has one id");
  EXPECT_EQ(vocabulary_error("the 0\nof\n", VocabularyFormat::word_index),
            "malformed: line 2: expected a word and its id with a space or a tab between them, got \"of\"");
  EXPECT_EQ(vocabulary_error("the 99999999999999999999999\nof 1\n", VocabularyFormat::word_index),
            "malformed: line 1: expected a word and its id with a space or a tab between them, got \"the "
            "99999999999999999999999\"");
}

TEST(Vocabulary, SaysWhatAFileIsThatIsNone) {
  EXPECT_NE(vocabulary_error("the 0.418 0.24968\nof 0.70853 0.57088\n").find("WordVectors::load"),
            std::string::npos);
  EXPECT_NE(vocabulary_error("\xe2\x96\x81the\t-3.5\nof\t-4.25\n").find("SentencePiece"), std::string::npos);
  EXPECT_NE(vocabulary_error("the\tof\n").find("VocabularyOptions::format"), std::string::npos);
  EXPECT_NE(vocabulary_error("<!DOCTYPE html>").find("a web page"), std::string::npos);
  EXPECT_NE(vocabulary_error("").find("no word"), std::string::npos);
  EXPECT_NE(vocabulary_error("\n\n").find("no word"), std::string::npos);
  EXPECT_NE(vocabulary_error("\xef\xbb\xbf").find("no word"), std::string::npos);
  EXPECT_NE(vocabulary_error("a\n\xc3\x28\n").find("not UTF-8"), std::string::npos);
  EXPECT_EQ(vocabulary_error("the 0.418 0.24968\n", VocabularyFormat::words), "");
}

TEST(Vocabulary, ReadsGluonNlp) {
  const Vocabulary vocabulary = parse(
      R"({"idx_to_token": ["<unk>", "<pad>", "<bos>", "<eos>", "c", "ü"],
          "token_to_idx": {"<unk>": 0, "<pad>": 1, "<bos>": 2, "<eos>": 3, "c": 4, "ü": 5},
          "reserved_tokens": ["<pad>", "<bos>", "<eos>"], "unknown_token": "<unk>",
          "identifiers_to_tokens": {"padding_token": "<pad>", "bos_token": "<bos>", "eos_token": null}})");
  EXPECT_EQ(vocabulary.unknown_id(), 0);
  EXPECT_EQ(vocabulary.padding_id(), 1);
  EXPECT_EQ(vocabulary.begin_id(), 2);
  EXPECT_FALSE(vocabulary.end_id());
  EXPECT_EQ(vocabulary.id("ü"), 5);
  EXPECT_EQ(all_words(Vocabulary::parse(vocabulary.to_json())), all_words(vocabulary));
}

TEST(Vocabulary, ReadsWhatOlderGluonNlpWrote) {
  // Special tokens beside the words; one word for two purposes, found at the second.
  const Vocabulary vocabulary = parse(
      R"({"idx_to_token": ["<unk>", "<eos>", "<eos>", "a"], "token_to_idx": {"<unk>": 0, "<eos>": 2, "a": 3},
          "reserved_tokens": ["<eos>"], "unknown_token": "<unk>", "padding_token": "<eos>", "bos_token": null,
          "eos_token": "<eos>"})");
  EXPECT_EQ(vocabulary.size(), 4U);
  EXPECT_EQ(vocabulary.find("<eos>"), 2);
  EXPECT_EQ(vocabulary.padding_id(), 2);
  EXPECT_EQ(vocabulary.word(1), "<eos>");
  const Vocabulary again = Vocabulary::parse(vocabulary.to_json());
  EXPECT_EQ(again.find("<eos>"), 2);
  EXPECT_EQ(again.word(1), "<eos>");
}

TEST(Vocabulary, ReadsAnObjectOfIds) {
  EXPECT_EQ(all_words(parse(R"({"of": 1, "the": 0})")), (Words{"the", "of"}));
  EXPECT_EQ(vocabulary_error(R"({"of": 1, "the": 1})"),
            "malformed: the words \"of\" and \"the\" both have the id 1");
  EXPECT_NE(vocabulary_error(R"({"of": 2147483648})"), "");
  EXPECT_NE(vocabulary_error(R"({"of": -1})"), "");
}

TEST(Vocabulary, SaysWhatIsWrongInJson) {
  EXPECT_NE(vocabulary_error("{}").find("idx_to_token"), std::string::npos);
  EXPECT_NE(vocabulary_error(R"({"idx_to_token": ["a", 5]})").find("word 1 of \"idx_to_token\""),
            std::string::npos);
  EXPECT_NE(vocabulary_error(R"({"idx_to_token": ["a", "a"]})").find("appears twice"), std::string::npos);
  EXPECT_NE(vocabulary_error(R"({"idx_to_token": ["a", "b"], "token_to_idx": {"a": 1, "b": 0}})"), "");
  // Words that are missing in "token_to_idx" are neither found nor may they be there twice.
  EXPECT_EQ(vocabulary_error(R"({"idx_to_token": ["a", "b", "b"], "token_to_idx": {"a": 0}})"),
            "malformed: \"token_to_idx\" › \"b\" is missing; it is the word 1 of \"idx_to_token\"");
  EXPECT_EQ(vocabulary_error(R"({"idx_to_token": ["a", "b", ""], "token_to_idx": {"a": 0}})"),
            "malformed: \"token_to_idx\" › \"b\" is missing; it is the word 1 of \"idx_to_token\"");
  EXPECT_EQ(vocabulary_error(R"({"idx_to_token": ["a", "", "b", ""], "token_to_idx": {"b": 2, "a": 0}})"),
            "");
  EXPECT_EQ(vocabulary_error(R"({"idx_to_token": ["a", "b"], "token_to_idx": {}})"), "");
  EXPECT_NE(vocabulary_error(R"({"idx_to_token": ["a", "a"], "token_to_idx": {}})").find("appears twice"),
            std::string::npos);
  EXPECT_NE(vocabulary_error(R"({"idx_to_token": ["a"], "token_to_idx": {"a": 9999999999}})"), "");
  EXPECT_NE(vocabulary_error(R"({"idx_to_token": ["a"], "unknown_token": "<unk>"})")
                .find("malformed: the unknown token \"<unk>\""),
            std::string::npos);
  EXPECT_NE(vocabulary_error("{\"idx_to_token\": [\"a\"", VocabularyFormat::gluonnlp_json).find("line 1"),
            std::string::npos);
  EXPECT_NE(vocabulary_error("[1]", VocabularyFormat::gluonnlp_json), "");
}

TEST(Vocabulary, WritesGapsAndOtherSpecialTokens) {
  const Vocabulary gaps = Vocabulary::parse(parse("the 1\nof 3\n").to_json());
  EXPECT_EQ(gaps.size(), 4U);
  EXPECT_EQ(gaps.find("of"), 3);
  EXPECT_FALSE(gaps.find(""));
  EXPECT_NE(error_in([] { (void)parse("the 1\nof 16777215\n").to_json(); }).find("renumber the words"),
            std::string::npos);
  const std::string bert =
      R"({"idx_to_token": ["[UNK]", "[MASK]"], "identifiers_to_tokens": {"mask_token": "[MASK]"}})";
  EXPECT_NE(parse(bert).to_json().find("\"mask_token\":\"[MASK]\""), std::string::npos);
}

TEST(Vocabulary, OptionsGoBeforeTheFile) {
  VocabularyOptions options;
  options.unknown = "a";
  const Vocabulary vocabulary = Vocabulary::parse(
      std::string(R"({"idx_to_token": ["<unk>", "a"], "unknown_token": "<unk>"})"), options);
  EXPECT_EQ(vocabulary.unknown_id(), 1);
}

}  // namespace
}  // namespace mxinfer
