#include "formats/archive/zip_writer.h"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <vector>

#include "base/fail.h"
#include "formats/archive/zip_records.h"

namespace mxinfer::formats {
namespace {

constexpr std::size_t kDeflatePiece = std::size_t{256} << 10;

std::vector<Bytef> deflated_bytes(Span<const std::byte> bytes) {
  constexpr int kMemory = 8;  // zlib's default
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, kMemory, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::bad_alloc();
  struct End {
    z_stream& stream;
    ~End() { deflateEnd(&stream); }
  } const end{stream};
  std::vector<Bytef> packed, piece(kDeflatePiece);
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0) {
      const std::size_t count = std::min(bytes.size(), kDeflatePiece);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(count);
      bytes = {bytes.data() + count, bytes.size() - count};
    }
    stream.next_out = piece.data();
    stream.avail_out = static_cast<uInt>(piece.size());
    status = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    if (status == Z_STREAM_ERROR) fail(ErrorCode::internal, "deflate failed");
    packed.insert(packed.end(), piece.begin(), piece.end() - stream.avail_out);
  }
  return packed;
}

void check_name(const std::string& name) {
  if (name.size() > ZipLayout::kFull16)
    fail(ErrorCode::invalid_argument, "a member of a zip archive cannot have a name of ", name.size(),
         " bytes; the limit is 65535");
}

}  // namespace

std::uint32_t zip_checksum(Span<const std::byte> bytes, std::uint32_t before) {
  if (bytes.empty()) return before;  // of null, zlib would begin anew
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void ZipWriter::write(const void* bytes, std::size_t count) {
  file_.write(bytes, count);
  written_ += count;
}

/// The member's header, and its entry for the directory.
void ZipWriter::begin(const ZipRecord& record) {
  const std::string header = zip_local_header(record);
  write(header.data(), header.size());
  directory_ += zip_directory_entry(record);
  ++members_;
}

void ZipWriter::add(const std::string& name, Span<const std::byte> bytes, bool deflated) {
  check_name(name);
  const std::vector<Bytef> packed = deflated ? deflated_bytes(bytes) : std::vector<Bytef>();
  ZipRecord record;
  record.name = name;
  record.deflated = deflated;
  record.checksum = zip_checksum(bytes);
  record.packed_bytes = deflated ? packed.size() : bytes.size();
  record.bytes = bytes.size();
  record.offset = written_;
  begin(record);
  if (deflated) {
    write(packed.data(), packed.size());
  } else {
    write(bytes.data(), bytes.size());
  }
}

void ZipWriter::add_aligned(const std::string& name, Span<const Span<const std::byte>> pieces,
                            std::size_t alignment) {
  check_name(name);
  ZipRecord record;
  record.name = name;
  for (const Span<const std::byte> piece : pieces) {
    record.checksum = zip_checksum(piece, record.checksum);
    record.bytes += piece.size();
  }
  record.packed_bytes = record.bytes;
  record.offset = written_;
  record.alignment = alignment;
  begin(record);
  for (const Span<const std::byte> piece : pieces) write(piece.data(), piece.size());
}

void ZipWriter::finish() {
  const std::string end = zip_end(members_, written_, directory_.size());
  write(directory_.data(), directory_.size());
  write(end.data(), end.size());
}

}  // namespace mxinfer::formats
