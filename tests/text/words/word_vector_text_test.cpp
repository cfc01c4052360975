#include "text/words/word_vector_text.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/fail.h"
#include "text/error_in.h"

namespace mxinfer::text {
namespace {

using Words = std::vector<std::string>;
using Numbers = std::vector<float>;
using test::error_in;
using namespace std::string_literals;

Numbers numbers(const WordRows& rows) {
  const auto span = rows.matrix.span<float>();
  return {span.begin(), span.end()};
}

std::string vector_lines_error(const std::string& text) {
  return error_in([&] { return read_vector_lines(text); });
}

/// A word of word2vec's binary form.
std::string record(const std::string& word, const Numbers& vector, const char* end) {
  std::string bytes = word + ' ';
  bytes.append(reinterpret_cast<const char*>(vector.data()), vector.size() * sizeof(float));
  return bytes + end;
}

TEST(WordVectorText, OfLinesWithoutAHeader) {
  const WordRows rows = read_vector_lines("king 0.5 -0.7\nqueen 4e-1 +.25\n");
  EXPECT_EQ(rows.words, (Words{"king", "queen"}));
  EXPECT_EQ(rows.matrix.shape(), (Shape{2, 2}));
  EXPECT_EQ(numbers(rows), (Numbers{0.5f, -0.7f, 0.4f, 0.25f}));
  EXPECT_EQ(rows.skipped, 0u);
}

TEST(WordVectorText, OfLinesWithAHeader) {
  const WordRows rows = read_vector_lines("2 3\r\n</s> 1 2 3 \r\nthe\t4\t5\t6\r\n\r\n");
  EXPECT_EQ(rows.words, (Words{"</s>", "the"}));
  EXPECT_EQ(numbers(rows), (Numbers{1, 2, 3, 4, 5, 6}));
}

TEST(WordVectorText, WordsMayBeNumbersOrHaveSpaces) {
  const WordRows rows = read_vector_lines("a 1 2\n1984 3 4\n. . 5 6\nat 7 8 9\n");
  EXPECT_EQ(rows.words, (Words{"a", "1984", ". .", "at 7"}));
  EXPECT_EQ(numbers(rows), (Numbers{1, 2, 3, 4, 5, 6, 8, 9}));
}

TEST(WordVectorText, TheFirstVectorOfAWordCounts) {
  const WordRows rows = read_vector_lines("a 1\nb 2\na 3\n\xff 4\nc 5\n");
  EXPECT_EQ(rows.words, (Words{"a", "b", "c"}));
  EXPECT_EQ(numbers(rows), (Numbers{1, 2, 5}));
  EXPECT_EQ(rows.skipped, 2u);
}

TEST(WordVectorText, VerySmallNumbersAreZeroOrNearly) {
  const WordRows rows = read_vector_lines("a 1e-60 -1e-42\n");
  EXPECT_EQ(numbers(rows)[0], 0.0f);
  EXPECT_EQ(numbers(rows)[1], -1e-42f);
}

TEST(WordVectorText, OfManyLinesInPieces) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "w" + std::to_string(i) + " " + std::to_string(i) + " 0.5 -1\n";
  ASSERT_GT(text.size(), std::size_t{3} << 20);
  const WordRows rows = read_vector_lines(text);
  ASSERT_EQ(rows.words.size(), 200'000u);
  for (std::size_t i = 0; i < rows.words.size(); ++i) {
    ASSERT_EQ(rows.words[i], "w" + std::to_string(i));
    ASSERT_EQ(rows.matrix.data<float>()[3 * i], static_cast<float>(i));
    ASSERT_EQ(rows.matrix.data<float>()[3 * i + 2], -1.0f);
  }
  // A line far behind is named by its number.
  EXPECT_EQ(vector_lines_error(text + "bad 1 x 3\n").substr(0, 23), "malformed: line 200001:");
}

TEST(WordVectorText, SaysWhatIsWrong) {
  EXPECT_EQ(
      vector_lines_error("a 1 2\nb 3\n"),
      "malformed: line 2: expected a word and 2 finite numbers separated by spaces or tabs, got \"b 3\"");
  EXPECT_EQ(
      vector_lines_error("a 1\n\nb x\n"),
      "malformed: line 3: expected a word and 1 finite number separated by spaces or tabs, got \"b x\"");
  EXPECT_NE(vector_lines_error("a 1 nan\n"), "");
  EXPECT_NE(vector_lines_error("a 1 inf\n"), "");
  EXPECT_NE(vector_lines_error("a 1 1e39\n"), "");
  EXPECT_NE(vector_lines_error("a 1 1e999\n"), "");
  EXPECT_EQ(vector_lines_error("3 1\na 1\nb 2\n"),
            "malformed: the first line says 3 words, but 2 follow; is the file cut short?");
  EXPECT_EQ(vector_lines_error("1 1\na 1\nb 2\n"), "malformed: the first line says 1 words, but 2 follow");
  EXPECT_NE(vector_lines_error("9999999999 99999999999\na 1\n"), "");
  EXPECT_NE(vector_lines_error("2 60000\na 1\nb 2\n").find("too short"), std::string::npos);
  EXPECT_NE(vector_lines_error("word\n"), "");
  EXPECT_NE(vector_lines_error("\n"), "");
}

TEST(WordVectorText, EmptyLinesMayStandInFront) {
  EXPECT_EQ(numbers(read_vector_lines("\n \t\r\na 1 2\nb 3 4\n")), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(read_vector_lines("\n2 2\na 1 2\nb 3 4\n").words, (Words{"a", "b"}));
  EXPECT_EQ(vector_lines_error("\n\na 1 2\nb 3\n").substr(0, 18), "malformed: line 4:");
  EXPECT_EQ(vector_lines_error("\n2 1\na 1\nb x\n").substr(0, 18), "malformed: line 4:");
  EXPECT_NE(vector_lines_error("\n\n").find("malformed: all lines are empty; expected a line for each word"),
            std::string::npos);
  EXPECT_NE(vector_lines_error("").find("all lines are empty"), std::string::npos);
}

TEST(WordVectorText, SaysWhatOtherFilesLookLike) {
  EXPECT_EQ(
      vector_lines_error("a,1,2\nb,3,4\n"),
      "malformed: line 1 is \"a,1,2\", which looks like CSV; write the commas as spaces: expected a line for "
      "each word, the word and its numbers separated by spaces or tabs, as in GloVe, word2vec and fastText");
  EXPECT_NE(vector_lines_error("\nthe\nof\n")
                .find("line 2 is \"the\", a word without numbers, as in a vocabulary; expected"),
            std::string::npos);
}

TEST(Word2Vec, WithAndWithoutLineEnds) {
  for (const char* end : {"", "\n"}) {
    const std::string bytes = "2 2\n" + record("the", {1, 2}, end) + record("of", {3, 4}, end);
    const WordRows rows = read_word2vec(bytes);
    EXPECT_EQ(rows.words, (Words{"the", "of"}));
    EXPECT_EQ(numbers(rows), (Numbers{1, 2, 3, 4}));
  }
}

TEST(Word2Vec, SaysWhatIsWrong) {
  const std::string bytes = "2 2\n" + record("the", {1, 2}, "") + record("of", {3, 4}, "");
  for (std::size_t size = 4; size < bytes.size(); ++size)
    EXPECT_NE(error_in([&] { return read_word2vec(bytes.substr(0, size)); }), "") << size;
  EXPECT_NE(error_in([] { return read_word2vec("9999999999999 300\nthe "); }).find("cut short"),
            std::string::npos);
  EXPECT_NE(error_in([] {
              return read_word2vec("1 1\n" + record("a", {std::numeric_limits<float>::quiet_NaN()}, ""));
            }).find("not finite"),
            std::string::npos);
}

}  // namespace
}  // namespace mxinfer::text
