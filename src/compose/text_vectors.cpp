#include "compose/text_vectors.h"

#include <mxinfer/sequence/word_vectors.h>

namespace mxinfer::api {

TextVectors load_text_vectors(const std::string& uri) {
  const WordVectors vectors = WordVectors::load(uri);
  return {vectors.vocabulary(), Tensor::copy_of(vectors.matrix())};
}

}  // namespace mxinfer::api
