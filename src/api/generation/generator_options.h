// The options of a generator, and of one call, against their ranges.
#pragma once

#include <mxinfer/sequence/generate_options.h>

#include <cstddef>

namespace mxinfer::api {

/// Error(invalid_argument) for an option out of its range, naming it and the range.
void check_generate_options(const GenerateOptions& options);

/// Error(invalid_argument) for a vocabulary of more words than the network gives scores.
void check_words(const Vocabulary& vocabulary, std::size_t scores);

/// The vocabulary, begin id and end id that are left open, from the tokenizer and the vocabulary.
GeneratorOptions with_vocabulary(GeneratorOptions options);

}  // namespace mxinfer::api
