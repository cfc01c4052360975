// The headers of a tar file: POSIX ustar, what GNU tar and older ones make of it, and the records of pax,
// which say what a header has no room for. Internal to this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mxinfer::formats {

inline constexpr std::size_t kTarBlock = 512;

/// Whether the block holds the sum of its own bytes, as every header does.
bool is_tar_header(std::string_view block);

struct TarHeader {
  std::string name;
  std::int64_t bytes = 0;
  char type = '0';
};

/// Precondition: is_tar_header. Throws Error(malformed) if the size is no number, negative, or larger than
/// any file.
TarHeader parse_tar_header(std::string_view block);

/// What pax headers say about the member that follows. Of the other keys (dates, owners, where a link points)
/// none is needed.
struct PaxFields {
  std::optional<std::string> path;
  std::optional<std::int64_t> bytes;
  bool sparse = false;  ///< the member lacks what is zeros in the file
};

/// Adds records "LENGTH KEY=VALUE\n", which replace those of the same key. Throws Error(malformed) for what
/// is no such record.
void read_pax_records(std::string_view records, PaxFields& fields);

}  // namespace mxinfer::formats
