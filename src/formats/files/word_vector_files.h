// Word vectors in any of their files.
//
//   WordVectorsFile file = read_word_vectors({mapped->bytes(), mapped}, WordVectorsFormat::automatic, "");
#pragma once

#include <mxinfer/sequence/word_vectors.h>
#include <mxinfer/span.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "text/words/word_matrix.h"

namespace mxinfer::formats {

/// All bytes of a file. With an owner that keeps them, a matrix may stay among them.
struct FileBytes {
  Span<const std::byte> bytes;
  std::shared_ptr<const void> owner;  ///< null: the matrix is copied
};

struct WordVectorsFile {
  /// nullopt: the file has none, so a vocabulary is needed.
  std::optional<std::vector<std::string>> words;
  text::WordMatrix matrix;
  std::optional<std::string> unknown;
  std::size_t skipped = 0;  ///< as WordVectors::skipped()
};

/// `array`: as WordVectorsOptions::array. Runs on the threads of the arena that it is called in. Throws
/// Error(malformed), and Error(invalid_argument) for an array that is not there or no matrix of numbers.
WordVectorsFile read_word_vectors(const FileBytes& file, WordVectorsFormat format, const std::string& array);

}  // namespace mxinfer::formats
