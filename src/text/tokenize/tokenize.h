// What tokenizers do, for the public class (mxinfer/sequence/tokenizer.h) and for operators of graphs.
//
//   const text::WordPiece wordpiece(Vocabulary::parse(json));
//   std::vector<std::int32_t> ids;
//   wordpiece.append_ids(text::basic_tokenize("Unaffable!", true), ids);
//
// Texts are UTF-8: where one is not, each function throws Error(invalid_argument) with the position of the
// first wrong byte. All time is linear in the text. Objects are immutable, copies are cheap and share what
// they are made of, and any thread may use them.
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/sequence/vocabulary.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::text {

/// Python's str.lower(): U+0130 becomes two characters, a sigma that ends a word the final one.
std::string lower(std::string_view text);

/// gluonnlp.data.BERTBasicTokenizer(lower): words, punctuation and CJK characters, joined by one space each.
/// Marks are removed with `lower` or without, as there.
std::string basic_tokenize(std::string_view text, bool lower);

enum class Split {
  whitespace,  ///< as Python's str.split()
  characters,  ///< one token a character (code point), white space included
};

/// The parts of a text that `split` makes; they point into it.
std::vector<std::string_view> split_text(std::string_view text, Split split);

/// Ids of whole tokens.
class TokenIds {
 public:
  /// Without words, or without an unknown token, ids of texts may be Error(invalid_argument).
  TokenIds(const Vocabulary& vocabulary, Split split);

  void append_ids(std::string_view text, std::vector<std::int32_t>& ids) const;
  [[nodiscard]] std::vector<std::string> tokens(std::string_view text) const;
  [[nodiscard]] const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  [[nodiscard]] Split split() const noexcept { return split_; }

 private:
  Vocabulary vocabulary_;
  Split split_;
};

/// The most that max_word_length of WordPiece may be. Pieces may be looked for anew from each byte of a word
/// to its end: the time is linear in the text, with at worst the longest word as a factor.
inline constexpr int kMostWordLength = 4096;

/// Words, which white space separates, cut into the longest pieces that the vocabulary has, from the left.
class WordPiece {
 public:
  /// Errors (invalid_argument): a vocabulary without an unknown token; max_word_length outside of
  /// [1, kMostWordLength].
  explicit WordPiece(const Vocabulary& vocabulary, int max_word_length = 200, std::string prefix = "##");

  void append_ids(std::string_view text, std::vector<std::int32_t>& ids) const;
  [[nodiscard]] std::vector<std::string> tokens(std::string_view text) const;
  [[nodiscard]] const Vocabulary& vocabulary() const noexcept;
  [[nodiscard]] int max_word_length() const noexcept;
  [[nodiscard]] const std::string& prefix() const noexcept;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// A model of SentencePiece, unigram or BPE.
class SentencePiece {
 public:
  /// The bytes of a .model file, of which a copy is kept. Errors: malformed; unsupported in a build without
  /// SentencePiece.
  explicit SentencePiece(ByteSpan model);

  void append_ids(std::string_view text, std::vector<std::int32_t>& ids) const;
  [[nodiscard]] std::vector<std::string> tokens(std::string_view text) const;
  /// The text that ids stand for. Error(invalid_argument) for one that is not of a piece.
  [[nodiscard]] std::string text(Span<const std::int32_t> ids) const;
  /// Its pieces.
  [[nodiscard]] const Vocabulary& vocabulary() const noexcept;
  /// As it was given.
  [[nodiscard]] ByteSpan model() const noexcept;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace mxinfer::text
