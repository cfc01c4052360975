#include "base/files/regular_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/fail.h"

namespace mxinfer {

RegularFile::RegularFile(const std::string& path, const std::string& shown) {
  const auto name = [&](const char* kind) {
    return shown.empty() ? concat(kind, "'", printable(path), "'") : shown;
  };
  // Non-blocking, so that a named pipe without a writer is rejected below rather than waited for.
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) {
    fail(ErrorCode::not_found, name("file "), " cannot be opened: ", std::strerror(errno));
  }
  const char* flaw = nullptr;
  if (::fstat(descriptor_, &status_) != 0) {
    flaw = "cannot be queried for its size";
  } else if (S_ISDIR(status_.st_mode)) {
    flaw = "is a folder; expected a file";
  } else if (!S_ISREG(status_.st_mode)) {
    flaw = "is not a regular file (but a pipe or a device); expected one";
  }
  if (flaw == nullptr) return;
  ::close(descriptor_);
  fail(ErrorCode::not_found, name(""), " ", flaw);
}

RegularFile::~RegularFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

RegularFile::RegularFile(RegularFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), status_(other.status_) {}

}  // namespace mxinfer
