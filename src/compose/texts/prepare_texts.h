// Reads the files that a description of texts names, before the texts are attached to a network.
//
//   PreparedText prepared = prepare_text(text);      // its vocabulary, and the vectors of an embedding
#pragma once

#include <mxinfer/sequence/vocabulary.h>
#include <mxinfer/tools/transforms.h>

#include <memory>

#include "tensor/parameter.h"

namespace mxinfer::api {

/// A TextTransform with its files read.
struct PreparedText {
  TextTransform text;  ///< its steps are those to ids
  Vocabulary vocabulary{};
  std::shared_ptr<const Parameter> vectors{};  ///< (words, numbers) float32: an embedding follows; or null
};

/// Reads files. Throws Error with the step.
PreparedText prepare_text(const TextTransform& text);

}  // namespace mxinfer::api
