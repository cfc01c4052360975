#include "formats/archive/zip_records.h"

#include <algorithm>

#include "base/fail.h"
#include "base/utf8.h"

namespace mxinfer::formats {
namespace {

// Versions of the format that a reader must know.
constexpr std::uint16_t kStoredVersion = 10, kDeflatedVersion = 20, kZip64Version = 45;
// The first day that the format can state. Members have no date, and some readers do not like month 0.
constexpr std::uint16_t kNoTime = 0, kFirstDay = 0x0021;
constexpr std::uint32_t kRegularFile = 0100644U << 16;

void put(std::string& to, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>((value >> (8 * i)) & 0xff);
}
void put16(std::string& to, std::uint64_t value) {
  put(to, value, 2);
}
void put32(std::string& to, std::uint64_t value) {
  put(to, value, 4);
}
void put64(std::string& to, std::uint64_t value) {
  put(to, value, 8);
}

std::uint64_t in16(std::uint64_t value) {
  return std::min<std::uint64_t>(value, ZipLayout::kFull16);
}
std::uint64_t in32(std::uint64_t value) {
  return std::min<std::uint64_t>(value, ZipLayout::kFull32);
}

bool is_ascii(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string zip64_field(const std::string& numbers) {
  std::string field;
  if (numbers.empty()) return field;
  put16(field, ZipLayout::kZip64Field);
  put16(field, numbers.size());
  return field + numbers;
}

// Version to version, what the header of a member and its part of the directory have in common.
void put_common(std::string& to, const ZipRecord& record, bool zip64, std::uint64_t packed,
                std::uint64_t bytes) {
  put16(to, zip64 ? kZip64Version : record.deflated ? kDeflatedVersion : kStoredVersion);
  put16(to, !is_ascii(record.name) && is_utf8(record.name) ? ZipLayout::kUtf8Name : 0);
  put16(to, record.deflated ? ZipLayout::kDeflated : ZipLayout::kStored);
  put16(to, kNoTime);
  put16(to, kFirstDay);
  put32(to, record.checksum);
  put32(to, packed);
  put32(to, bytes);
  put16(to, record.name.size());
}

// Pads a header that has `bytes` bytes without it.
std::string align_field(const ZipRecord& record, std::size_t bytes) {
  constexpr std::size_t kFixed = 6;  // its number, its size and the alignment
  const std::size_t end = static_cast<std::size_t>(record.offset) + bytes + kFixed;
  const std::size_t padding = (record.alignment - end % record.alignment) % record.alignment;
  std::string field;
  put16(field, ZipLayout::kAlignField);
  put16(field, 2 + padding);
  put16(field, record.alignment);
  return field + std::string(padding, '\0');
}

}  // namespace

std::string zip_local_header(const ZipRecord& record) {
  // Here both sizes are in the extra field, or none is.
  const bool zip64 = std::max(record.packed_bytes, record.bytes) >= ZipLayout::kFull32;
  std::string numbers;
  if (zip64) {
    put64(numbers, record.bytes);
    put64(numbers, record.packed_bytes);
  }
  std::string extra = zip64_field(numbers);
  if (record.alignment > 1) {
    extra += align_field(
        record, static_cast<std::size_t>(ZipLayout::kLocalBytes) + record.name.size() + extra.size());
  }
  std::string header;
  put32(header, ZipLayout::kLocalSignature);
  put_common(header, record, zip64, zip64 ? ZipLayout::kFull32 : record.packed_bytes,
             zip64 ? ZipLayout::kFull32 : record.bytes);
  put16(header, extra.size());
  return header + record.name + extra;
}

std::string zip_directory_entry(const ZipRecord& record) {
  std::string numbers;
  for (const std::uint64_t number : {record.bytes, record.packed_bytes, record.offset}) {
    if (number >= ZipLayout::kFull32) put64(numbers, number);
  }
  const std::string extra = zip64_field(numbers);
  std::string entry;
  put32(entry, ZipLayout::kDirectorySignature);
  put16(entry, (ZipLayout::kUnix << 8) | kZip64Version);
  put_common(entry, record, !extra.empty(), in32(record.packed_bytes), in32(record.bytes));
  put16(entry, extra.size());
  put16(entry, 0);  // no comment
  put16(entry, 0);  // on the first disk
  put16(entry, 0);  // not said to be text
  put32(entry, kRegularFile);
  put32(entry, in32(record.offset));
  return entry + record.name + extra;
}

std::string zip_end(std::uint64_t members, std::uint64_t directory_offset, std::uint64_t directory_bytes) {
  std::string end;
  if (members >= ZipLayout::kFull16 || std::max(directory_offset, directory_bytes) >= ZipLayout::kFull32) {
    put32(end, ZipLayout::kEnd64Signature);
    put64(end, ZipLayout::kEnd64Bytes - 12);  // of what follows
    put16(end, (ZipLayout::kUnix << 8) | kZip64Version);
    put16(end, kZip64Version);
    put32(end, 0);  // this disk, and that of the directory
    put32(end, 0);
    put64(end, members);
    put64(end, members);
    put64(end, directory_bytes);
    put64(end, directory_offset);
    put32(end, ZipLayout::kLocator64Signature);
    put32(end, 0);
    put64(end, directory_offset + directory_bytes);
    put32(end, 1);  // disks
  }
  put32(end, ZipLayout::kEndSignature);
  put16(end, 0);
  put16(end, 0);
  put16(end, in16(members));
  put16(end, in16(members));
  put32(end, in32(directory_bytes));
  put32(end, in32(directory_offset));
  put16(end, 0);  // no comment
  return end;
}

std::string_view ZipFields::take_bytes(std::size_t count) {
  if (count > bytes_.size())
    fail(ErrorCode::malformed, "not a complete zip archive: ", what_, " is cut short (", count,
         " bytes are needed, ", bytes_.size(), " are left)");
  const std::string_view taken = bytes_.substr(0, count);
  bytes_.remove_prefix(count);
  return taken;
}

std::uint64_t ZipFields::take(std::size_t count) {
  const std::string_view bytes = take_bytes(count);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return value;
}

}  // namespace mxinfer::formats
