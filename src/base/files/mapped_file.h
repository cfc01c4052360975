// A file as memory: its pages are read when they are touched, and shared with every process that maps it.
//
//   const MappedFile file("embedding.npy");
//   file.bytes();
//
// Others may rename, replace or delete the file meanwhile. A page that is not in the file any more, because
// others cut it short, ends the process when it is touched.
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
