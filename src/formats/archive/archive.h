// Archives from strangers: zip, tar and tar.gz files read into memory, member by member. Nothing is written
// to disk, and what could only be meant to do harm to a program that unpacks it is rejected.
//
//   for (const ArchiveMember& member : read_archive(*sources::open_file("model.tar.gz"))) ... member.name ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "formats/archive/archive_stream.h"
#include "sources/source.h"

namespace mxinfer::formats {

/// What an archive may hold; more is Error(malformed).
struct ArchiveLimits {
  std::int64_t members = 10'000;
  std::int64_t name_bytes = 4096;
  std::int64_t bytes = std::int64_t{8} << 30;  ///< of all members together
  /// They may be so many times larger than the archive itself; below `free_bytes` they may be any number of
  /// times larger, since no harm comes from that little.
  std::int64_t ratio = 100;
  std::int64_t free_bytes = std::int64_t{64} << 20;
};

struct ArchiveMember {
  std::string name;  ///< with '/' between folders; "./" and doubled slashes are gone
  std::vector<std::byte> bytes;
};

/// Goes by the first bytes: none if they are those of no archive.
ArchiveKind recognize_archive(const sources::Source& source);

/// What an archive of that many bytes may unpack to.
std::int64_t unpacked_limit(std::int64_t packed_bytes, const ArchiveLimits& limits);

/// The files in the order of the archive; folders are left out. Throws Error(malformed) naming archive and
/// member: for names that lead out of a folder (absolute, "..", backslashes, drives), links, devices, names
/// that are there twice, encrypted members, more than the limits, and what is damaged or cut short;
/// Error(unsupported) if the bytes are those of no archive.
std::vector<ArchiveMember> read_archive(const sources::Source& source, const ArchiveLimits& limits = {});

}  // namespace mxinfer::formats
