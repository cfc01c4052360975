// MappedPart: a part of a file in memory that the process may change for itself. Its pages are those of the
// file, shared with every process that maps it, until one is written to; nothing is written to the file.
//
//   MappedPart part(RegularFile("digits.mxz"), offset, bytes);
//   part.data();
//
// Others may rename, replace or delete the file meanwhile. If they write to it, unwritten pages change too;
// if they truncate it, touching a page behind its new end kills the process.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/files/regular_file.h"

namespace mxinfer {

class MappedPart {
 public:
  /// The file may be closed afterwards. Throws Error(malformed) if it ends, by now, before the part does, and
  /// Error(out_of_memory) if the system does not map it. Precondition: `offset` is not negative.
  MappedPart(const RegularFile& file, std::int64_t offset, std::size_t bytes);
  ~MappedPart();
  MappedPart(const MappedPart&) = delete;
  MappedPart& operator=(const MappedPart&) = delete;

  std::byte* data() const { return memory_ + lead_; }
  std::size_t bytes() const { return mapped_ - lead_; }

 private:
  std::byte* memory_ = nullptr;
  std::size_t mapped_ = 0;
  std::size_t lead_ = 0;  ///< from the page's start to the part's
};

/// Maps the pages of a block at once, as they are in the file; a hint.
void read_pages(const void* memory, std::size_t bytes);

}  // namespace mxinfer
