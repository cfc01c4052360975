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
#include <memory>
#include <string>

#include "base/atomic_file.h"

namespace mxinfer::formats {

class ZipWriter {
 public:
  explicit ZipWriter(AtomicFile& file);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  /// Errors as those of AtomicFile::write.
  void add(const std::string& name, Span<const std::byte> bytes, bool deflated);
  /// To be called once, behind the last member. The same errors.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mxinfer::formats
