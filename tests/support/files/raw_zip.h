// Makes zip files field by field, right or wrong, independently of the library's writer.
//
//   RawZip zip;
//   zip.add({.name = "a", .data = "text", .local_name = "b"});
//   std::string bytes = zip.finish();
#pragma once

#include <zlib.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer::test {

inline std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>((value >> (8 * i)) & 0xff);
  return text;
}

inline std::string raw_deflate(const std::string& bytes) {
  z_stream stream{};
  std::string packed(bytes.size() + 1000, '\0');
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline std::uint32_t crc_of(const std::string& bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

/// What is not given follows from `data`; `local_` is what the member's own header says instead of the
/// directory.
struct RawZipMember {
  std::string name{};
  std::string data{};
  bool deflated = false;
  std::optional<std::string> packed{};
  std::optional<std::uint32_t> checksum{}, packed_bytes{}, bytes{}, offset{};
  std::optional<std::uint32_t> local_checksum{}, local_packed_bytes{}, local_bytes{};
  std::optional<std::uint16_t> method{}, local_method{}, local_flags{};
  std::uint16_t flags = 0;
  std::optional<std::string> local_name{};
  std::string extra{}, local_extra{}, comment{};
  std::string descriptor{};  ///< between the member's bytes and what follows
  std::uint16_t made_by = 3 << 8;
  std::uint32_t attributes = 0100644U << 16;
};

struct RawZipEnd {
  std::optional<std::uint64_t> members{}, here{}, bytes{}, offset{};
  std::uint16_t disk = 0;
  bool zip64 = false;
  std::optional<std::uint64_t> record_at{};
  std::string comment{};
  std::optional<std::uint16_t> comment_bytes{};
};

class RawZip {
 public:
  RawZip& add(const RawZipMember& member) {
    const std::string packed =
        member.packed.value_or(member.deflated ? raw_deflate(member.data) : member.data);
    const auto packed_bytes = member.packed_bytes.value_or(static_cast<std::uint32_t>(packed.size()));
    const auto bytes = member.bytes.value_or(static_cast<std::uint32_t>(member.data.size()));
    const std::uint32_t checksum = member.checksum.value_or(crc_of(member.data));
    const std::uint16_t method = member.method.value_or(member.deflated ? 8 : 0);
    const std::string local_name = member.local_name.value_or(member.name);
    directory_ += little(0x02014b50, 4) + little(member.made_by | 20, 2) + little(20, 2) +
                  little(member.flags, 2) + little(method, 2) + little(0x00210000, 4) + little(checksum, 4) +
                  little(packed_bytes, 4) + little(bytes, 4) + little(member.name.size(), 2) +
                  little(member.extra.size(), 2) + little(member.comment.size(), 2) + little(0, 4) +
                  little(member.attributes, 4) +
                  little(member.offset.value_or(static_cast<std::uint32_t>(body_.size())), 4) + member.name +
                  member.extra + member.comment;
    body_ += little(0x04034b50, 4) + little(20, 2) + little(member.local_flags.value_or(member.flags), 2) +
             little(member.local_method.value_or(method), 2) + little(0x00210000, 4) +
             little(member.local_checksum.value_or(checksum), 4) +
             little(member.local_packed_bytes.value_or(packed_bytes), 4) +
             little(member.local_bytes.value_or(bytes), 4) + little(local_name.size(), 2) +
             little(member.local_extra.size(), 2) + local_name + member.local_extra + packed +
             member.descriptor;
    ++members_;
    return *this;
  }

  /// Bytes that belong to no member.
  RawZip& fill(const std::string& bytes) {
    body_ += bytes;
    return *this;
  }

  std::string finish(const RawZipEnd& end = {}) const {
    const std::uint64_t members = end.members.value_or(members_);
    const std::uint64_t here = end.here.value_or(members);
    const std::uint64_t bytes = end.bytes.value_or(directory_.size());
    const std::uint64_t offset = end.offset.value_or(body_.size());
    std::string file = body_ + directory_;
    if (end.zip64) {
      const std::uint64_t record = end.record_at.value_or(file.size());
      file += little(0x06064b50, 4) + little(44, 8) + little(45, 2) + little(45, 2) + little(end.disk, 4) +
              little(end.disk, 4) + little(here, 8) + little(members, 8) + little(bytes, 8) +
              little(offset, 8);
      file += little(0x07064b50, 4) + little(0, 4) + little(record, 8) + little(1, 4);
      file += little(0x06054b50, 4) + std::string(16, '\xff');
    } else {
      file += little(0x06054b50, 4) + little(end.disk, 2) + little(end.disk, 2) + little(here, 2) +
              little(members, 2) + little(bytes, 4) + little(offset, 4);
    }
    return file + little(end.comment_bytes.value_or(static_cast<std::uint16_t>(end.comment.size())), 2) +
           end.comment;
  }

 private:
  std::string body_;
  std::string directory_;
  std::uint64_t members_ = 0;
};

/// The extra field of zip64.
inline std::string zip64_extra(const std::vector<std::uint64_t>& numbers) {
  std::string field = little(1, 2) + little(8 * numbers.size(), 2);
  for (const std::uint64_t number : numbers) field += little(number, 8);
  return field;
}

}  // namespace mxinfer::test
