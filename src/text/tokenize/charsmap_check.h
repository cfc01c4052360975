// The table of a normalizer of SentencePiece: its double array, and the texts that it points to.
#pragma once

#include <cstddef>
#include <string_view>

namespace mxinfer::text {

/// The longest text, in bytes. Throws Error(malformed) where a search in the table could leave it, or find
/// more matches than the library has places for.
std::size_t check_charsmap(std::string_view table);

}  // namespace mxinfer::text
