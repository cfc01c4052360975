// Vectors of words in front of a network, as the parameter of an Embedding.
//
//   const TextVectors vectors = load_text_vectors("glove.6B.50d.txt", vocabulary_of_the_ids);
#pragma once

#include <mxinfer/sequence/vocabulary.h>

#include <memory>
#include <string>

#include "tensor/parameter.h"

namespace mxinfer::api {

struct TextVectors {
  Vocabulary words;                         ///< whose ids are the rows
  std::shared_ptr<const Parameter> matrix;  ///< float32 (rows, numbers), at least as many as ids
};

/// Reads a file as WordVectors::load does. `ids` is the vocabulary of the rows; if empty, that of the file.
/// Each of its words gets its vector in the file; a word that the file lacks gets the vector of the file's
/// unknown token, or zeros if there is none. The rows of a file without words are already those of `ids`.
/// Throws Error(invalid_argument) if the file has none of the words, or no words and fewer rows.
TextVectors load_text_vectors(const std::string& uri, const Vocabulary& ids);

}  // namespace mxinfer::api
