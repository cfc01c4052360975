// Access to the matrix of WordVectors as the weight of a node, for the layers below the public class.
//
//   std::shared_ptr<const Parameter> weight = WordVectorsAccess::parameter(vectors);   // (rows, dimensions)
#pragma once

#include <mxinfer/sequence/word_vectors.h>

#include <memory>
#include <string>

#include "tensor/parameter.h"

namespace mxinfer {
inline namespace MXINFER_ABI {

class WordVectorsAccess {
 public:
  /// Like WordVectors::load. If the file has no words, its rows are those of the ids of `vocabulary`, which
  /// is ignored otherwise.
  static WordVectors load(const std::string& uri, const Vocabulary& vocabulary);
  /// The matrix of the vectors, not a copy; for a mapped file, a parameter that reads the mapping on demand.
  /// It may outlive the vectors.
  static std::shared_ptr<const Parameter> parameter(const WordVectors& vectors);
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
