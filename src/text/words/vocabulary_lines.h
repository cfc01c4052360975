// Vocabularies written as lines: one word a line, or a word and its id.
//
//   VocabularyParts parts = read_word_lines("the\nof\n");        // ids 0 and 1
//   parts = read_index_lines("of 7\nthe\t3\n");                   // ids 3 and 7
//
// Lines end in "\n" or "\r\n". Whoever calls has taken a byte order mark away. Errors are Error(malformed).
#pragma once

#include <string_view>

#include "text/words/vocabulary_data.h"

namespace mxinfer::text {

/// A line is a word as it stands, blanks included. An empty line has an id and no word; at the end of the
/// text empty lines count for nothing.
VocabularyParts read_word_lines(std::string_view text);

/// "word id", parted by a tab or else by the last space; or "id word" on all lines, which is taken if what
/// stands last in the first line is not a number. Empty lines count for nothing.
VocabularyParts read_index_lines(std::string_view text);

/// Which of the two the text is, by its lines: all of them are a word and an id, or none of them is a list of
/// numbers or has a tab in it. Otherwise an error that says what was seen.
VocabularyParts read_any_lines(std::string_view text);

}  // namespace mxinfer::text
