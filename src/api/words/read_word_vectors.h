// Reads files of word vectors.
//
//   WordVectorParts parts = load_word_vectors("glove.6B.50d.txt", options);
//   parts.matrix.row(parts.vocabulary.id("cat"));
#pragma once

#include <mxinfer/sequence/word_vectors.h>

#include <cstddef>
#include <memory>
#include <string>

#include "base/threads/thread_arena.h"
#include "text/words/word_matrix.h"

namespace mxinfer::api {

struct WordVectorParts {
  /// Throws Error(invalid_argument) for a vocabulary with more words than the matrix has rows.
  WordVectorParts(const Vocabulary& words, text::WordMatrix numbers, std::shared_ptr<ThreadArena> threads,
                  std::size_t left_out = 0);

  Vocabulary vocabulary;
  text::WordMatrix matrix;
  std::shared_ptr<ThreadArena> arena;  ///< the threads that compute with them
  std::size_t skipped;                 ///< words of the file that were left out
};

/// Throws Error(invalid_argument) for a negative count.
std::shared_ptr<ThreadArena> word_vector_arena(int threads);

/// Throws as WordVectors::parse() and WordVectors::load().
WordVectorParts parse_word_vectors(ByteSpan bytes, const WordVectorsOptions& options);
/// `for_others`: null, or words for files that have none, instead of WordVectorsOptions::vocabulary.
WordVectorParts load_word_vectors(const std::string& uri, const WordVectorsOptions& options,
                                  const Vocabulary* for_others = nullptr);

}  // namespace mxinfer::api
