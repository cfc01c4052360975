// The operators that texts have to themselves: from text to text, and from text to ids.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include "base/utf8.h"
#include "ops/text/text_rows.h"
#include "ops/text/vocabulary_attr.h"
#include "support/expect_error.h"
#include "support/files/text_rows.h"
#include "support/run_op.h"
#include "text/tokenize/tokenize.h"

namespace mxinfer {
namespace {

using test::run_op;
using test::text_tensor;
using Ids = std::vector<std::int32_t>;
using Words = std::vector<std::string>;

Ids row_of(const Tensor& ids, std::int64_t row) {
  const std::int64_t width = ids.shape()[1];
  const std::int32_t* begin = ids.data<std::int32_t>() + row * width;
  return {begin, begin + width};
}

Ids all_of(const Tensor& numbers) {
  const auto span = numbers.span<std::int32_t>();
  return {span.begin(), span.end()};
}

TEST(LowerText, RowsOfAnyAlphabet) {
  const Tensor rows = text_tensor({"Hello WORLD", "ÄÖÜ ß", "ΣΑΣ", "", "\xC4\xB0"}, 12);
  const auto out = run_op("_mxinfer_lower_text", {}, {&rows});
  EXPECT_EQ(out[0].shape(), (Shape{5, 24}));
  EXPECT_EQ(test::texts_of(out[0]), (Words{"hello world", "äöü ß", "σας", "", "i\xCC\x87"}));
}

TEST(LowerText, WhatGrowsMostHasRoom) {
  // Each of these has more bytes in lower case, and fills its row.
  for (const char* character : {"\xC4\xB0", "\xC8\xBA", "\xC8\xBE"}) {
    std::string text;
    for (int i = 0; i < 50; ++i) text += character;
    const Tensor rows = text_tensor({text}, text.size());
    EXPECT_EQ(test::texts_of(run_op("_mxinfer_lower_text", {}, {&rows})[0])[0].size(), 150u);
  }
}

TEST(BasicTokenize, PartsWordsPunctuationAndCjk) {
  const Tensor rows = text_tensor({"Hello, Wörld!", "  a\tb ", "日本", ""}, 16);
  const auto out = run_op("_mxinfer_basic_tokenize", {{"lower", "True"}}, {&rows});
  EXPECT_EQ(out[0].shape(), (Shape{4, 48}));
  EXPECT_EQ(test::texts_of(out[0]), (Words{"hello , world !", "a b", "日 本", ""}));
  EXPECT_EQ(test::texts_of(run_op("_mxinfer_basic_tokenize", {{"lower", "False"}}, {&rows})[0])[0],
            "Hello , World !");
}

TEST(BasicTokenize, EveryCharacterOfUnicodeHasRoom) {
  // A row of one character repeated: what becomes of none of them is longer than three times the row.
  for (std::uint32_t code = 1; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string character;
    append_utf8(code, character);
    const std::string text = character + character + character;
    ASSERT_LE(text::basic_tokenize(text, true).size(), 3 * text.size()) << code;
    ASSERT_LE(text::basic_tokenize(text, false).size(), 3 * text.size()) << code;
    ASSERT_LE(text::lower(text).size(), 2 * text.size()) << code;
  }
}

TEST(TokenIds, WordsAndTheUnknownOne) {
  const Tensor rows = text_tensor({"the cat", "a the the", "", "cat"}, 10);
  const auto out = run_op(
      "_mxinfer_token_ids",
      {{"vocabulary", R"(["<unk>", "the", "cat"])"}, {"unknown", "<unk>"}, {"max_length", "4"}}, {&rows});
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(row_of(out[0], 0), (Ids{1, 2, 0, 0}));
  EXPECT_EQ(row_of(out[0], 1), (Ids{0, 1, 1, 0}));
  EXPECT_EQ(all_of(out[1]), (Ids{2, 3, 0, 1}));
}

TEST(TokenIds, CharactersCutAtEitherSide) {
  const Tensor rows = text_tensor({"äbä b"}, 10);
  const std::map<std::string, std::string> attrs = {
      {"vocabulary", R"([" ", "b", "ä"])"}, {"by", "characters"}, {"max_length", "3"}};
  EXPECT_EQ(row_of(run_op("_mxinfer_token_ids", attrs, {&rows})[0], 0), (Ids{2, 1, 2}));
  auto left = attrs;
  left["truncate_side"] = "left";
  const auto out = run_op("_mxinfer_token_ids", left, {&rows});
  EXPECT_EQ(row_of(out[0], 0), (Ids{2, 0, 1}));
  EXPECT_EQ(all_of(out[1]), (Ids{3}));
}

TEST(TokenIds, TheErrorNamesTheFirstRow) {
  Words texts(500, "the");
  texts[77] = texts[400] = "cat";
  const Tensor rows = text_tensor(texts, 5);
  const std::map<std::string, std::string> attrs = {{"vocabulary", R"(["the"])"}, {"max_length", "4"}};
  for (int threads : {1, 2}) {
    test::RunOpOptions options;
    options.threads = threads;
    EXPECT_MXINFER_ERROR(run_op("_mxinfer_token_ids", attrs, {&rows}, options), ErrorCode::invalid_argument,
                         {"row 77", "cat"});
  }
  texts[77] = "th\xFF";
  const Tensor wrong = text_tensor(texts, 5);
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_token_ids", attrs, {&wrong}), ErrorCode::invalid_argument,
                       {"row 77", "2"});
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_lower_text", {}, {&wrong}), ErrorCode::invalid_argument, {"row 77"});
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_basic_tokenize", {}, {&wrong}), ErrorCode::invalid_argument,
                       {"row 77"});
}

