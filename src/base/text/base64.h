// Base64 as in RFC 4648: A-Z a-z 0-9 + /, padded with =, without line breaks.
#pragma once

#include <mxinfer/span.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer {

std::string to_base64(Span<const std::byte> bytes);

/// Decodes the text into `dst`. Throws Error(malformed) if it decodes to another number of bytes or is not
/// base64.
void from_base64(std::string_view text, Span<std::byte> dst);

/// Decodes the text. Throws Error(malformed) if it is not base64.
std::vector<std::byte> bytes_of_base64(std::string_view text);

}  // namespace mxinfer
