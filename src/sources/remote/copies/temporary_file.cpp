#include "sources/remote/copies/temporary_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/fail.h"

namespace mxinfer::sources {

TemporaryFile::TemporaryFile(const std::string& folder)
    : folder_(folder), path_(folder + "/" + kPrefix + "XXXXXX"), process_(::getpid()) {
  descriptor_ = ::mkostemp(path_.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    fail(ErrorCode::invalid_argument, "no file can be created in '", printable(folder),
         "': ", std::strerror(errno), "; name another folder in RemoteOptions::cache_folder");
  }
  // Shows others whether its writer lives, on systems with such locks.
  static_cast<void>(::flock(descriptor_, LOCK_EX | LOCK_NB));
}

TemporaryFile::~TemporaryFile() {
  ::close(descriptor_);
  if (!is_kept_ && process_ == ::getpid()) ::unlink(path_.c_str());
}

void TemporaryFile::give_up(const char* what) const {
  fail(ErrorCode::invalid_argument, "'", printable(path_), "' cannot be ", what, ": ", std::strerror(errno),
       "; name another folder in RemoteOptions::cache_folder");
}

void TemporaryFile::write_at(std::int64_t offset, Span<const std::byte> bytes) const {
  const std::byte* from = bytes.data();
  std::size_t left = bytes.size();
  while (left > 0) {
    const ssize_t written = ::pwrite(descriptor_, from, left, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) give_up("written");
    from += written;
    offset += written;
    left -= static_cast<std::size_t>(written);
  }
}

void TemporaryFile::reserve(std::int64_t size) const {
  if (size <= 0) return;
  const bool failed = ::fallocate(descriptor_, 0, 0, static_cast<off_t>(size)) != 0;
  if (failed && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) give_up("extended to its full size");
}

void TemporaryFile::read_at(std::int64_t offset, void* dst, std::size_t bytes) const {
  auto* to = static_cast<char*>(dst);
  while (bytes > 0) {
    // The system reads at most about 2 GiB at a time.
    const std::size_t piece = std::min<std::size_t>(bytes, std::size_t{1} << 30);
    const ssize_t got = ::pread(descriptor_, to, piece, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = EIO;
    if (got <= 0) give_up("read");
    to += got;
    offset += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

void TemporaryFile::cut_to(std::int64_t size) const {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) give_up("cut");
}

void TemporaryFile::drop_name() {
  ::unlink(path_.c_str());
  path_.clear();
  is_kept_ = true;  // nothing is left to remove
}

void TemporaryFile::swap(TemporaryFile& other) noexcept {
  folder_.swap(other.folder_);
  path_.swap(other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(is_kept_, other.is_kept_);
}

void TemporaryFile::keep_as(const std::string& path) {
  // After a power failure, a copy with lost pages would have its full size but contain zeros.
  if (::fdatasync(descriptor_) != 0) give_up("written to the disk");
  if (std::rename(path_.c_str(), path.c_str()) != 0) give_up("renamed");
  path_ = path;
  is_kept_ = true;
}

}  // namespace mxinfer::sources
