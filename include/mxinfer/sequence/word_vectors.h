// WordVectors: a vector for each word of a vocabulary (an embedding), as GloVe, word2vec and fastText write
// them, and which words are near to one another.
//
//   mxinfer::WordVectors vectors = mxinfer::WordVectors::load("glove.6B.50d.txt");
//   mxinfer::Span<const float> vector = vectors.vector("king");              // vectors.dimensions() numbers
//   for (const auto& [word, score, id] : vectors.nearest("king", 10)) std::cout << word << ' ' << score << '\n';
//   vectors.analogy("man", "king", "woman", 1)[0].word;                      // "queen"
//   mxinfer::Tensor rows = vectors.rows(vectors.vocabulary().ids({"a", "pleasant", "day"}));   // (3, 50)
//
// Two words are compared by the cosine of their vectors, -1 to 1. A vector of zeros, or one with a number
// that is not finite, has no direction: its cosine is 0, and it is near to nothing.
//
// WordVectors are immutable and a handle: copies are cheap and share the numbers, and any thread may use
// them. A search reads every vector once, on the threads of WordVectorsOptions::threads; the first one also
// computes the vectors' lengths, which are kept.
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

/// How the file of word vectors is written.
enum class WordVectorsFormat {
  automatic,  ///< by its contents
  /// A line a word: "king 0.5 -0.7 ...", with spaces or tabs between. The first line may be "words
  /// dimensions", as word2vec and fastText (.vec) write it.
  text,
  word2vec,  ///< the binary form: "words dimensions", then each word, a space, and its numbers as float32
  npz,       ///< what gluonnlp.embedding.TokenEmbedding.serialize() writes
  npy,       ///< a matrix of NumPy's, for WordVectorsOptions::vocabulary
  params,    ///< one array of a .params file of MXNet's, for WordVectorsOptions::vocabulary
};

struct WordVectorsOptions {
  WordVectorsFormat format = WordVectorsFormat::automatic;
  /// The words of the rows, where the file has none (.npy, .params). There may be more rows than words.
  std::optional<Vocabulary> vocabulary{};
  /// Which array of a .params file, such as "embedding0_weight". Empty: the only matrix there is.
  std::string array{};
  /// Stands for every word that is not there: one of the words of the file. Nothing: what the file says
  /// (.npz); text names none. A vocabulary that is given says it itself.
  std::optional<std::string> unknown{};
  /// false: a matrix of float32 in a .npy or .params file on this machine is mapped into memory and not
  /// copied: it is there at once, and processes share it. The file may be replaced or deleted, but not
  /// written to or cut short, which would end the process. true: it is read.
  bool read_at_once = false;
  /// For loading and for searches; 0: one for each core.
  int threads = 0;
};

/// A word that is near to another.
struct NearWord {
  std::string word;
  float score = 0;  ///< the cosine, -1 to 1
  std::int32_t id = 0;
};

struct NearestOptions {
  std::optional<float> min_score{};  ///< words of a lower cosine are left out
  /// The first so many words alone, which are the frequent ones in most files; 0: all.
  std::size_t first = 0;
  /// Whether the words that are asked about may be among the answers.
  bool include_given = false;
};

class MXINFER_API WordVectors {
 public:
  /// Reads a file, by path or address; it must not be cut short meanwhile. A word that is there twice keeps
  /// its first vector, and a word that is not UTF-8 has none: skipped() counts both, in text and word2vec
  /// files. Errors: not_found; malformed for a file of no known format, lines of different lengths, numbers
  /// that are not finite, fewer words than the first line says; invalid_argument for a vocabulary that is
  /// missing, or has more words than there are rows, and for an array that is not there or no matrix.
  static WordVectors load(const std::string& uri, const WordVectorsOptions& options = {});
  /// The same from memory, which is needed for this call alone.
  static WordVectors parse(ByteSpan bytes, const WordVectorsOptions& options = {});
  /// `matrix` is (rows, dimensions), float32; row i belongs to the word with the id i. Errors
  /// (invalid_argument): another shape or dtype, more words than rows.
  WordVectors(const Vocabulary& vocabulary, Tensor matrix, int threads = 0);

  WordVectors(const WordVectors&) noexcept;
  WordVectors& operator=(const WordVectors&) noexcept;
  ~WordVectors();

  [[nodiscard]] const Vocabulary& vocabulary() const noexcept;
  /// Numbers in each vector.
  [[nodiscard]] std::int64_t dimensions() const noexcept;
  /// All of them, (rows, dimensions), float32; valid while one of the handles lives.
  [[nodiscard]] TensorView matrix() const noexcept;
  [[nodiscard]] std::size_t skipped() const noexcept;

  /// The vector of a word, or that of the unknown token; valid as matrix(). Error(invalid_argument) if the
  /// word is not there and there is no unknown token.
  [[nodiscard]] Span<const float> vector(std::string_view word) const;
  /// Error(invalid_argument) if there is no row `id`.
  [[nodiscard]] Span<const float> vector(std::int32_t id) const;
  /// A row for each id or word, (n, dimensions), float32. Errors as vector().
  [[nodiscard]] Tensor rows(Span<const std::int32_t> ids) const;
  [[nodiscard]] Tensor rows(Span<const std::string> words) const;

  /// The cosine of two words. Error(not_found) for a word that is not there, with those that are written
  /// like it.
  [[nodiscard]] float similarity(std::string_view a, std::string_view b) const;
  /// The k nearest words (fewer if there are no more), best first; equal ones by rising id. Errors: not_found
  /// as similarity(); invalid_argument for k below 1.
  [[nodiscard]] std::vector<NearWord> nearest(std::string_view word, int k,
                                              const NearestOptions& options = {}) const;
  /// The same of any vector. Error(invalid_argument) if it has not dimensions() finite numbers.
  [[nodiscard]] std::vector<NearWord> nearest(Span<const float> vector, int k,
                                              const NearestOptions& options = {}) const;
  /// What is to c as b is to a: the words nearest to b - a + c, each of length 1 (3CosAdd). Errors as
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
