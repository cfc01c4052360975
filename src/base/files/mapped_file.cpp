#include "base/files/mapped_file.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "base/fail.h"
#include "base/files/regular_file.h"

namespace mxinfer {

MappedFile::MappedFile(const std::string& path, const std::string& shown) {
  const RegularFile file(path, shown);
  size_ = static_cast<std::size_t>(file.status().st_size);
  if (size_ == 0) return;  // which the system would not map
  void* const memory = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (memory == MAP_FAILED) {
    fail(ErrorCode::out_of_memory, shown.empty() ? concat("file '", printable(path), "'") : shown,
         " cannot be mapped into memory: ", std::strerror(errno));
  }
  data_ = static_cast<const std::byte*>(memory);
}

MappedFile::~MappedFile() {
  if (size_ > 0) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace mxinfer
