#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <string>

#include "text/tokenize/tokenize.h"

namespace mxinfer::text {
namespace {

TEST(BasicTokenize, SeparatesWordsAndPunctuation) {
  EXPECT_EQ(basic_tokenize(" \tHeLLo!how  \n Are yoU?  ", true), "hello ! how are you ?");
  EXPECT_EQ(basic_tokenize(" \tHeLLo!how  \n Are yoU?  ", false), "HeLLo ! how Are yoU ?");
  EXPECT_EQ(basic_tokenize("a--b", true), "a - - b");
  EXPECT_EQ(basic_tokenize("$5.00", true), "$ 5 . 00");
}

TEST(BasicTokenize, RemovesAccentsWithOrWithoutLower) {
  EXPECT_EQ(basic_tokenize("\u00c9t\u00e9", true), "ete");
  EXPECT_EQ(basic_tokenize("\u00c9t\u00e9", false), "Ete") << "as GluonNLP does";
  EXPECT_EQ(basic_tokenize("\u0130", true), "i");
  EXPECT_EQ(basic_tokenize("\u0301", true), "") << "a mark alone is no word";
}

TEST(BasicTokenize, TakesIdeographsOneByOne) {
  EXPECT_EQ(basic_tokenize("ab\u4e2d\u6587c", true), "ab \u4e2d \u6587 c");
  EXPECT_EQ(basic_tokenize("\u3042\u3044", true), "\u3042\u3044");
}

TEST(BasicTokenize, DropsControlCharacters) {
  EXPECT_EQ(basic_tokenize(std::string("a\0b\x01 c\u200dd\ufffd", 14), true), "ab cd");
  EXPECT_EQ(basic_tokenize("a\u0085b", true), "ab") << "white space for Python, a control character for BERT";
  EXPECT_EQ(basic_tokenize("a\u2028b\u00a0c", true), "a b c");
}

TEST(BasicTokenize, ASigmaBeforeASpaceIsFinal) {
  EXPECT_EQ(basic_tokenize("\u039f\u03a3\u4e2d \u039f\u03a3", true), "\u03bf\u03c2 \u4e2d \u03bf\u03c2");
}

TEST(BasicTokenize, TakesAnEmptyTextAndRefusesWhatIsNotUtf8) {
  EXPECT_EQ(basic_tokenize("", true), "");
  EXPECT_EQ(basic_tokenize(" \n ", true), "");
  EXPECT_THROW(basic_tokenize("a\xff", true), Error);
}

// Quadratic, each of these would take hours.
TEST(BasicTokenize, TakesLongTexts) {
  constexpr std::size_t kCharacters = 1'000'000;
  EXPECT_EQ(basic_tokenize(std::string(kCharacters, 'A'), true).size(), kCharacters);
  EXPECT_EQ(basic_tokenize(std::string(kCharacters, '.'), true).size(), 2 * kCharacters - 1);
  std::string marks = "a";   // of falling class, which must be sorted
  std::string sigmas = "a";  // each with many characters that are passed over
  for (std::size_t i = 0; i < kCharacters / 2; ++i) marks += "\u0301";
  for (std::size_t i = 0; i < kCharacters / 2; ++i) marks += "\u0323";
  for (std::size_t i = 0; i < kCharacters / 4; ++i) sigmas += "''''\u03a3";
  EXPECT_EQ(basic_tokenize(marks, true), "a");
  EXPECT_EQ(lower(sigmas).size(), sigmas.size());
}

}  // namespace
}  // namespace mxinfer::text
