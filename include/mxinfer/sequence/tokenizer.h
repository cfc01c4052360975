// Tokenizer: cuts a text into tokens (words, subwords or characters), and gives their ids.
//
//   auto vocabulary = mxinfer::Vocabulary::load("vocab.json");
//   auto tokenizer = mxinfer::Tokenizer::wordpiece(vocabulary);
//   tokenizer.tokens("unaffable");                 // {"una", "##ffa", "##ble"}
//   tokenizer.ids("unaffable");                    // their ids in the vocabulary
//
// A tokenizer is immutable and a handle: copies are cheap, and any thread may use it. Texts are UTF-8; where
// one is not, tokenizers throw Error(invalid_argument) with the position of the first wrong byte.
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

/// Of the basic tokenizer of BERT.
struct BasicOptions {
  /// Lower-cases as Python's str.lower does. Accents are removed either way (NFD without marks), as GluonNLP
  /// does.
  bool lower = true;
};

struct WordPieceOptions {
  /// What cuts the text into words first: BERT's basic tokenizer, or white space alone.
  bool basic = true;
  bool lower = true;          ///< as BasicOptions::lower; without `basic`, str.lower alone
  int max_word_length = 200;  ///< characters, 1 to 4,096; a longer word is the unknown token
  std::string prefix = "##";  ///< of a piece that goes on a word
};

class MXINFER_API Tokenizer {
 public:
  /// Splits at white space as Python's str.split does; `lower` lower-cases before, as str.lower does. Without
  /// a vocabulary there are tokens and no ids.
  static Tokenizer whitespace(const Vocabulary& vocabulary = {}, bool lower = false);
  /// One token a character (code point), white space included.
  static Tokenizer characters(const Vocabulary& vocabulary = {}, bool lower = false);
  /// gluonnlp.data.BERTBasicTokenizer: words, punctuation and CJK characters one by one.
  static Tokenizer basic(const Vocabulary& vocabulary = {}, const BasicOptions& options = {});
  /// gluonnlp.data.BERTTokenizer: of each word the longest pieces that the vocabulary has, from the left; a
  /// word that cannot be cut so, or is too long, is the unknown token. Error(invalid_argument) for a
  /// vocabulary without one, and for max_word_length outside of 1 to 4,096.
  static Tokenizer wordpiece(const Vocabulary& vocabulary, const WordPieceOptions& options = {});
  /// A model of SentencePiece, unigram or BPE, by path or address of its .model file; as
  /// gluonnlp.data.SentencepieceTokenizer without sampling (alpha=0). Errors: not_found; malformed, also
  /// above 256 MiB or with a piece above 1,024 bytes; unsupported in a build without SentencePiece
  /// (MXINFER_SENTENCEPIECE=OFF).
  static Tokenizer sentencepiece(const std::string& uri);
  /// The same from memory; the bytes are copied.
  static Tokenizer sentencepiece(ByteSpan model);

  Tokenizer(const Tokenizer&) noexcept;
  Tokenizer& operator=(const Tokenizer&) noexcept;
  ~Tokenizer();

  /// In order; none of an empty text. Of SentencePiece, characters that it does not know stand as they are.
  /// Time is linear in the text; of wordpiece(), at worst by the characters of the longest word that it cuts.
  [[nodiscard]] std::vector<std::string> tokens(std::string_view text) const;
  /// The tokens' ids. Error(invalid_argument) if there is no vocabulary, or a token is not in it and it has
  /// no unknown token.
  [[nodiscard]] std::vector<std::int32_t> ids(std::string_view text) const;
  /// The text that ids stand for: words joined by spaces, subwords put together, characters as they are. Left
  /// out are the vocabulary's padding, begin and end; the unknown token stays. Error(invalid_argument) for an
  /// id that is not in the vocabulary.
  [[nodiscard]] std::string text(Span<const std::int32_t> ids) const;
  /// That it was made with; of SentencePiece its pieces.
  [[nodiscard]] const Vocabulary& vocabulary() const noexcept;
  /// The transforms, as a file has them, that do in a graph what it does: "lower" or "basic_tokenize" where
  /// it lower-cases or cuts as BERT does, then "token_ids", "wordpiece" or "sentencepiece", with the
  /// vocabulary or the model in it, which gives ids and lengths (docs/how-to/end-to-end.md).
  /// Error(invalid_argument) without a vocabulary.
  [[nodiscard]] std::vector<Transform> transforms() const;

 private:
  struct Impl;
  explicit Tokenizer(std::shared_ptr<const Impl> impl) noexcept;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
