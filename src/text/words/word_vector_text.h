// Word vectors as text: a word and its numbers per line, as GloVe, word2vec and fastText write them.
//
//   WordRows rows = read_vector_lines("king 0.5 -0.7\nqueen 0.4 -0.6\n");
#pragma once

#include <mxinfer/tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::text {

/// Words, and a matrix with one row for each.
struct WordRows {
  std::vector<std::string> words;
  Tensor matrix;            ///< float32, (words, dimensions)
  std::size_t skipped = 0;  ///< dropped words: duplicates, or not UTF-8
};

/// The header line, two whole numbers.
struct VectorCounts {
  std::int64_t words = 0;
  std::int64_t dimensions = 0;
};

/// nullopt if the line is not a header.
std::optional<VectorCounts> counts_of(std::string_view first_line);

/// Reads pieces of the text in parallel, on the threads of the current arena. A word may contain spaces: the
/// last numbers of a line are the vector. Empty lines are ignored. Throws Error(malformed) with the line.
WordRows read_vector_lines(std::string_view text);

/// The binary form of word2vec. Precondition: counts_of(its first line).
WordRows read_word2vec(std::string_view bytes);

}  // namespace mxinfer::text
