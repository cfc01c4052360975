// Files that a server stores packed, and sends so whatever was asked for: "Content-Encoding: gzip".
//
//   require_known_encoding("gzip", name);
//   size = decode(file, size, most_bytes, name);      // the file is its unpacked self
#pragma once

#include <mxinfer/span.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sources/remote/copies/temporary_file.h"

namespace mxinfer::sources {

/// Known are gzip, and none. Throws Error(unsupported).
void require_known_encoding(const std::string& encoding, const std::string& name);

/// Unpacks a gzip file of so many bytes in its place, and gives its size. Throws Error(malformed) if it is
/// damaged, Error(invalid_argument) above `most_bytes`.
std::int64_t decode(TemporaryFile& file, std::int64_t size, std::int64_t most_bytes, const std::string& name);
/// The same in memory.
std::vector<std::byte> decoded(Span<const std::byte> packed, std::int64_t most_bytes,
                               const std::string& name);

}  // namespace mxinfer::sources
