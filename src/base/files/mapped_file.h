// A memory-mapped file: its pages are read when touched, and shared with every process that maps it.
//
//   const MappedFile file("embedding.npy");
//   file.bytes();
//
// Others may rename, replace or delete the file meanwhile. If they truncate it, touching a page behind its
// new end kills the process.
#pragma once

#include <mxinfer/span.h>

#include <cstddef>
#include <string>

namespace mxinfer {

class MappedFile {
 public:
  /// Throws as RegularFile, and Error(out_of_memory) if the system does not map it.
  explicit MappedFile(const std::string& path, const std::string& shown = {});
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  Span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace mxinfer
