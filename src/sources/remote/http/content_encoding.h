// Files that a server stores compressed and always sends so: "Content-Encoding: gzip".
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

/// Accepts gzip and none. Throws Error(unsupported) for others.
void require_known_encoding(const std::string& encoding, const std::string& name);

/// Unpacks a gzip file of `size` bytes in place and returns the unpacked size. Throws Error(malformed) if it
/// is damaged, Error(invalid_argument) above `most_bytes`.
std::int64_t decode(TemporaryFile& file, std::int64_t size, std::int64_t most_bytes, const std::string& name);
/// The same in memory.
std::vector<std::byte> decoded(Span<const std::byte> packed, std::int64_t most_bytes,
                               const std::string& name);

}  // namespace mxinfer::sources