TEST(WordPieceOp, LongestPiecesFirst) {
  const Tensor rows = text_tensor({"unaffable", "un able", "xyz"}, 10);
  const auto out = run_op("_mxinfer_wordpiece",
                          {{"vocabulary", R"(["[UNK]", "un", "##aff", "##able", "able"])"},
                           {"unknown", "[UNK]"},
                           {"max_length", "5"}},
                          {&rows});
  EXPECT_EQ(row_of(out[0], 0), (Ids{1, 2, 3, 0, 0}));
  EXPECT_EQ(row_of(out[0], 1), (Ids{1, 4, 0, 0, 0}));
  EXPECT_EQ(all_of(out[1]), (Ids{3, 2, 1}));
}

TEST(TextIds, RefuseWhatIsNoVocabulary) {
  const Tensor rows = text_tensor({"a"}, 3);
  const auto with = [&](const std::string& vocabulary) {
    return run_op("_mxinfer_token_ids", {{"vocabulary", vocabulary}, {"max_length", "4"}}, {&rows});
  };
  EXPECT_MXINFER_ERROR(with("nonsense"), ErrorCode::malformed, {"vocabulary", "list of words"});
  EXPECT_MXINFER_ERROR(with("[\"a\", 3]"), ErrorCode::malformed, {"word 1", "number"});
  EXPECT_MXINFER_ERROR(with("{\"a\""), ErrorCode::malformed, {"vocabulary"});
  EXPECT_MXINFER_ERROR(with("[\"a\", \"a\"]"), ErrorCode::malformed, {"\"a\" appears twice", "0 and 1"});
  EXPECT_MXINFER_ERROR(with("[\"a\""), ErrorCode::malformed, {"vocabulary", "line 1"});
  EXPECT_MXINFER_ERROR(with("[[\"a\"]]"), ErrorCode::malformed, {"nested more than 1"});
  EXPECT_MXINFER_ERROR(with("[" + std::string(100'000, '[')), ErrorCode::malformed, {"nested more than 1"});
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_token_ids",
                              {{"vocabulary", "[\"a\"]"}, {"unknown", "b"}, {"max_length", "4"}}, {&rows}),
                       ErrorCode::invalid_argument, {"b"});
  EXPECT_MXINFER_ERROR(
      run_op("_mxinfer_wordpiece", {{"vocabulary", "[\"a\"]"}, {"max_length", "4"}}, {&rows}),
      ErrorCode::invalid_argument, {"unknown"});
  for (const char* model : {"", "AAAA", "A", "====", "not base64!"}) {
    EXPECT_THROW(run_op("_mxinfer_sentencepiece", {{"model", model}, {"max_length", "4"}}, {&rows}), Error)
        << model;
  }
}

TEST(TextIds, RefuseLengthsThatAreNone) {
  const Tensor rows = text_tensor({"a"}, 3);
  for (const char* length : {"0", "-1", "1048577", "99999999999999999999", "None"}) {
    EXPECT_MXINFER_ERROR(
        run_op("_mxinfer_token_ids", {{"vocabulary", "[\"a\"]"}, {"max_length", length}}, {&rows}),
        ErrorCode::malformed, {"max_length"});
  }
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_token_ids", {{"vocabulary", "[\"a\"]"}}, {&rows}),
                       ErrorCode::malformed, {"max_length"});
  for (const char* length : {"0", "4097", "2147483647"}) {
    const std::map<std::string, std::string> attrs = {
        {"vocabulary", "[\"a\"]"}, {"unknown", "a"}, {"max_length", "4"}, {"max_word_length", length}};
    EXPECT_MXINFER_ERROR(run_op("_mxinfer_wordpiece", attrs, {&rows}), ErrorCode::malformed,
                         {"max_word_length", length});
  }
  const Tensor numbers(DType::float32, {2, 3}), flat(DType::uint8, {3});
  for (const Tensor* wrong : {&numbers, &flat}) {
    EXPECT_MXINFER_ERROR(run_op("_mxinfer_lower_text", {}, {wrong}), ErrorCode::invalid_argument,
                         {"uint8 (N, bytes)"});
  }
}

