// Archives from untrusted sources: reads zip, tar and tar.gz files into memory, member by member. Writes
// nothing to disk, and rejects members that could only be meant to attack a program that unpacks them.
//
//   for (const ArchiveMember& member : read_archive(*sources::open_file("model.tar.gz"))) ... member.name ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "formats/archive/archive_stream.h"
#include "sources/source.h"

namespace mxinfer::formats {

/// The limits of an archive; exceeding them is Error(malformed).
struct ArchiveLimits {
  std::int64_t members = 10'000;
  std::int64_t name_bytes = 4096;
  std::int64_t bytes = std::int64_t{8} << 30;  ///< of all members together
  /// The members may exceed the archive by this factor. Up to `free_bytes` any factor is allowed, because
  /// that little does no harm.
  std::int64_t ratio = 100;
  std::int64_t free_bytes = std::int64_t{64} << 20;
};

struct ArchiveMember {
  std::string name;  ///< with '/' between folders; "./" and doubled slashes are gone
  std::vector<std::byte> bytes;
  /// Of a member that was left in the archive, if it is stored there as it is; `bytes` is then empty.
  std::optional<StoredPlace> place{};
};

/// Whether a member is left in the archive instead of being read. `before` are the members in front of it;
/// `place` is where it stands, null if it is compressed.
using LeavesMember = std::function<bool(const std::vector<ArchiveMember>& before, const std::string& name,
                                        const StoredPlace* place)>;

/// Looks at the first bytes; returns none if they are not an archive's.
ArchiveKind recognize_archive(const sources::Source& source);

/// What an archive of that many bytes may unpack to.
std::int64_t unpacked_limit(std::int64_t packed_bytes, const ArchiveLimits& limits);

/// The files in the order of the archive; folders are left out. Throws Error(malformed) naming archive and
/// member: for names that lead out of a folder (absolute, "..", backslashes, drives), links, devices,
/// duplicate names, encrypted members, exceeded limits, and damaged or truncated archives; Error(unsupported)
/// if the bytes are not an archive.
std::vector<ArchiveMember> read_archive(const sources::Source& source, const ArchiveLimits& limits = {},
                                        const LeavesMember& leaves = nullptr);

}  // namespace mxinfer::formats
