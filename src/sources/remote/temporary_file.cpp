#include "sources/remote/temporary_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/fail.h"

namespace mxinfer::sources {

TemporaryFile::TemporaryFile(const std::string& folder) : path_(folder + "/fetching-XXXXXX") {
  descriptor_ = ::mkostemp(path_.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    fail(ErrorCode::invalid_argument, "no file can be made in '", printable(folder),
         "': ", std::strerror(errno), "; RemoteOptions::cache_folder names another folder");
  }
}

TemporaryFile::~TemporaryFile() {
  ::close(descriptor_);
  if (!path_.empty()) ::unlink(path_.c_str());
}

void TemporaryFile::give_up(const char* what) const {
  fail(ErrorCode::invalid_argument, "'", printable(path_), "' cannot be ", what, ": ", std::strerror(errno),
       "; RemoteOptions::cache_folder names another folder");
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

void TemporaryFile::cut_to(std::int64_t size) const {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) give_up("cut");
}

void TemporaryFile::keep_as(const std::string& path) {
  if (std::rename(path_.c_str(), path.c_str()) != 0) give_up("renamed");
  path_.clear();
}

}  // namespace mxinfer::sources
