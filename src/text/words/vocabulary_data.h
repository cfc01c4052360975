// The data of a Vocabulary, and its construction from the parts that a file or a caller gives.
#pragma once

#include <mxinfer/error.h>
#include <mxinfer/sequence/vocabulary.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/words/word_table.h"

namespace mxinfer::text {

inline constexpr std::size_t kMostWords = std::size_t{1} << 24;
inline constexpr std::size_t kLongestWord = 65'536;

/// A vocabulary as read from a file.
struct VocabularyParts {
  std::vector<std::string> words{};
  /// The id of each word, ascending; if empty, word i has the id i.
  std::vector<std::int32_t> ids{};
  /// Words that may appear twice, as in files of GluonNLP before 0.7: the positions at which they are found.
  /// Any other duplicate is an error.
  std::vector<std::size_t> found_at{};
  std::optional<std::string> unknown{};
  std::optional<std::string> padding{};
  std::optional<std::string> begin{};
  std::optional<std::string> end{};
  /// Special tokens that mean nothing to Vocabulary ("mask_token", "[MASK]"), kept for to_json().
  std::vector<std::pair<std::string, std::string>> identifiers{};
};

/// If nearly all ids have no word, a list of all of them would take far more memory than the words.
constexpr bool has_mostly_gaps(std::size_t words, std::size_t ids) {
  return ids > 16 * words + 65'536;
}

/// "\"pleasant\"", safe to print.
std::string quoted(const std::string& word);

class VocabularyData {
 public:
  /// Checks the parts. Throws Error(code) if they are incomplete or inconsistent, and Error(invalid_argument)
  /// if the options name a token that is not among the words.
  VocabularyData(VocabularyParts parts, const VocabularyOptions& options, ErrorCode code);

  std::int32_t id_at(std::size_t position) const noexcept {
    return ids.empty() ? static_cast<std::int32_t>(position) : ids[position];
  }
  std::optional<std::int32_t> find(std::string_view word) const noexcept;

  WordTable table{};
  std::vector<std::int32_t> ids;  ///< as VocabularyParts::ids
  std::size_t size = 0;           ///< the largest id plus 1
  std::optional<std::int32_t> unknown{};
  std::optional<std::int32_t> padding{};
  std::optional<std::int32_t> begin{};
  std::optional<std::int32_t> end{};
  std::vector<std::pair<std::string, std::string>> identifiers;

 private:
  /// The id of a special token: the caller's, or the one that the file names.
  std::optional<std::int32_t> special(const char* what, const std::optional<std::string>& asked,
                                      const std::optional<std::string>& in_file, ErrorCode code) const;
};

}  // namespace mxinfer::text
