#include "formats/archive/zip_directory.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

#include "base/checked.h"
#include "base/fail.h"
#include "formats/archive/zip_records.h"

namespace mxinfer::formats {
namespace {

constexpr std::int64_t kMostComment = 65535;
// A hundred thousand members with long names have less.
constexpr std::int64_t kMostDirectory = std::int64_t{64} << 20;

template <typename... Parts>
[[noreturn]] void no_zip(const Parts&... parts) {
  fail(ErrorCode::malformed, "not a complete zip archive: ", parts...);
}

// A number of 64 bits as a size or an offset.
std::int64_t size_of(std::uint64_t number) {
  if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    no_zip("it states a size of ", number, " bytes");
  return static_cast<std::int64_t>(number);
}

std::string read_range(const sources::Source& source, std::int64_t offset, std::int64_t bytes) {
  std::string range(static_cast<std::size_t>(bytes), '\0');
  source.read(offset, range.data(), range.size());
  return range;
}

// The contents of the end record.
struct DirectoryPlace {
  std::int64_t end = 0;  // where the record begins, and with it the directory ends
  std::uint64_t members = 0;
  std::int64_t bytes = 0;
  std::int64_t offset = 0;  // as stated, without what stands in front of the archive
};

[[noreturn]] void in_several_files() {
  fail(ErrorCode::malformed, "the zip archive is one part of several; join them with \"zip -s 0\"");
}

// The last record with a complete comment. Other bytes may follow the comment, left by tools that sign or
// copy archives.
DirectoryPlace find_end(const sources::Source& source) {
  const std::int64_t tail_bytes = std::min(source.size(), ZipLayout::kEndBytes + kMostComment);
  const std::string tail = read_range(source, source.size() - tail_bytes, tail_bytes);
  for (std::int64_t at = tail_bytes - ZipLayout::kEndBytes; at >= 0; --at) {
    ZipFields fields(std::string_view(tail).substr(static_cast<std::size_t>(at)), "the record at its end");
    if (fields.take32() != ZipLayout::kEndSignature) continue;
    const std::uint16_t disk = fields.take16(), directory_disk = fields.take16();
    const std::uint16_t here = fields.take16();
    DirectoryPlace place;
    place.end = source.size() - tail_bytes + at;
    place.members = fields.take16();
    place.bytes = fields.take32();
    place.offset = fields.take32();
    if (fields.take16() > fields.left()) continue;
    const bool full = disk == ZipLayout::kFull16 || directory_disk == ZipLayout::kFull16;  // stated by zip64
    if (!full && (disk != 0 || directory_disk != 0 || here != place.members)) in_several_files();
    return place;
  }
  no_zip("the directory at its end is missing; it was cut short, or is not a zip archive");
}

// Where the record of zip64 begins: where the locator says, or, with other bytes in front of the archive,
// directly before the locator.
std::int64_t find_end64(const sources::Source& source, std::uint64_t stated, std::int64_t locator) {
  for (const std::uint64_t at : {stated, static_cast<std::uint64_t>(locator - ZipLayout::kEnd64Bytes)}) {
    const auto offset = static_cast<std::int64_t>(at);
    if (!is_inside(offset, ZipLayout::kEnd64Bytes, locator)) continue;
    if (ZipFields(read_range(source, offset, 4), "").take32() == ZipLayout::kEnd64Signature) return offset;
  }
  no_zip("its record for large archives is not where it should be");
}

// Uses the numbers of zip64 instead, if there are any.
DirectoryPlace with_zip64(const sources::Source& source, const DirectoryPlace& place) {
  const std::int64_t locator = place.end - ZipLayout::kLocator64Bytes;
  if (locator < 0) return place;
  const std::string locator_bytes = read_range(source, locator, ZipLayout::kLocator64Bytes);
  ZipFields from(locator_bytes, "the locator");
  if (from.take32() != ZipLayout::kLocator64Signature) return place;
  from.skip(4);
  DirectoryPlace large;
  large.end = find_end64(source, from.take64(), locator);
  const std::string record = read_range(source, large.end, ZipLayout::kEnd64Bytes);
  ZipFields fields(record, "the record at its end");
  fields.skip(4 + 8 + 2 + 2);
  const std::uint32_t disk = fields.take32(), directory_disk = fields.take32();
  const std::uint64_t here = fields.take64();
  large.members = fields.take64();
  large.bytes = size_of(fields.take64());
  large.offset = size_of(fields.take64());
  if (disk != 0 || directory_disk != 0 || here != large.members) in_several_files();
  return large;
}

// The numbers that did not fit into the entry, in this order, each only if it did not fit.
void read_zip64_field(ZipFields field, ZipMember& member) {
  for (std::int64_t* number : {&member.bytes, &member.packed_bytes, &member.offset}) {
    if (*number == ZipLayout::kFull32) *number = size_of(field.take64());
  }
}

void read_extra(std::string_view extra, ZipMember& member) {
  ZipFields fields(extra, "an extra field of the directory");
  while (fields.left() >= 4) {  // some tools fill up with up to three zeros
    const std::uint16_t id = fields.take16();
    const std::string_view field = fields.take_bytes(fields.take16());
    if (id == ZipLayout::kZip64Field) read_zip64_field(ZipFields(field, "a field for large members"), member);
  }
}

ArchiveEntry::Type type_of(const ZipMember& member, unsigned system, std::uint32_t attributes) {
  constexpr std::uint32_t kDosFolder = 0x10;
  const bool unix_mode = system == ZipLayout::kUnix || system == ZipLayout::kMac;
  const std::uint32_t mode = unix_mode ? attributes >> 16 : 0;
  if (S_ISLNK(mode)) return ArchiveEntry::Type::link;
  const bool folder = unix_mode ? S_ISDIR(mode) : (attributes & kDosFolder) != 0;
  if (folder || member.name.ends_with('/')) return ArchiveEntry::Type::folder;
  // A mode need not say what kind of file it is.
  return S_ISREG(mode) || (mode & S_IFMT) == 0 ? ArchiveEntry::Type::file : ArchiveEntry::Type::special;
}

ZipMember read_entry(ZipFields& fields) {
  if (fields.take32() != ZipLayout::kDirectorySignature) no_zip("its directory is damaged");
  ZipMember member;
  const unsigned system = fields.take16() >> 8;
  fields.skip(2);  // the version that is needed
  member.flags = fields.take16();
  member.method = fields.take16();
  fields.skip(4);  // date and time
  member.checksum = fields.take32();
  member.packed_bytes = fields.take32();
  member.bytes = fields.take32();
  const std::uint16_t name_bytes = fields.take16(), extra_bytes = fields.take16();
  const std::uint16_t comment_bytes = fields.take16();
  fields.skip(2 + 2);  // disk, and whether it is text
  const std::uint32_t attributes = fields.take32();
  member.offset = fields.take32();
  member.name = fields.take_bytes(name_bytes);
  read_extra(fields.take_bytes(extra_bytes), member);
  fields.skip(comment_bytes);
  member.type = type_of(member, system, attributes);
  return member;
}

// Overlapping members would unpack to far more than the archive holds.
void place_members(std::vector<ZipMember>& members, std::int64_t prefix, std::int64_t directory) {
  for (ZipMember& member : members) {
    const auto offset = checked_add(member.offset, prefix);
    if (!offset || *offset >= directory)
      no_zip("member '", printable(member.name), "' is said to begin at byte ", member.offset,
             ", where there is no member");
    member.offset = *offset;
  }
  std::stable_sort(members.begin(), members.end(),
                   [](const ZipMember& a, const ZipMember& b) { return a.offset < b.offset; });
  for (std::size_t i = 0; i < members.size(); ++i) {
    ZipMember& member = members[i];
    member.end = i + 1 < members.size() ? members[i + 1].offset : directory;
    const std::int64_t header = ZipLayout::kLocalBytes + static_cast<std::int64_t>(member.name.size());
    const std::int64_t room = member.end - member.offset;
    if (!is_inside(header, member.packed_bytes, room))
      no_zip("member '", printable(member.name), "' of ", member.packed_bytes, " bytes from byte ",
             member.offset, " on cannot end before byte ", member.end, ", where something else begins");
  }
}

}  // namespace

std::vector<ZipMember> read_zip_directory(const sources::Source& source) {
  const DirectoryPlace place = with_zip64(source, find_end(source));
  if (place.bytes > place.end || place.offset > place.end - place.bytes)
    no_zip("its directory is said to have ", place.bytes, " bytes from byte ", place.offset,
           " on, but ends at byte ", place.end);
  if (place.bytes > kMostDirectory)
    fail(ErrorCode::malformed, "its directory has ", place.bytes, " bytes; the limit is ", kMostDirectory);
  if (place.members == 0) no_zip("it has no members");
  const std::int64_t start = place.end - place.bytes;
  const std::string directory = read_range(source, start, place.bytes);
  ZipFields fields(directory, "its directory");
  std::vector<ZipMember> members;
  while (fields.left() > 0) members.push_back(read_entry(fields));
  if (members.size() != place.members)
    no_zip("its directory holds ", members.size(), " members, and should hold ", place.members);
  place_members(members, start - place.offset, start);
  return members;
}

}  // namespace mxinfer::formats
