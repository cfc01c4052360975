// Vectors of words in front of a network, as the parameter of an Embedding.
#pragma once

#include <mxinfer/sequence/vocabulary.h>
#include <mxinfer/tensor.h>

#include <string>

namespace mxinfer::api {

struct TextVectors {
  Vocabulary words;
  Tensor matrix;  ///< float32 (words, numbers)
};

/// Reads a file as WordVectors::load does.
TextVectors load_text_vectors(const std::string& uri);

}  // namespace mxinfer::api
