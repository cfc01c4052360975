// SentencePiece's library behind our checks. Left out where mxinfer is built without it.
#include <gtest/gtest.h>
#include <mxinfer/sequence/tokenizer.h>
#include <pthread.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "support/expect_error.h"
#include "support/files/sentencepiece_writer.h"
#include "support/files/temp_dir.h"
#include "text/tokenize/sentencepiece_check.h"
#include "text/tokenize/tokenize.h"

namespace mxinfer::test {
namespace {

using text::check_sentencepiece_model;
using text::SentencePiece;
using Tokens = std::vector<std::string>;
using Ids = std::vector<std::int32_t>;

SentencePiece load(const SentencePieceWriter& writer) {
  return SentencePiece(ByteSpan(writer.finish()));
}

SentencePieceWriter with_charsmap(const CharsmapWords& words) {
  return small_sentencepiece().charsmap(words.table());
}

TEST(SentencePiece, CutsByUnigramAndByBpe) {
  const SentencePiece unigram = load(small_sentencepiece());
  EXPECT_EQ(unigram.tokens("hello"), (Tokens{"\u2581hello"}));
  EXPECT_EQ(unigram.tokens(" hell  hel"), (Tokens{"\u2581hell", "\u2581he", "l"}));
  for (const bool bpe : {false, true}) {
    SentencePieceWriter writer(bpe);
    writer.piece("<unk>", 0, PieceType::unknown)
        .piece("\u2581", -3)
        .piece("a", -10)
        .piece("b", -3)
        .piece("c", -1);
    writer.piece("ab", -2).piece("bc", -1);
    EXPECT_EQ(load(writer).tokens("abc"),
              bpe ? (Tokens{"\u2581", "a", "bc"}) : (Tokens{"\u2581", "ab", "c"}));
  }
  std::vector<std::int32_t> ids = {9};
  unigram.append_ids("hello", ids);
  EXPECT_EQ(ids, (Ids{9, 3}));
  EXPECT_EQ(unigram.tokens(""), Tokens{});
  EXPECT_EQ(unigram.tokens(" \n"), (Tokens{"\u2581", "\n"})) << "without a charsmap a line break is no space";
}

TEST(SentencePiece, PutsUnknownCharactersTogether) {
  const SentencePiece cut = load(small_sentencepiece());
  EXPECT_EQ(cut.tokens("xyhello"), (Tokens{"\u2581", "xy", "h", "e", "llo"}));
  std::vector<std::int32_t> ids;
  cut.append_ids("xyz", ids);
  EXPECT_EQ(ids, (Ids{9, 0}));
  EXPECT_EQ(cut.tokens(std::string("a\0b", 3)).size(), 3u) << "a zero byte is a character";
}

TEST(SentencePiece, NormalizesByItsTable) {
  const CharsmapWords words;
  const SentencePiece cut = load(with_charsmap(words));
  EXPECT_EQ(cut.tokens("Aa"), (Tokens{"\u2581", "a", "a"}));
  EXPECT_EQ(check_sentencepiece_model(with_charsmap(words).finish()), (1u << 31) / 3);
}

TEST(SentencePiece, HasAVocabularyAndGivesTexts) {
  const SentencePiece cut = load(small_sentencepiece());
  EXPECT_EQ(cut.vocabulary().size(), 18u);
  EXPECT_EQ(cut.vocabulary().unknown_id(), 0);
  EXPECT_EQ(cut.vocabulary().begin_id(), 1);
  EXPECT_EQ(cut.vocabulary().end_id(), 2);
  EXPECT_FALSE(cut.vocabulary().padding_id().has_value());
  EXPECT_EQ(cut.vocabulary().word(3), "\u2581hello");
  EXPECT_EQ(cut.text(Ids{1, 3, 4, 10, 2}), "hello hellh");
  EXPECT_MXINFER_ERROR(cut.text(Ids{99}), ErrorCode::invalid_argument, {"99"});
  EXPECT_MXINFER_ERROR(cut.text(Ids{-1}), ErrorCode::invalid_argument, {"-1"});
}

TEST(SentencePiece, IsATokenizer) {
  const std::string model = small_sentencepiece().finish();
  const TempDir folder;
  const std::string path = folder / "small.model";
  std::ofstream(path, std::ios::binary) << model;
  for (const Tokenizer& tokenizer :
       {Tokenizer::sentencepiece(ByteSpan(model)), Tokenizer::sentencepiece(path)}) {
    EXPECT_EQ(tokenizer.tokens("hello"), (Tokens{"\u2581hello"}));
    EXPECT_EQ(tokenizer.ids("hello"), (Ids{3}));
    EXPECT_EQ(tokenizer.text(Ids{3}), "hello");
    EXPECT_EQ(tokenizer.vocabulary().find("llo"), 6);
    const std::vector<Transform> steps = tokenizer.transforms();
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_EQ(steps[0].op, "sentencepiece");
    EXPECT_EQ(steps[0].attrs.at("model").substr(0, 7), "base64:");
    EXPECT_MXINFER_ERROR(tokenizer.ids("ab\xff"), ErrorCode::invalid_argument, {"byte 2 of 3"});
  }
  EXPECT_MXINFER_ERROR(Tokenizer::sentencepiece(folder / "none.model"), ErrorCode::not_found, {"none.model"});
  std::ofstream(path, std::ios::binary) << model.substr(0, 30);
  EXPECT_MXINFER_ERROR(Tokenizer::sentencepiece(path), ErrorCode::malformed,
                       {"small.model", "SentencePiece"});
}

TEST(SentencePiece, RefusesWhatIsNoModel) {
  const std::string model = small_sentencepiece().finish();
  const auto refuse = [](const std::string& bytes, const char* fact) {
    EXPECT_MXINFER_ERROR(SentencePiece(ByteSpan(bytes)), ErrorCode::malformed, {"SentencePiece", fact});
  };
  refuse("", "no pieces");
  refuse("hello", "byte");
  refuse(model.substr(0, model.size() - 3), "bytes are left");
  refuse(std::string(20, '\xff'), "more than 64 bits");
  refuse(proto_varint(1 << 3 | 3), "has type 3");
  refuse(SentencePieceWriter().piece("a", 0).finish(), "unk is not defined");
  refuse(small_sentencepiece().piece("\u2581hello", 0).finish(), "already defined");
  refuse(small_sentencepiece().piece("", 0).finish(), "must not be empty");
  refuse(small_sentencepiece().piece(std::string("\0x", 2), 0).finish(), "not loaded");
  refuse(small_sentencepiece().piece("\xff", 0).finish(), "UTF-8");
  refuse(small_sentencepiece().piece("<0x00>", 0, PieceType::byte).finish(), "byte");
}

// The library would read or write outside of its memory.
TEST(SentencePiece, RefusesTablesThatPointOutside) {
  const auto refuse = [](const CharsmapWords& words, const char* fact) {
    EXPECT_MXINFER_ERROR(load(with_charsmap(words)), ErrorCode::malformed, {"normalizer_spec", fact});
  };
  CharsmapWords words;
  words.words[0] = 1024u << 10;
  refuse(words, "points to entry");
  words = {};
  words.words[CharsmapWords::kNode] = 0x1fffffu << 10 | 1u << 8 | 'A';
  refuse(words, "points to entry");
  words = {};
  words.words[CharsmapWords::kValue] = 1u << 31 | 2;
  refuse(words, "points to byte 2 of texts of 2 bytes");
  words = {};
  words.words[CharsmapWords::kNode ^ 0x40 ^ 'B'] = (CharsmapWords::kNode ^ 0x40 ^ 'B') << 10 | 'B';
  words.words[0] = 0;  // what follows is behind the root again
  words.words['A'] = ('A' ^ CharsmapWords::kNode) << 10 | 'A';
  words.words[CharsmapWords::kNode ^ 'A'] = 0;
  refuse(words, "follows itself");
  words = {};
  words.words.resize(300, 1u << 31);
  refuse(words, "points to entry 511 of 300");
  words = {};
  words.texts.clear();
  refuse(words, "texts behind it");
  words = {};
  words.words.clear();
  refuse(words, "expected a multiple of 4");
  EXPECT_MXINFER_ERROR(load(small_sentencepiece().charsmap("abc")), ErrorCode::malformed,
                       {"a table of 3 bytes"});
  words = {};
  words.words[0] = 1024u << 10;
  EXPECT_MXINFER_ERROR(load(small_sentencepiece().more(proto_bytes(5, proto_bytes(2, words.table())))),
                       ErrorCode::malformed, {"denormalizer_spec"});
}

// It counts in ints what becomes of a text.
TEST(SentencePiece, RefusesTextsThatGrowTooLong) {
  CharsmapWords words;
  words.texts = std::string(1 << 20, 'a') + std::string("\0", 1);
  const std::string model = with_charsmap(words).finish();
  const std::size_t most = check_sentencepiece_model(model);
  EXPECT_EQ(most, 682u);
  EXPECT_MXINFER_ERROR(SentencePiece(ByteSpan(model)).tokens(std::string(most + 1, 'A')),
                       ErrorCode::invalid_argument, {"683 bytes", "682"});
  EXPECT_MXINFER_ERROR(SentencePiece(ByteSpan(model)).text(Ids(most + 1, 17)), ErrorCode::invalid_argument,
                       {"683 bytes"});
  const std::string samples = proto_bytes(4, std::string(most + 1, '\0'));
  EXPECT_MXINFER_ERROR(load(with_charsmap(words).more(samples)), ErrorCode::malformed, {"samples"});
}

TEST(SentencePiece, RefusesManyPiecesThatBeginOneAnother) {
  SentencePieceWriter writer = small_sentencepiece();
  for (std::size_t length = 2; length <= 65; ++length)
    writer.piece(std::string(length, 'z'), 0, PieceType::user_defined);
  EXPECT_EQ(load(writer).tokens(std::string(65, 'z')).size(), 2u);
  writer.piece(std::string(66, 'z') + std::string("\0", 1), 0, PieceType::user_defined);
  EXPECT_MXINFER_ERROR(load(writer), ErrorCode::malformed, {"begin one another"});
}

// Of a field that is there twice the library keeps the last one that it can read.
TEST(SentencePiece, RefusesManyPiecesWhateverStandsBehindTheirType) {
  const std::string user_defined = proto_number(3, 4);
  for (const std::string& behind :
       {proto_number(3, 99), proto_bytes(3, ""), proto_float(3, 0), proto_number(1, 0)}) {
    SentencePieceWriter writer = small_sentencepiece();
    for (std::size_t length = 2; length <= 66; ++length)
      writer.more(proto_bytes(1, proto_bytes(1, std::string(length, 'z')) + user_defined + behind));
    EXPECT_MXINFER_ERROR(load(writer), ErrorCode::malformed, {"begin one another"});
  }
}

// The tokens of the text, cut by a thread of a small stack.
std::size_t tokens_on_a_small_stack(const SentencePieceWriter& writer, const std::string& text) {
  struct Work {
    std::string model;
    std::string text;
    std::size_t tokens = 0;
  } work = {writer.finish(), text};
  pthread_attr_t attributes;
  EXPECT_EQ(pthread_attr_init(&attributes), 0);
  EXPECT_EQ(pthread_attr_setstacksize(&attributes, 512 << 10), 0);
  pthread_t thread = {};
  const auto run = [](void* given) -> void* {
    auto& todo = *static_cast<Work*>(given);
    todo.tokens = SentencePiece(ByteSpan(todo.model)).tokens(todo.text).size();
    return nullptr;
  };
  EXPECT_EQ(pthread_create(&thread, &attributes, run, &work), 0);
  EXPECT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
  return work.tokens;
}

// The library goes as deep as they are long.
TEST(SentencePiece, TakesPiecesOf1024Bytes) {
  constexpr std::size_t kLongest = 1024;
  for (const PieceType type : {PieceType::normal, PieceType::user_defined}) {
    for (const bool bpe : {false, true}) {
      SentencePieceWriter writer = small_sentencepiece(bpe);
      writer.piece(std::string(kLongest, 'z'), 0, type);
      EXPECT_GT(tokens_on_a_small_stack(writer, std::string(kLongest, 'z')), 0u);
      writer.piece(std::string(kLongest + 1, 'z'), 0, type);
      EXPECT_MXINFER_ERROR(load(writer), ErrorCode::malformed, {"1025 bytes", "1024"});
    }
  }
  SentencePieceWriter writer(true);
  writer.piece("<unk>", 0, PieceType::unknown).piece("\u2581", -1e6f).piece("z", -1e6f);
  for (std::size_t length = 2; length <= kLongest; ++length)
    writer.piece(std::string(length, 'z'), static_cast<float>(length), PieceType::unused);
  EXPECT_EQ(tokens_on_a_small_stack(writer, std::string(kLongest, 'z')), kLongest + 1)
      << "pieces that are not used are taken apart";
}

TEST(SentencePiece, PrintsNothing) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  const SentencePiece cut = load(small_sentencepiece());  // without a table, of which the library would tell
  (void)cut.tokens("hello");
  EXPECT_THROW(load(small_sentencepiece().piece("", 0)), Error);
  // A self-test that fails.
  const std::string sample = proto_bytes(1, proto_bytes(1, "hello") + proto_bytes(2, "h"));
  EXPECT_THROW(load(small_sentencepiece().more(proto_bytes(4, sample))), Error);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(SentencePiece, CutsLongTexts) {
  for (const bool bpe : {false, true}) {
    const SentencePiece cut = load(small_sentencepiece(bpe));
    std::vector<std::int32_t> ids;
    cut.append_ids(std::string(1'000'000, 'h'), ids);
    EXPECT_GT(ids.size(), 500'000u);
    ids.clear();
    cut.append_ids(std::string(1'000'000, ' ') + "hello", ids);
    EXPECT_LT(ids.size(), 3u);
  }
}

TEST(SentencePiece, ServesManyThreads) {
  const SentencePiece cut = load(small_sentencepiece(true));
  std::vector<std::thread> threads;
  std::vector<Tokens> found(4);
  for (Tokens& tokens : found) {
    threads.emplace_back([&tokens, cut] {
      for (int i = 0; i < 200; ++i) tokens = cut.tokens("hello world hello");
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Tokens& tokens : found) EXPECT_EQ(tokens, found[0]);
}

}  // namespace
}  // namespace mxinfer::test
