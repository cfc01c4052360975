#include "formats/archive/zip_stream.h"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include "base/checked.h"
#include "base/fail.h"
#include "formats/archive/gunzip.h"
#include "formats/archive/zip_records.h"

namespace mxinfer::formats {
namespace {

constexpr std::int64_t kZipPiece = std::int64_t{256} << 10;
constexpr std::uint16_t kAnyEncryption =
    ZipLayout::kEncrypted | ZipLayout::kStronglyEncrypted | ZipLayout::kHeadersEncrypted;

// Some tools of Windows separate folders by backslashes, against the format.
std::string with_slashes(std::string name) {
  if (name.find('/') == std::string::npos) std::replace(name.begin(), name.end(), '\\', '/');
  return name;
}

const char* method_name(std::uint16_t method) {
  switch (method) {
    case 9:
      return "Deflate64";
    case 12:
      return "bzip2";
    case 14:
      return "LZMA";
    case 93:
      return "Zstandard";
    case 95:
      return "xz";
    default:
      return "unknown";
  }
}

void check_readable(const ZipMember& member) {
  if ((member.flags & kAnyEncryption) != 0)
    fail(ErrorCode::malformed, "it is encrypted; give an archive that was made without a password");
  if (member.method != ZipLayout::kStored && member.method != ZipLayout::kDeflated)
    fail(ErrorCode::malformed, "its compression is ", method_name(member.method), " (method ", member.method,
         "); make the archive with members that are stored (0) or deflated (8)");
  if (member.method == ZipLayout::kStored && member.packed_bytes != member.bytes)
    fail(ErrorCode::malformed, "it is stored in ", member.packed_bytes, " bytes, and should have ",
         member.bytes);
}

// A size that both the member's header and the directory state. The header may leave it open.
void check_agreement(const char* what, std::uint32_t header, std::int64_t directory) {
  if (header != 0 && header != ZipLayout::kFull32 && header != directory)
    fail(ErrorCode::malformed, "its header and the directory contradict each other: ", what, " ", header,
         " and ", directory);
}

void check_checksum(const ZipMember& member, const std::vector<std::byte>& bytes) {
  const auto sum =
      crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  if (sum != member.checksum)
    fail(ErrorCode::malformed, "its bytes have the checksum (CRC-32) ", sum, ", and should have ",
         member.checksum, ": the archive is damaged");
}

// What a deflated member unpacks to, piece by piece.
class DeflatedMember {
 public:
  DeflatedMember(const sources::Source& source, std::int64_t offset, std::int64_t bytes)
      : source_(source),
        offset_(offset),
        left_(bytes),
        packed_(static_cast<std::size_t>(std::min(kZipPiece, bytes))),
        unpacked_(static_cast<std::size_t>(kZipPiece)) {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~DeflatedMember() { inflateEnd(&stream_); }
  DeflatedMember(const DeflatedMember&) = delete;
  DeflatedMember& operator=(const DeflatedMember&) = delete;

  bool ended() const { return ended_; }
  /// Packed bytes behind the end.
  std::int64_t left() const { return left_ + stream_.avail_in; }

  // Precondition: it has not ended.
  Span<const std::byte> next() {
    if (stream_.avail_in == 0) fill();
    stream_.next_out = reinterpret_cast<Bytef*>(unpacked_.data());
    stream_.avail_out = static_cast<uInt>(unpacked_.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END)
      fail(ErrorCode::malformed,
           "it does not inflate: ", stream_.msg != nullptr ? stream_.msg : "its packed bytes end too soon");
    ended_ = status == Z_STREAM_END;
    return {unpacked_.data(), unpacked_.size() - stream_.avail_out};
  }

 private:
  void fill() {
    const std::int64_t count = std::min(kZipPiece, left_);
    source_.read(offset_, packed_.data(), static_cast<std::size_t>(count));
    offset_ += count;
    left_ -= count;
    stream_.next_in = packed_.data();
    stream_.avail_in = static_cast<uInt>(count);
  }

  const sources::Source& source_;
  std::int64_t offset_;
  std::int64_t left_;
  std::vector<Bytef> packed_;
  std::vector<std::byte> unpacked_;
  z_stream stream_{};
  bool ended_ = false;
};

}  // namespace

ZipStream::ZipStream(const sources::Source& source, Allowance allowance)
    : source_(source), allowance_(std::move(allowance)), members_(read_zip_directory(source)) {}

std::optional<ArchiveEntry> ZipStream::next() {
  if (following_ == members_.size()) return std::nullopt;
  const ZipMember& member = members_[following_++];
  ArchiveEntry entry;
  entry.name = with_slashes(member.name);
  entry.type = member.type;
  if (entry.type == ArchiveEntry::Type::file && entry.name.ends_with('/'))
    entry.type = ArchiveEntry::Type::folder;
  entry.encrypted = (member.flags & kAnyEncryption) != 0;
  return entry;
}

std::vector<std::byte> ZipStream::unpack() {
  const ZipMember& member = members_[following_ - 1];
  check_readable(member);
  const std::int64_t offset = check_header(member);
  std::vector<std::byte> bytes =
      member.method == ZipLayout::kStored ? copy(member, offset) : unpack_deflated(member, offset);
  check_checksum(member, bytes);
  return bytes;
}

std::optional<StoredPlace> ZipStream::stored() {
  const ZipMember& member = members_[following_ - 1];
  check_readable(member);
  const std::int64_t offset = check_header(member);
  if (member.method != ZipLayout::kStored) return std::nullopt;
  return StoredPlace{offset, member.bytes, member.checksum};
}

// Where the member's bytes begin, behind its own header.
std::int64_t ZipStream::check_header(const ZipMember& member) const {
  std::string header(static_cast<std::size_t>(ZipLayout::kLocalBytes) + member.name.size(), '\0');
  source_.read(member.offset, header.data(), header.size());  // place_members saw that it is there
  ZipFields fields(header, "a member's header");
  if (fields.take32() != ZipLayout::kLocalSignature)
    fail(ErrorCode::malformed, "at byte ", member.offset, " it should begin, but no member does");
  fields.skip(2);
  const std::uint16_t flags = fields.take16(), method = fields.take16();
  fields.skip(4);
  const std::uint32_t checksum = fields.take32(), packed = fields.take32(), bytes = fields.take32();
  const std::uint16_t name_bytes = fields.take16(), extra_bytes = fields.take16();
  const std::string_view name = fields.take_bytes(std::min<std::size_t>(name_bytes, fields.left()));
  if (name_bytes != member.name.size() || name != member.name)
    fail(ErrorCode::malformed, "its header and the directory contradict each other: the header names it '",
         printable(name), "'");
  if (method != member.method)
    fail(ErrorCode::malformed, "its header and the directory contradict each other: compression method ",
         method, " and ", member.method);
  if (((flags ^ member.flags) & kAnyEncryption) != 0)
    fail(ErrorCode::malformed,
         "its header and the directory contradict each other: one says it is encrypted");
  if ((flags & ZipLayout::kSizesBehind) == 0) {
    check_agreement("checksum", checksum, member.checksum);
    check_agreement("packed size", packed, member.packed_bytes);
    check_agreement("size", bytes, member.bytes);
  }
  const std::int64_t start = ZipLayout::kLocalBytes + name_bytes + extra_bytes;
  if (!is_inside(start, member.packed_bytes, member.end - member.offset))
    fail(ErrorCode::malformed, "its ", member.packed_bytes, " bytes from byte ", member.offset + start,
         " on do not end before byte ", member.end, ", where something else begins");
  return member.offset + start;
}

std::vector<std::byte> ZipStream::copy(const ZipMember& member, std::int64_t offset) {
  allowance_.take(static_cast<std::uint64_t>(member.bytes));
  std::vector<std::byte> bytes(static_cast<std::size_t>(member.bytes));
  source_.read(offset, bytes.data(), bytes.size());
  return bytes;
}

std::vector<std::byte> ZipStream::unpack_deflated(const ZipMember& member, std::int64_t offset) {
  DeflatedMember packed(source_, offset, member.packed_bytes);
  const auto stated = static_cast<std::size_t>(member.bytes);
  std::vector<std::byte> bytes;
  bytes.reserve(most_inflated(member.packed_bytes, member.bytes, allowance_.left));
  while (!packed.ended()) {
    const Span<const std::byte> piece = packed.next();
    allowance_.take(piece.size());
    if (piece.size() > stated - bytes.size())
      fail(ErrorCode::malformed, "it unpacks to more than the ", member.bytes, " bytes it should have");
    bytes.insert(bytes.end(), piece.begin(), piece.end());
  }
  if (bytes.size() != stated || packed.left() != 0)
    fail(ErrorCode::malformed, "it should have ", member.bytes, " bytes packed in ", member.packed_bytes,
         ", but has ", bytes.size(), " in ", member.packed_bytes - packed.left());
  return bytes;
}

}  // namespace mxinfer::formats
