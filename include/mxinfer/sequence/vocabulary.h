// Vocabulary: the words, subwords or characters that a network knows, each with its number, the id.
//
//   mxinfer::Vocabulary vocabulary = mxinfer::Vocabulary::load("vocab.json");
//   std::int32_t id = vocabulary.id("pleasant");                // or that of the unknown token
//   vocabulary.word(id);                                        // and back
//   std::vector<std::int32_t> ids = vocabulary.ids({"a", "pleasant", "day"});
//
// A vocabulary is immutable and a handle: copies are cheap and share the words, and it is thread-safe.
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/export.h>
#include <mxinfer/span.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The format of a vocabulary file.
enum class VocabularyFormat {
  automatic,      ///< by its contents: a JSON object is GluonNLP's, pairs on all lines are `word_index`
  gluonnlp_json,  ///< the output of gluonnlp.Vocab.to_json(), with special tokens; or {"word": id, ...}
  word_index,     ///< lines "word index", as in MXNet's examples, or "index word"; ids may have gaps
  words,          ///< one word per line, from id 0 (BERT's vocab.txt); an empty line has an id but no word
};

/// The special tokens. A token that is not set is the one in the file, if the file names it; otherwise there
/// is none. Error(invalid_argument) if a token is not one of the words.
struct VocabularyOptions {
  VocabularyFormat format = VocabularyFormat::automatic;
  std::optional<std::string> unknown{};  ///< replaces every word that is not in the vocabulary
  std::optional<std::string> padding{};
  std::optional<std::string> begin{};
  std::optional<std::string> end{};
};

/// Words and their ids. Immutable and thread-safe.
class MXINFER_API Vocabulary {
 public:
  /// An empty vocabulary: size() is 0.
  Vocabulary();
  /// Gives `words[i]` the id i. If `words[i]` is empty, the id has no word. Throws Error(invalid_argument) if
  /// two words are equal, a word is not UTF-8, or a limit of load() is exceeded.
  explicit Vocabulary(std::vector<std::string> words, const VocabularyOptions& options = {});
  /// Reads a file at a path or address. A byte order mark and "\r\n" are recognised. Throws Error(not_found).
  /// Throws Error(malformed), which names the line or the word and what was expected, if:
  /// - the format is unknown, or there is no word
  /// - two words have one id, or one word has two ids
  /// - a word is not UTF-8 or has more than 65,536 bytes
  /// - an id is above 16,777,215
  static Vocabulary load(const std::string& uri, const VocabularyOptions& options = {});
  /// As load(), from memory.
  static Vocabulary parse(ByteSpan bytes, const VocabularyOptions& options = {});

  Vocabulary(const Vocabulary&) noexcept;
  Vocabulary& operator=(const Vocabulary&) noexcept;
  ~Vocabulary();

  /// Returns the largest id plus 1. An id in between may have no word: word() is then empty, and nothing
  /// finds it.
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// Returns the id of a word, or nothing if it is not in the vocabulary.
  [[nodiscard]] std::optional<std::int32_t> find(std::string_view word) const noexcept;
  /// Returns the id of a word, or that of the unknown token if the word is not in the vocabulary. Throws
  /// Error(invalid_argument) if there is no unknown token either.
  [[nodiscard]] std::int32_t id(std::string_view word) const;
  [[nodiscard]] std::vector<std::int32_t> ids(Span<const std::string> words) const;
  [[nodiscard]] std::vector<std::int32_t> ids(std::initializer_list<std::string_view> words) const;
  /// Returns the word of an id. Throws Error(invalid_argument) if `id` is not in 0 to size() - 1.
  [[nodiscard]] const std::string& word(std::int32_t id) const;
  [[nodiscard]] std::vector<std::string> words(Span<const std::int32_t> ids) const;

  /// Returns the id of a special token, or nothing if there is none.
  [[nodiscard]] std::optional<std::int32_t> unknown_id() const noexcept;
  [[nodiscard]] std::optional<std::int32_t> padding_id() const noexcept;
  [[nodiscard]] std::optional<std::int32_t> begin_id() const noexcept;
  [[nodiscard]] std::optional<std::int32_t> end_id() const noexcept;

  /// Returns the vocabulary as JSON that gluonnlp.Vocab.from_json reads. Throws Error(invalid_argument) if
  /// nearly all ids have no word, because the format lists each id.
  [[nodiscard]] std::string to_json() const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
