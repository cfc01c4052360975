#include "text/words/word_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mxinfer::text {
namespace {

TEST(WordTable, FindsWords) {
  WordTable table({"a", "", "b", "a"});
  EXPECT_EQ(table.find("a"), 0u);
  EXPECT_EQ(table.find("b"), 2u);
  EXPECT_FALSE(table.find("").has_value());
  EXPECT_FALSE(table.find("c").has_value());
  EXPECT_EQ(table.repeated(), (std::pair<std::size_t, std::size_t>(0, 3)));
  table.prefer(3);
  EXPECT_EQ(table.find("a"), 3u);
  EXPECT_FALSE(WordTable().find("a").has_value());
}

// Words that a known hash puts side by side: each would be looked for among all of those before it.
TEST(WordTable, SpreadsWordsOfAnyChoice) {
  constexpr std::size_t kWords = 4096;
  const std::size_t slots = std::bit_ceil(kWords * 2);
  std::vector<std::string> words;
  for (std::size_t i = 0; words.size() < kWords; ++i) {
    const std::string word = std::to_string(i);
    if ((std::hash<std::string_view>()(word) & (slots - 1)) < slots / 128) words.push_back(word);
  }
  const WordTable table(words);
  std::size_t most = 0;
  for (const std::string& word : words) most = std::max(most, table.looked_at(word));
  EXPECT_LT(most, kWords / 8);
  EXPECT_GE(most, 1u);
}

}  // namespace
}  // namespace mxinfer::text
