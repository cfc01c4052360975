#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/fail.h"
#include "sources/source.h"

namespace mxinfer::sources {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

class FileSource final : public Source {
 public:
  FileSource(std::string path, Descriptor file, const struct stat& status)
      : path_(std::move(path)), file_(std::move(file)), size_(status.st_size), written_(status.st_mtim) {}

  const std::string& name() const override { return path_; }
  std::int64_t size() const override { return size_; }

  void read(std::int64_t offset, void* dst, std::size_t bytes) const override {
    check_range(offset, bytes);
    auto* out = static_cast<char*>(dst);
    while (bytes > 0) {
      // The system reads at most about 2 GiB at a time.
      const std::size_t piece = std::min<std::size_t>(bytes, std::size_t{1} << 30);
      const ssize_t got = ::pread(file_.get(), out, piece, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        fail(ErrorCode::malformed, printable(path_), kTrail, "reading at byte ", offset,
             " failed: ", std::strerror(errno));
      }
      if (got == 0) {
        fail(ErrorCode::malformed, printable(path_), kTrail, "the file ended at byte ", offset,
             " while it was read; it had ", size_, " bytes when it was opened");
      }
      out += got;
      offset += got;
      bytes -= static_cast<std::size_t>(got);
    }
    check_unchanged();
  }

 private:
  // Weights may be read long after the file was opened.
  void check_unchanged() const {
    struct stat now {};
    if (::fstat(file_.get(), &now) == 0 && now.st_size == size_ && now.st_mtim.tv_sec == written_.tv_sec &&
        now.st_mtim.tv_nsec == written_.tv_nsec)
      return;
    fail(ErrorCode::malformed, printable(path_), kTrail,
         "the file was written to after it had been opened, so that what is read now may not belong to what "
         "was read before; load the model again, and put new models in the place of old ones by renaming. "
         "LoadOptions::read_weights_at_once makes a model independent of its file");
  }

  std::string path_;
  Descriptor file_;
  std::int64_t size_;
  struct timespec written_;
};

}  // namespace

std::unique_ptr<Source> open_file(const std::string& path) {
  // Non-blocking, so that a named pipe without a writer is refused below rather than waited for.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    fail(ErrorCode::not_found, "file '", printable(path), "' cannot be opened: ", std::strerror(errno));
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) {
    fail(ErrorCode::not_found, "file '", printable(path), "' cannot be opened: ", std::strerror(errno));
  }
  if (S_ISDIR(status.st_mode)) {
    fail(ErrorCode::not_found, "'", printable(path), "' is a folder, a file was expected");
  }
  if (!S_ISREG(status.st_mode)) {
    fail(ErrorCode::not_found, "'", printable(path),
         "' is not a regular file (a pipe or a device), which is needed");
  }
  return std::make_unique<FileSource>(path, std::move(file), status);
}

}  // namespace mxinfer::sources
