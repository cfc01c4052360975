// What users give by mistake in place of a model's files, recognised by its first bytes, so that the message
// can say what it is.
#pragma once

#include <string>
#include <string_view>

namespace mxinfer::formats {

/// What the bytes seem to be ("a Git LFS pointer, not the file itself; ..."), empty if nothing is
/// recognised.
std::string recognize_foreign(std::string_view first_bytes);

/// Throws Error(malformed) if the text is recognised as something else than a symbol file, or is empty.
void reject_foreign_symbol(std::string_view text);

}  // namespace mxinfer::formats
