// The directory of a zip file, which alone determines its members: the header of a member must agree with it,
// and bytes outside its entries are ignored.
//
// Internal to this folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/archive/archive_stream.h"
#include "sources/source.h"

namespace mxinfer::formats {

struct ZipMember {
  std::string name;  ///< as it is in the file
  ArchiveEntry::Type type = ArchiveEntry::Type::file;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t checksum = 0;
  std::int64_t packed_bytes = 0;
  std::int64_t bytes = 0;
  std::int64_t offset = 0;  ///< of its header, in the source
  std::int64_t end = 0;     ///< where the next member begins, or the directory
};

/// The members in the order of their bytes, each of which ends before the next one begins. Bytes may stand in
/// front of the archive, and behind it up to 64 KiB. Throws Error(malformed) if there is no directory, it is
/// damaged, or it is empty.
std::vector<ZipMember> read_zip_directory(const sources::Source& source);

}  // namespace mxinfer::formats
