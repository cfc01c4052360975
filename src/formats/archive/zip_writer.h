// ZipWriter: a zip file, written as its members come. Members have no date, so that the same contents give
// the same bytes.
//
//   AtomicFile file("digits.mxz");
//   ZipWriter zip(file);
//   zip.add("synset.txt", bytes, true);
//   zip.finish();
//   file.commit();
#pragma once

#include <mxinfer/span.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/files/atomic_file.h"
#include "formats/archive/zip_records.h"

namespace mxinfer::formats {

/// The CRC-32 of bytes behind others with the checksum `before`.
std::uint32_t zip_checksum(Span<const std::byte> bytes, std::uint32_t before = 0);

class ZipWriter {
 public:
  explicit ZipWriter(AtomicFile& file) : file_(file) {}
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  /// Errors as those of AtomicFile::write; Error(invalid_argument) for a name of more than 65535 bytes. While
  /// a member is deflated, it is in memory twice.
  void add(const std::string& name, Span<const std::byte> bytes, bool deflated);
  /// A stored member of these pieces, one behind the other, whose first byte stands at a multiple of
  /// `alignment` in the file. Precondition: `alignment` is a power of two up to 32768.
  void add_aligned(const std::string& name, Span<const Span<const std::byte>> pieces, std::size_t alignment);
  /// Call once, after the last member. Throws the same errors.
  void finish();

 private:
  void write(const void* bytes, std::size_t count);
  void begin(const ZipRecord& record);

  AtomicFile& file_;
  std::string directory_;
  std::uint64_t members_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace mxinfer::formats
