// Checks what SentencePiece's library trusts in a model file, before the library reads it.
//
// The library reads the tables of its normalizers (double arrays) without looking where they point, and keeps
// matches in arrays of fixed sizes. With a damaged file it would read and write out of bounds, and with long
// pieces it would overflow the stack.
#pragma once

#include <cstddef>
#include <string_view>

namespace mxinfer::text {

inline constexpr std::size_t kMostModelBytes = std::size_t{256} << 20;

/// The longest text, in bytes, that the library can tokenize with the model: it counts the normalized text in
/// an int. Throws Error(malformed) if the bytes are not a model, or not one that is safe for the library.
std::size_t check_sentencepiece_model(std::string_view model);

}  // namespace mxinfer::text