TEST(TextIds, WhatIsMadeOfAVocabularyIsSharedAndReleased) {
  const std::size_t before = ops::shared_tokenizers();
  int made = 0;
  const auto make = [&]() -> ops::AppendIds {
    ++made;
    return [](std::string_view, std::vector<std::int32_t>&) {};
  };
  auto first = ops::shared_tokenizer("a key of this test", make);
  const auto second = ops::shared_tokenizer("a key of this test", make);
  EXPECT_EQ(first, second);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(ops::shared_tokenizers(), before + 1);
  { const auto gone = ops::shared_tokenizer("another key of this test", make); }
  EXPECT_EQ(ops::shared_tokenizers(), before + 1);
  EXPECT_THROW(ops::shared_tokenizer("a third key",
                                     []() -> ops::AppendIds { throw Error(ErrorCode::malformed, "no"); }),
               Error);
  EXPECT_EQ(ops::shared_tokenizers(), before + 1);
}

TEST(VocabularyAttr, IsAListIfThatSaysAll) {
  VocabularyOptions options;
  options.unknown = "b";
  const Vocabulary plain({"a", "b", "ä\"\n"}, options);
  EXPECT_EQ(ops::vocabulary_attr(plain)[0], '[');
  EXPECT_EQ(ops::unknown_token(plain), "b");
  const Vocabulary again = ops::parse_vocabulary_attr(ops::vocabulary_attr(plain), "b");
  EXPECT_EQ(again.size(), 3u);
  EXPECT_EQ(again.find("ä\"\n"), 2);
  EXPECT_EQ(again.unknown_id(), 1);
  const Vocabulary json = ops::parse_vocabulary_attr(plain.to_json(), "");
  EXPECT_EQ(json.unknown_id(), 1);
  EXPECT_EQ(ops::vocabulary_attr(ops::parse_vocabulary_attr(R"({"a": 0, "b": 3})", "")),
            R"(["a","","","b"])");
}

TEST(VocabularyAttr, HasNoListOfNearlyNothing) {
  const Vocabulary far = ops::parse_vocabulary_attr(R"({"a": 0, "b": 16777215})", "");
  EXPECT_MXINFER_ERROR(ops::vocabulary_attr(far), ErrorCode::invalid_argument, {"renumber the words"});
}

}  // namespace
}  // namespace mxinfer
