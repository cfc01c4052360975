// What WordVectors hold, for the layers below the public class: their matrix as the weight of a node.
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
  /// As WordVectors::load. Of a file that has no words the rows are those of the ids of `vocabulary`, which
  /// is not looked at otherwise.
  static WordVectors load(const std::string& uri, const Vocabulary& vocabulary);
  /// The matrix that the vectors have, and no copy of it; of a mapped file a parameter that is read from the
  /// mapping when it is asked for. It lives by itself.
  static std::shared_ptr<const Parameter> parameter(const WordVectors& vectors);
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
