// Checks the options of a generator and of one call.
#pragma once

#include <mxinfer/sequence/generate_options.h>

#include <cstddef>

namespace mxinfer::api {

/// Throws Error(invalid_argument) with the name and range of an option that is out of range.
void check_generate_options(const GenerateOptions& options);

/// Throws Error(invalid_argument) for a vocabulary with more words than the network gives scores.
void check_words(const Vocabulary& vocabulary, std::size_t scores);

/// Completes the vocabulary, begin id and end id from the tokenizer and the vocabulary.
GeneratorOptions with_vocabulary(GeneratorOptions options);

}  // namespace mxinfer::api
