// The implementation of Vocabulary.
#pragma once

#include <mxinfer/sequence/vocabulary.h>

#include "text/words/vocabulary_data.h"

namespace mxinfer {
inline namespace MXINFER_ABI {

struct Vocabulary::Impl : text::VocabularyData {
  using VocabularyData::VocabularyData;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
