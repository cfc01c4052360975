// The records of a zip file, as PKWARE's APPNOTE describes them: the header in front of each member, the
// directory behind the last, and the end record that locates the directory.
//
// Numbers that do not fit into the 32 (or 16) bits of a record are all ones there, and stand in an extra
// field or in a record of their own ("zip64").
//
// Internal to this folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mxinfer::formats {

struct ZipLayout {
  static constexpr std::uint32_t kLocalSignature = 0x04034b50;
  static constexpr std::uint32_t kDirectorySignature = 0x02014b50;
  static constexpr std::uint32_t kEndSignature = 0x06054b50;
  static constexpr std::uint32_t kEnd64Signature = 0x06064b50;
  static constexpr std::uint32_t kLocator64Signature = 0x07064b50;

  static constexpr std::int64_t kLocalBytes = 30;
  static constexpr std::int64_t kEndBytes = 22;
  static constexpr std::int64_t kEnd64Bytes = 56;
  static constexpr std::int64_t kLocator64Bytes = 20;

  static constexpr std::uint16_t kStored = 0;
  static constexpr std::uint16_t kDeflated = 8;

  static constexpr std::uint16_t kEncrypted = 1U << 0;
  static constexpr std::uint16_t kSizesBehind = 1U << 3;  ///< size and checksum stand behind the data
  static constexpr std::uint16_t kStronglyEncrypted = 1U << 6;
  static constexpr std::uint16_t kUtf8Name = 1U << 11;
  static constexpr std::uint16_t kHeadersEncrypted = 1U << 13;

  static constexpr std::uint16_t kFull16 = 0xffff;
  static constexpr std::uint32_t kFull32 = 0xffffffff;
  static constexpr std::uint16_t kZip64Field = 0x0001;
  static constexpr std::uint16_t kAlignField = 0xd935;  ///< as Android's zipalign: the alignment, then zeros
  static constexpr std::uint8_t kUnix = 3, kMac = 19;   ///< made by: attributes hold the mode of the file
};

/// A member to be written.
struct ZipRecord {
  std::string name;
  bool deflated = false;
  std::uint32_t checksum = 0;
  std::uint64_t packed_bytes = 0;
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;  ///< of its header
  /// Padding in the header puts the member's bytes at a multiple of this.
  std::size_t alignment = 1;
};

/// The header in front of the member's bytes. Precondition, here and below: the name has at most 65535 bytes.
std::string zip_local_header(const ZipRecord& record);
/// Its entry in the directory.
std::string zip_directory_entry(const ZipRecord& record);
/// The records behind the directory.
std::string zip_end(std::uint64_t members, std::uint64_t directory_offset, std::uint64_t directory_bytes);

/// Takes numbers from the front of a record.
class ZipFields {
 public:
  /// `what` is for the message: "the directory".
  ZipFields(std::string_view bytes, const char* what) : bytes_(bytes), what_(what) {}

  std::size_t left() const { return bytes_.size(); }
  /// Throw Error(malformed) if fewer bytes are left.
  std::string_view take_bytes(std::size_t count);
  void skip(std::size_t count) { take_bytes(count); }
  std::uint16_t take16() { return static_cast<std::uint16_t>(take(2)); }
  std::uint32_t take32() { return static_cast<std::uint32_t>(take(4)); }
  std::uint64_t take64() { return take(8); }

 private:
  std::uint64_t take(std::size_t count);

  std::string_view bytes_;
  const char* what_;
};

}  // namespace mxinfer::formats
