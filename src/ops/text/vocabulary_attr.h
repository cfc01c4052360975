// Vocabularies as attributes of nodes: a JSON list of words, the id being the position, or the object that
// GluonNLP's Vocab.to_json() writes.
#pragma once

#include <mxinfer/sequence/vocabulary.h>

#include <string>

namespace mxinfer::ops {

/// `unknown` names the unknown token of a list, or another than the object's; empty: none of its own. Throws
/// Error(malformed) for another text, or two equal words; Error(invalid_argument) for an unknown token that
/// is not there.
Vocabulary parse_vocabulary_attr(const std::string& text, const std::string& unknown);

/// The list, if that says all of the words and their ids; else the object. Errors as Vocabulary::to_json().
std::string vocabulary_attr(const Vocabulary& vocabulary);
/// Throws the error of Vocabulary::to_json() if nearly all ids have no word.
void require_few_gaps(const Vocabulary& vocabulary);
/// Empty if there is none.
std::string unknown_token(const Vocabulary& vocabulary);

}  // namespace mxinfer::ops
