#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "support/expect_error.h"
#include "text/tokenize/piece_trie.h"
#include "text/tokenize/tokenize.h"

namespace mxinfer::text {
namespace {

using Tokens = std::vector<std::string>;

Vocabulary vocabulary_with(std::vector<std::string> words) {
  words.insert(words.begin(), "[UNK]");
  VocabularyOptions options;
  options.unknown = "[UNK]";
  return Vocabulary(std::move(words), options);
}

TEST(PieceTrie, FindsTheLongestWord) {
  const PieceTrie trie(vocabulary_with({"a", "abc", "abcd", "b", "\u00e9"}));
  const auto longest = [&](std::string_view text) { return trie.longest(trie.root(), text); };
  EXPECT_EQ(longest("abcx").bytes, 3u);
  EXPECT_EQ(longest("abcx").id, 2);
  EXPECT_EQ(longest("abx").id, 1) << "'abc' ends too late";
  EXPECT_EQ(longest("\u00e9\u00e9").bytes, 2u);
  EXPECT_EQ(longest("x").id, -1);
  EXPECT_EQ(longest("").id, -1);
  EXPECT_TRUE(trie.find("abc").has_value());
  EXPECT_FALSE(trie.find("ac").has_value());
}

TEST(PieceTrie, WalksPartsOfLabels) {
  const PieceTrie trie(vocabulary_with({"##abc", "##abd", "##", "#x", "abcde"}));
  const auto behind = trie.find("##");
  ASSERT_TRUE(behind.has_value());
  EXPECT_EQ(trie.longest(*behind, "abdz").id, 2);
  EXPECT_EQ(trie.longest(*behind, "abz").id, -1) << "\"##\" itself ends at the start";
  const auto inside = trie.find("abc");
  ASSERT_TRUE(inside.has_value());
  EXPECT_EQ(trie.longest(*inside, "de").id, 5);
  EXPECT_EQ(trie.longest(*inside, "de").bytes, 2u);
  EXPECT_EQ(trie.longest(*inside, "d").id, -1);
  EXPECT_TRUE(trie.find("abcde").has_value());
  EXPECT_FALSE(trie.find("abcx").has_value());
  EXPECT_FALSE(trie.find("abcdef").has_value());
  EXPECT_TRUE(trie.find("").has_value());
}

// Against a search through all the words, from every start.
TEST(PieceTrie, FindsWhatASearchFinds) {
  std::vector<std::string> words;
  std::uint32_t state = 1;
  const auto draw = [&](std::uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % below;
  };
  const auto random_word = [&] {
    std::string word(1 + draw(6), 'a');
    for (char& byte : word) byte = static_cast<char>('a' + draw(2));
    return word;
  };
  for (int i = 0; i < 40; ++i) words.push_back(random_word());
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  const Vocabulary vocabulary = vocabulary_with(words);
  const PieceTrie trie(vocabulary);
  for (int i = 0; i < 2000; ++i) {
    const std::string start = random_word().substr(0, draw(4)), text = random_word();
    std::size_t longest = 0;
    bool begins = start.empty();
    for (const std::string& word : words) {
      begins = begins || word.starts_with(start);
      if ((start + text).starts_with(word) && word.size() > start.size())
        longest = std::max(longest, word.size() - start.size());
    }
    const auto position = trie.find(start);
    ASSERT_EQ(position.has_value(), begins) << start;
    if (!position) continue;
    const PieceTrie::Match match = trie.longest(*position, text);
    ASSERT_EQ(match.bytes, longest) << start << " " << text;
    ASSERT_EQ(match.id,
              longest == 0 ? -1 : *vocabulary.find((start + text).substr(0, start.size() + longest)));
  }
}

TEST(PieceTrie, TakesMemoryByTheNumberOfWords) {
  std::vector<std::string> words;
  for (char last = 'a'; last < 'x'; ++last) {
    words.push_back(std::string(60'000, 'x') + last);
    words.push_back(last + std::string(60'000, 'x'));
  }
  const PieceTrie trie(vocabulary_with(words));
  EXPECT_LE(trie.nodes(), 2 * (words.size() + 1) + 1);
  EXPECT_EQ(trie.longest(trie.root(), words[40] + "!").bytes, 60'001u);
}

TEST(WordPiece, CutsTheLongestPiecesFromTheLeft) {
  const WordPiece cut(vocabulary_with({"un", "una", "##ffa", "##ffable", "##ble", "##f", "want", "##ed"}));
  EXPECT_EQ(cut.tokens("unaffable wanted"), (Tokens{"una", "##ffable", "want", "##ed"}));
  EXPECT_EQ(cut.tokens("unaffa\n"), (Tokens{"una", "##ffa"}));
  EXPECT_EQ(cut.tokens("unaffax want"), (Tokens{"[UNK]", "want"})) << "the whole word is unknown";
  EXPECT_EQ(cut.tokens("able"), (Tokens{"[UNK]"})) << "a piece that goes on a word begins none";
  EXPECT_EQ(cut.tokens("##ffa"), (Tokens{"##ffa"})) << "but it is a word";
  EXPECT_EQ(cut.tokens(""), Tokens{});
  std::vector<std::int32_t> ids = {7};
  cut.append_ids("unf x", ids);
  EXPECT_EQ(ids, (std::vector<std::int32_t>{7, 1, 6, 0}));
}

TEST(WordPiece, CountsCharactersOfLongWords) {
  const WordPiece cut(vocabulary_with({"\u00e9", "##\u00e9"}), 3);
  EXPECT_EQ(cut.tokens("\u00e9\u00e9\u00e9").size(), 3u);
  EXPECT_EQ(cut.tokens("\u00e9\u00e9\u00e9\u00e9"), (Tokens{"[UNK]"}));
  const WordPiece usual(vocabulary_with({"a", "##a"}));
  EXPECT_EQ(usual.tokens(std::string(200, 'a')).size(), 200u);
  EXPECT_EQ(usual.tokens(std::string(201, 'a')), (Tokens{"[UNK]"}));
}

TEST(WordPiece, TakesAnyPrefix) {
  EXPECT_EQ(WordPiece(vocabulary_with({"a", "@@b"}), 200, "@@").tokens("ab"), (Tokens{"a", "@@b"}));
  EXPECT_EQ(WordPiece(vocabulary_with({"a", "b"}), 200, "").tokens("aba"), (Tokens{"a", "b", "a"}));
  EXPECT_EQ(WordPiece(vocabulary_with({"a", "b"})).tokens("ab"), (Tokens{"[UNK]"}))
      << "no piece goes on a word";
}

TEST(WordPiece, KeepsZeroBytes) {
  EXPECT_EQ(WordPiece(vocabulary_with({std::string("a\0", 2), "##b"})).tokens(std::string("a\0b", 3)),
            (Tokens{std::string("a\0", 2), "##b"}));
}

TEST(WordPiece, PassesOverIdsWithoutAWord) {
  EXPECT_EQ(WordPiece(vocabulary_with({"", "a", ""})).tokens("a b"), (Tokens{"a", "[UNK]"}));
}

TEST(WordPiece, RefusesWhatItCannotWorkWith) {
  EXPECT_THROW(WordPiece(Vocabulary({"a", "b"})), Error) << "no unknown token";
  EXPECT_THROW(WordPiece(Vocabulary{}), Error);
  for (const int length : {-1, 0, 4097, 1 << 30}) {
    EXPECT_MXINFER_ERROR(WordPiece(vocabulary_with({"a"}), length), ErrorCode::invalid_argument,
                         {"max_word_length is " + std::to_string(length), "1 to 4096"});
  }
  EXPECT_THROW(WordPiece(vocabulary_with({"a"})).tokens("a \xe2\x82"), Error);
}

TEST(WordPiece, CutsLongWords) {
  const auto most = static_cast<std::size_t>(kMostWordLength);
  const WordPiece cut(vocabulary_with({"a", "##a", "##aa", "##" + std::string(most, 'a') + "b"}),
                      kMostWordLength);
  EXPECT_EQ(cut.tokens(std::string(most, 'a')).size(), most / 2 + 1);
  EXPECT_EQ(cut.tokens(std::string(most - 1, 'a') + "b"), (Tokens{"[UNK]"}));
  EXPECT_EQ(cut.tokens(std::string(1'000'000, 'a')), (Tokens{"[UNK]"}));
  std::string words;
  for (int i = 0; i < 500'000; ++i) words += "a ";
  EXPECT_EQ(cut.tokens(words).size(), 500'000u);
}

}  // namespace
}  // namespace mxinfer::text
