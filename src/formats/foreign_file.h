// Recognises files that users give by mistake instead of a model's, by their first bytes, so that the message
// can name their kind.
#pragma once

#include <string>
#include <string_view>

namespace mxinfer::formats {

/// The apparent kind of the bytes ("a Git LFS pointer, not the file itself; ..."); empty if not recognised.
std::string recognize_foreign(std::string_view first_bytes);

/// Throws Error(malformed) if the text is recognised as something else than a symbol file, or is empty.
void reject_foreign_symbol(std::string_view text);

}  // namespace mxinfer::formats
