// The headers of a tar file: POSIX ustar, the variants of GNU tar and older tools, and pax records, which
// hold what does not fit into a header. Internal to this folder.
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

/// The pax header of the following member. No other keys (dates, owners, link targets) are needed.
struct PaxFields {
  std::optional<std::string> path;
  std::optional<std::int64_t> bytes;
  bool sparse = false;  ///< the member lacks what is zeros in the file
};

/// Adds records "LENGTH KEY=VALUE\n", which replace those of the same key. Throws Error(malformed) for what
/// is no such record.
void read_pax_records(std::string_view records, PaxFields& fields);

}  // namespace mxinfer::formats
