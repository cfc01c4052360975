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

  /// Errors as those of AtomicFile::write; Error(invalid_argument) for a name of more than 65535 bytes. What
  /// is deflated is in memory twice for so long.
  void add(const std::string& name, Span<const std::byte> bytes, bool deflated);
  /// To be called once, behind the last member. The same errors.
  void finish();

 private:
  void write(const void* bytes, std::size_t count);

  AtomicFile& file_;
  std::string directory_;
  std::uint64_t members_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace mxinfer::formats
