// Tokenizers, for the public class (mxinfer/sequence/tokenizer.h) and for operators of graphs.
//
//   const text::WordPiece wordpiece(Vocabulary::parse(json));
//   std::vector<std::int32_t> ids;
//   wordpiece.append_ids(text::basic_tokenize("Unaffable!", true), ids);
//
// Texts are UTF-8. If one is not, each function throws Error(invalid_argument) with the position of the first
// wrong byte. All functions take linear time. Objects are immutable, copies are cheap and share their data,
// and any thread may use them.
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

/// The parts of a text by `split`. They point into the text.
std::vector<std::string_view> split_text(std::string_view text, Split split);

/// Ids of whole tokens.
class TokenIds {
 public:
  /// Without words, or without an unknown token, getting ids may throw Error(invalid_argument).
  TokenIds(const Vocabulary& vocabulary, Split split);

  void append_ids(std::string_view text, std::vector<std::int32_t>& ids) const;
  [[nodiscard]] std::vector<std::string> tokens(std::string_view text) const;
  [[nodiscard]] const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  [[nodiscard]] Split split() const noexcept { return split_; }

 private:
  Vocabulary vocabulary_;
  Split split_;
};

/// The upper limit of WordPiece's max_word_length. Each byte of a word may start a search to the word's end,
/// so the time is linear in the text, at worst times the longest word.
inline constexpr int kMostWordLength = 4096;

/// Cuts words, separated by white space, into the longest pieces in the vocabulary, from the left.
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
  /// Decodes ids. Throws Error(invalid_argument) for an id without a piece.
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
