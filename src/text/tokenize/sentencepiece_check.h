// What SentencePiece's library takes on trust in a model's file, checked before it is given one.
//
// The library reads the tables of its normalizers (double arrays) without looking where they point, and keeps
// matches in arrays of fixed sizes. With a damaged file it would read and write outside of them, and with
// long pieces run out of its stack.
#pragma once

#include <cstddef>
#include <string_view>

namespace mxinfer::text {

inline constexpr std::size_t kMostModelBytes = std::size_t{256} << 20;

/// The longest text, in bytes, that the library can cut with the model: what it makes of a text it counts in
/// an int. Throws Error(malformed) if the bytes are no model, or one that the library cannot be trusted with.
std::size_t check_sentencepiece_model(std::string_view model);

}  // namespace mxinfer::text
