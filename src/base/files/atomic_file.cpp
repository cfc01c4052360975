#include "base/files/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/fail.h"

namespace mxinfer {
namespace {

namespace fs = std::filesystem;

std::string target_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? path : target.string();
}

// Unlike mkstemp, this leaves the permissions to the umask.
int open_beside(const std::string& path, std::string& name) {
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = concat(path, ".", ::getpid(), "-", counter++, ".tmp");
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(target_of(path)) {
  struct stat old {};
  const bool exists = ::stat(path_.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) {
    fail(ErrorCode::invalid_argument, "'", printable(path_), "' cannot be written: it is ",
         S_ISDIR(old.st_mode) ? "a folder" : "not a regular file");
  }
  const int descriptor = open_beside(path_, temporary_);
  if (descriptor < 0) {
    fail(ErrorCode::invalid_argument, "file '", printable(path_),
         "' cannot be created: ", std::strerror(errno));
  }
  if (exists) (void)::fchmod(descriptor, old.st_mode & 07777);
  file_ = ::fdopen(descriptor, "wb");
  if (file_ == nullptr) {
    ::close(descriptor);
    ::unlink(temporary_.c_str());
    fail(ErrorCode::out_of_memory, "file '", printable(path_), "' cannot be created: ", std::strerror(errno));
  }
}

AtomicFile::~AtomicFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::give_up(const char* what) const {
  fail(ErrorCode::invalid_argument, "file '", printable(path_), "' could not be written: ", what,
       "; the previous file is unchanged");
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes) give_up(std::strerror(errno));
}

void AtomicFile::commit() {
  const bool flushed = std::fflush(file_) == 0 && ::fsync(::fileno(file_)) == 0;
  const int reason = errno;
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!flushed) give_up(std::strerror(reason));
  if (!closed || std::rename(temporary_.c_str(), path_.c_str()) != 0) give_up(std::strerror(errno));
  temporary_.clear();
}

void write_file_atomically(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace mxinfer
