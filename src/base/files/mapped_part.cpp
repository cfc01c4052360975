#include "base/files/mapped_part.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "base/fail.h"
#include "base/files/pages.h"

namespace mxinfer {

MappedPart::MappedPart(const RegularFile& file, std::int64_t offset, std::size_t bytes) {
  struct stat now {};
  const std::int64_t size = ::fstat(file.descriptor(), &now) == 0 ? now.st_size : 0;
  if (offset > size || bytes > static_cast<std::size_t>(size - offset))
    fail(ErrorCode::malformed, bytes, " bytes at byte ", offset, " were requested; the file has ", size);
  if (bytes == 0) return;  // which the system would not map
  lead_ = static_cast<std::size_t>(offset) % page_bytes();
  mapped_ = lead_ + bytes;
  void* const memory = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.descriptor(),
                              static_cast<off_t>(offset - static_cast<std::int64_t>(lead_)));
  if (memory == MAP_FAILED)
    fail(ErrorCode::out_of_memory, "the file cannot be mapped into memory: ", std::strerror(errno));
  memory_ = static_cast<std::byte*>(memory);
}

MappedPart::~MappedPart() {
  if (mapped_ > 0) ::munmap(memory_, mapped_);
}

void read_pages(const void* memory, std::size_t bytes) {
#if defined(MADV_POPULATE_READ)
  const std::size_t before = reinterpret_cast<std::uintptr_t>(memory) % page_bytes();
  auto* const first = static_cast<std::byte*>(const_cast<void*>(memory)) - before;
  (void)::madvise(first, bytes + before, MADV_POPULATE_READ);
#else
  (void)memory;
  (void)bytes;
#endif
}

}  // namespace mxinfer
