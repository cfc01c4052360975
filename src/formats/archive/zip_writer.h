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

namespace mxinfer::formats {

class ZipWriter {
 public:
  explicit ZipWriter(AtomicFile& file) : file_(file) {}
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  /// Errors as those of AtomicFile::write; Error(invalid_argument) for a name of more than 65535 bytes. While
  /// a member is deflated, it is in memory twice.
  void add(const std::string& name, Span<const std::byte> bytes, bool deflated);
  /// Call once, after the last member. Throws the same errors.
  void finish();

 private:
  void write(const void* bytes, std::size_t count);

  AtomicFile& file_;
  std::string directory_;
  std::uint64_t members_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace mxinfer::formats
