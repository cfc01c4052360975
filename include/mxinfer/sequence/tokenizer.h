// Tokenizer: splits a text into tokens (words, subwords or characters), and returns their ids.
//
//   auto vocabulary = mxinfer::Vocabulary::load("vocab.json");
//   auto tokenizer = mxinfer::Tokenizer::wordpiece(vocabulary);
//   tokenizer.tokens("unaffable");                 // {"una", "##ffa", "##ble"}
//   tokenizer.ids("unaffable");                    // their ids in the vocabulary
//
// A tokenizer is immutable and a handle: copies are cheap, and it is thread-safe. Texts are UTF-8. If one is
// not, functions throw Error(invalid_argument) with the position of the first invalid byte.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/sequence/vocabulary.h>
#include <mxinfer/tools/transforms.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// Options of BERT's basic tokenizer.
struct BasicOptions {
  /// Converts to lower case as Python's str.lower does. Accents are removed even if this is false (NFD
  /// without marks), as in GluonNLP.
  bool lower = true;
};

/// Options of BERT's WordPiece tokenizer.
struct WordPieceOptions {
  /// true: BERT's basic tokenizer first splits the text into words; false: it is split at white space.
  bool basic = true;
  bool lower = true;          ///< as BasicOptions::lower; without `basic`, only str.lower
  int max_word_length = 200;  ///< in characters, 1 to 4,096; a longer word is the unknown token
  std::string prefix = "##";  ///< of a piece that continues a word
};

/// Splits texts into tokens. Immutable and thread-safe.
class MXINFER_API Tokenizer {
 public:
  /// Splits at white space as Python's str.split does. `lower` first converts to lower case as str.lower
  /// does. Without a vocabulary there are tokens but no ids.
  static Tokenizer whitespace(const Vocabulary& vocabulary = {}, bool lower = false);
  /// Makes one token of each character (code point), white space included.
  static Tokenizer characters(const Vocabulary& vocabulary = {}, bool lower = false);
  /// Makes words, punctuation and CJK characters single tokens, as gluonnlp.data.BERTBasicTokenizer does.
  static Tokenizer basic(const Vocabulary& vocabulary = {}, const BasicOptions& options = {});
  /// Splits each word, from the left, into the longest pieces that are in the vocabulary, as
  /// gluonnlp.data.BERTTokenizer does. A word that cannot be split, or is too long, becomes the unknown
  /// token. Throws Error(invalid_argument) if the vocabulary has no unknown token or max_word_length is not
  /// in 1 to 4,096.
  static Tokenizer wordpiece(const Vocabulary& vocabulary, const WordPieceOptions& options = {});
  /// Reads a unigram or BPE model of SentencePiece from the path or address of its .model file. Works as
  /// gluonnlp.data.SentencepieceTokenizer without sampling (alpha=0). Throws Error(not_found). Throws
  /// Error(malformed) if the file is not such a model, is above 256 MiB, or has a piece above 1,024 bytes.
  /// Throws Error(unsupported) in a build without SentencePiece (MXINFER_SENTENCEPIECE=OFF).
  static Tokenizer sentencepiece(const std::string& uri);
  /// As above, from memory; the bytes are copied.
  static Tokenizer sentencepiece(ByteSpan model);

  Tokenizer(const Tokenizer&) noexcept;
  Tokenizer& operator=(const Tokenizer&) noexcept;
  ~Tokenizer();

  /// Returns the tokens in order; an empty text has none. SentencePiece keeps characters that it does not
  /// know as they are. Takes time linear in the text; at worst, wordpiece() takes that times the length of
  /// the longest word that it splits.
  [[nodiscard]] std::vector<std::string> tokens(std::string_view text) const;
  /// Returns the ids of the tokens. Throws Error(invalid_argument) if there is no vocabulary, or if a token
  /// is not in it and it has no unknown token.
  [[nodiscard]] std::vector<std::int32_t> ids(std::string_view text) const;
  /// Returns the text of ids: words are joined by spaces, and subwords and characters without spaces. The
  /// vocabulary's padding, begin and end tokens are left out; the unknown token is kept. Throws
  /// Error(invalid_argument) if an id is not in the vocabulary.
  [[nodiscard]] std::string text(Span<const std::int32_t> ids) const;
  /// Returns the vocabulary that the tokenizer was made with. For SentencePiece, it is the pieces.
  [[nodiscard]] const Vocabulary& vocabulary() const noexcept;
  /// Returns the transforms that do the same in a graph, as a file stores them. If the tokenizer converts to
  /// lower case or splits as BERT does, "lower" or "basic_tokenize" comes first. Then comes "token_ids",
  /// "wordpiece" or "sentencepiece", with the vocabulary or model in it, which returns ids and lengths
  /// (docs/reference/transforms.md). Throws Error(invalid_argument) if there is no vocabulary.
  [[nodiscard]] std::vector<Transform> transforms() const;

 private:
  struct Impl;
  explicit Tokenizer(std::shared_ptr<const Impl> impl) noexcept;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
