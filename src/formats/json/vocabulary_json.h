// Vocabularies as GluonNLP writes them: gluonnlp.Vocab.to_json().
#pragma once

#include <string>
#include <string_view>

#include "text/words/vocabulary_data.h"

namespace mxinfer::formats {

/// An object with "idx_to_token", or one from words to ids. Of the first, special tokens may stand in
/// "identifiers_to_tokens", or beside it as versions before 0.8 wrote them; a word may be there twice if
/// "token_to_idx" says which of the two is found, as before 0.7. Unless it is empty or missing,
/// "token_to_idx" has every word but empty ones. Throws Error(malformed), naming the key.
text::VocabularyParts read_vocabulary_json(std::string_view text);

/// An id without a word is written as an empty one.
std::string write_vocabulary_json(const text::VocabularyData& vocabulary);

}  // namespace mxinfer::formats
