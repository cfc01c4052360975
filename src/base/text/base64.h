// Base64 as of RFC 4648: A-Z a-z 0-9 + /, padded with =, without line breaks.
#pragma once

#include <mxinfer/span.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer {

std::string to_base64(Span<const std::byte> bytes);

/// Fills `dst`. Throws Error(malformed) if the text stands for more or fewer bytes than that, or is no
/// base64.
void from_base64(std::string_view text, Span<std::byte> dst);

/// All bytes that the text stands for. Throws Error(malformed) if it is no base64.
std::vector<std::byte> bytes_of_base64(std::string_view text);

}  // namespace mxinfer
