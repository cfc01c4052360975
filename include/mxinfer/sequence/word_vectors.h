// WordVectors: a vector for each word of a vocabulary (an embedding), as GloVe, word2vec and fastText write
// them. Use them to find similar words.
//
//   mxinfer::WordVectors vectors = mxinfer::WordVectors::load("glove.6B.50d.txt");
//   mxinfer::Span<const float> vector = vectors.vector("king");              // vectors.dimensions() numbers
//   for (const auto& [word, score, id] : vectors.nearest("king", 10)) std::cout << word << ' ' << score << '\n';
//   vectors.analogy("man", "king", "woman", 1)[0].word;                      // "queen"
//   mxinfer::Tensor rows = vectors.rows(vectors.vocabulary().ids({"a", "pleasant", "day"}));   // (3, 50)
//
// The similarity of two words is the cosine of their vectors, -1 to 1. A vector of zeros, or with a number
// that is not finite, has no direction: its cosine is 0, and it is not near any word.
//
// WordVectors are immutable and thread-safe. They are a handle: copies are cheap and share the numbers. A
// search reads every vector once, on WordVectorsOptions::threads threads. The first search also computes the
// lengths of the vectors, which are kept.
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/export.h>
#include <mxinfer/sequence/vocabulary.h>
#include <mxinfer/span.h>
#include <mxinfer/tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The format of a file of word vectors.
enum class WordVectorsFormat {
  automatic,  ///< by its contents
  /// One word per line: "king 0.5 -0.7 ...", separated by spaces or tabs. The first line may be "words
  /// dimensions", as word2vec and fastText (.vec) write it.
  text,
  word2vec,  ///< the binary form: "words dimensions", then each word, a space, and its numbers as float32
  npz,       ///< the output of gluonnlp.embedding.TokenEmbedding.serialize()
  npy,       ///< a NumPy matrix, for WordVectorsOptions::vocabulary
  params,    ///< one array of an MXNet .params file, for WordVectorsOptions::vocabulary
};

/// How word vectors are read and searched.
struct WordVectorsOptions {
  WordVectorsFormat format = WordVectorsFormat::automatic;
  /// The words of the rows, if the file has none (.npy, .params). There may be more rows than words.
  std::optional<Vocabulary> vocabulary{};
  /// The array of a .params file, such as "embedding0_weight". Empty: the only matrix in the file.
  std::string array{};
  /// A word of the file that replaces every word that is not there. Not set: the one that the file names
  /// (.npz); text names none. If `vocabulary` is set, its unknown token is used.
  std::optional<std::string> unknown{};
  /// false: maps a float32 matrix of a local .npy or .params file into memory instead of copying it. It is
  /// available at once, and processes share it. You may replace or delete the file, but writing to it or
  /// truncating it would crash the process. true: reads it.
  bool read_at_once = false;
  /// For loading and searching. 0: one for each core.
  int threads = 0;
};

/// A word that is near another.
struct NearWord {
  std::string word;
  float score = 0;  ///< the cosine, -1 to 1
  std::int32_t id = 0;
};

/// Which words a search returns.
struct NearestOptions {
  std::optional<float> min_score{};  ///< words with a lower cosine are left out
  /// Searches only this many words from the start, which are the most frequent ones in most files. 0: all.
  std::size_t first = 0;
  /// Whether the words that you ask about may be in the result.
  bool include_given = false;
};

/// A vector for each word. Immutable and thread-safe.
class MXINFER_API WordVectors {
 public:
  /// Reads a file at a path or address, which must not be truncated meanwhile. A word that occurs twice keeps
  /// its first vector, and a word that is not UTF-8 is left out; skipped() counts both, for text and word2vec
  /// files. Throws Error(not_found). Throws Error(malformed) if the format is unknown, lines have different
  /// lengths, a number is not finite, or there are fewer words than the first line says. Throws
  /// Error(invalid_argument) if the vocabulary is missing or has more words than there are rows, or if the
  /// array is missing or not a matrix.
  static WordVectors load(const std::string& uri, const WordVectorsOptions& options = {});
  /// As load(), from memory. The bytes are not needed after the call.
  static WordVectors parse(ByteSpan bytes, const WordVectorsOptions& options = {});
  /// `matrix` is float32 (rows, dimensions); row i belongs to the word with id i. Throws
  /// Error(invalid_argument) if the shape or dtype differs, or there are more words than rows.
  WordVectors(const Vocabulary& vocabulary, Tensor matrix, int threads = 0);

  WordVectors(const WordVectors&) noexcept;
  WordVectors& operator=(const WordVectors&) noexcept;
  ~WordVectors();

  [[nodiscard]] const Vocabulary& vocabulary() const noexcept;
  /// Returns how many numbers a vector has.
  [[nodiscard]] std::int64_t dimensions() const noexcept;
  /// Returns all vectors, float32 (rows, dimensions). Valid while a copy of this object lives.
  [[nodiscard]] TensorView matrix() const noexcept;
  /// Returns how many words of the file were left out.
  [[nodiscard]] std::size_t skipped() const noexcept;

  /// Returns the vector of a word, or of the unknown token. Valid as matrix(). Throws Error(invalid_argument)
  /// if the word is not there and there is no unknown token.
  [[nodiscard]] Span<const float> vector(std::string_view word) const;
  /// Returns row `id`. Throws Error(invalid_argument) if there is no such row.
  [[nodiscard]] Span<const float> vector(std::int32_t id) const;
  /// Returns a row for each id or word, float32 (n, dimensions). Throws as vector().
  [[nodiscard]] Tensor rows(Span<const std::int32_t> ids) const;
  [[nodiscard]] Tensor rows(Span<const std::string> words) const;

  /// Returns the cosine of two words. Throws Error(not_found), which lists words with a similar spelling, if
  /// one is not there.
  [[nodiscard]] float similarity(std::string_view a, std::string_view b) const;
  /// Returns the k nearest words (fewer if there are no more), best first; equal ones are in ascending order
  /// of id. Throws as similarity(), and Error(invalid_argument) if k is below 1.
  [[nodiscard]] std::vector<NearWord> nearest(std::string_view word, int k,
                                              const NearestOptions& options = {}) const;
  /// As above, for any vector. Throws Error(invalid_argument) unless it has dimensions() finite numbers.
  [[nodiscard]] std::vector<NearWord> nearest(Span<const float> vector, int k,
                                              const NearestOptions& options = {}) const;
  /// Returns what is to c as b is to a: the words nearest to b - a + c, each of length 1 (3CosAdd). Throws as
  /// nearest().
  [[nodiscard]] std::vector<NearWord> analogy(std::string_view a, std::string_view b, std::string_view c,
                                              int k, const NearestOptions& options = {}) const;

 private:
  friend class WordVectorsAccess;
  struct Impl;
  explicit WordVectors(std::shared_ptr<const Impl> impl) noexcept;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
