// Vocabularies written as lines: one word a line, or a word and its id.
//
//   VocabularyParts parts = read_word_lines("the\nof\n");        // ids 0 and 1
//   parts = read_index_lines("of 7\nthe\t3\n");                   // ids 3 and 7
//
// Lines end in "\n" or "\r\n". Precondition: no byte order mark. Errors are Error(malformed).
#pragma once

#include <string_view>

#include "text/words/vocabulary_data.h"

namespace mxinfer::text {

/// Each line is a word, blanks included. An empty line has an id but no word; empty lines at the end of the
/// text are ignored.
VocabularyParts read_word_lines(std::string_view text);

/// "word id", separated by a tab or else by the last space; or "id word" on all lines, if the first line does
/// not end in a number. Empty lines are ignored.
VocabularyParts read_index_lines(std::string_view text);

/// Detects which of the two the text is: either all lines are a word and an id, or no line is a list of
/// numbers or contains a tab. Otherwise throws an error that says what was found.
VocabularyParts read_any_lines(std::string_view text);

}  // namespace mxinfer::text
