// ArchiveStream: the members of a zip or tar file, one after the other. It describes each of them;
// formats/archive/archive.h checks them.
//
//   const auto stream = open_archive_stream(*source, ArchiveKind::zip, allowance);
//   while (const auto entry = stream->next()) bytes = stream->unpack();
//
// Internal to this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sources/source.h"

namespace mxinfer::formats {

enum class ArchiveKind { none, zip, tar, tar_gz };

/// How many bytes may still be unpacked. An archive's stated sizes are only claims, so this is checked as the
/// bytes arrive.
struct Allowance {
  std::uint64_t left = 0;
  std::function<void()> reject;  ///< throws
  void take(std::uint64_t bytes) {
    if (bytes > left) reject();
    left -= bytes;
  }
};

struct ArchiveEntry {
  enum class Type { file, folder, link, special };
  std::string name;
  Type type = Type::file;
  bool encrypted = false;
};

/// Where a member's bytes stand in the source as they are.
struct StoredPlace {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::uint32_t checksum = 0;  ///< CRC-32, as the archive states it
};

class ArchiveStream {
 public:
  virtual ~ArchiveStream() = default;
  ArchiveStream(const ArchiveStream&) = delete;
  ArchiveStream& operator=(const ArchiveStream&) = delete;

  /// The next member; nullopt after the last.
  virtual std::optional<ArchiveEntry> next() = 0;
  /// The bytes of that member, once; a wrong checksum is an error. What the allowance's reject throws leaves
  /// here.
  virtual std::vector<std::byte> unpack() = 0;
  /// Where that member stands, unread and unchecked; nullopt if it is compressed or the format has no
  /// checksums.
  virtual std::optional<StoredPlace> stored() { return std::nullopt; }

 protected:
  ArchiveStream() = default;
};

/// Precondition: `kind` is not none, and `source` outlives the stream. Throws Error(malformed) for an
/// incomplete archive, as do the functions of the stream.
std::unique_ptr<ArchiveStream> open_archive_stream(const sources::Source& source, ArchiveKind kind,
                                                   Allowance allowance);

}  // namespace mxinfer::formats
