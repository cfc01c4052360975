// Vocabulary: the words (or subwords, or characters) that a network knows, each at the number, its id, by
// which the network is given it.
//
//   mxinfer::Vocabulary vocabulary = mxinfer::Vocabulary::load("vocab.json");
//   std::int32_t id = vocabulary.id("pleasant");                // that of the unknown token if it is not there
//   vocabulary.word(id);                                        // and back
//   std::vector<std::int32_t> ids = vocabulary.ids({"a", "pleasant", "day"});
//
// A vocabulary is immutable and a handle: copies are cheap and share its words, and any thread may use it.
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

/// How the file of a vocabulary is written.
enum class VocabularyFormat {
  automatic,      ///< by its contents: a JSON object is GluonNLP's, pairs on all lines are `word_index`
  gluonnlp_json,  ///< what gluonnlp.Vocab.to_json() writes, special tokens included; or {"word": id, ...}
  word_index,     ///< lines "word index", as of MXNet's examples, or "index word"; ids may have gaps
  words,          ///< one a line, the first has the id 0 (BERT's vocab.txt); an empty line has an id, no word
};

/// What is not said here is what the file says, and where it says nothing there is none. A token that is
/// named here must be one of the words: Error(invalid_argument).
struct VocabularyOptions {
  VocabularyFormat format = VocabularyFormat::automatic;
  std::optional<std::string> unknown{};  ///< stands for every word that is not there
  std::optional<std::string> padding{};
  std::optional<std::string> begin{};
  std::optional<std::string> end{};
};

class MXINFER_API Vocabulary {
 public:
  /// None: size() is 0.
  Vocabulary();
  /// `words[i]` has the id i; for an empty one the id has no word. Errors (invalid_argument): two equal
  /// words, invalid UTF-8, the limits of load().
  explicit Vocabulary(std::vector<std::string> words, const VocabularyOptions& options = {});
  /// Reads a file, by path or address; a byte order mark and "\r\n" are taken as they are meant. Errors:
  /// not_found; malformed for a file of no known format or without a word, for two words with one id, one
  /// word with two, invalid UTF-8, ids beyond 16,777,215 and words of more than 65,536 bytes: it names the
  /// line or the word and what was expected.
  static Vocabulary load(const std::string& uri, const VocabularyOptions& options = {});
  /// The same from memory.
  static Vocabulary parse(ByteSpan bytes, const VocabularyOptions& options = {});

  Vocabulary(const Vocabulary&) noexcept;
  Vocabulary& operator=(const Vocabulary&) noexcept;
  ~Vocabulary();

  /// The largest id and one more. Of an id between that no word has, word() is empty; nothing finds it.
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// Nothing if it is not one of the words.
  [[nodiscard]] std::optional<std::int32_t> find(std::string_view word) const noexcept;
  /// That of the unknown token if it is not one of the words; Error(invalid_argument) if there is none.
  [[nodiscard]] std::int32_t id(std::string_view word) const;
  [[nodiscard]] std::vector<std::int32_t> ids(Span<const std::string> words) const;
  [[nodiscard]] std::vector<std::int32_t> ids(std::initializer_list<std::string_view> words) const;
  /// Error(invalid_argument) if `id` is not one of 0 to size() - 1.
  [[nodiscard]] const std::string& word(std::int32_t id) const;
  [[nodiscard]] std::vector<std::string> words(Span<const std::int32_t> ids) const;

  [[nodiscard]] std::optional<std::int32_t> unknown_id() const noexcept;
  [[nodiscard]] std::optional<std::int32_t> padding_id() const noexcept;
  [[nodiscard]] std::optional<std::int32_t> begin_id() const noexcept;
  [[nodiscard]] std::optional<std::int32_t> end_id() const noexcept;

  /// As gluonnlp.Vocab.from_json reads it. Error(invalid_argument) if nearly all ids have no word: the format
  /// lists each of them.
  [[nodiscard]] std::string to_json() const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
