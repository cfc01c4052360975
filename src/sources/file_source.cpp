#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/fail.h"
#include "base/files/regular_file.h"
#include "sources/source.h"

namespace mxinfer::sources {
namespace {

bool same_time(const struct timespec& a, const struct timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/// Detects whether a file was modified after it was opened. The modification time alone is not enough: a
/// writer can reset it. The status change time cannot be set, but renames and changes of owner and
/// permissions change it too.
class WriteWatch {
 public:
  WriteWatch(std::string path, const struct stat& opened) : path_(std::move(path)), known_(opened) {}

  bool is_unchanged(int descriptor) {
    struct stat now {};
    if (::fstat(descriptor, &now) != 0) return false;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (now.st_size != known_.st_size || !same_time(now.st_mtim, known_.st_mtim)) return false;
    if (same_time(now.st_ctim, known_.st_ctim)) return true;
    const bool other_owner =
        now.st_mode != known_.st_mode || now.st_uid != known_.st_uid || now.st_gid != known_.st_gid;
    if (!other_owner && now.st_nlink == known_.st_nlink && has_its_name(now)) return false;
    known_ = now;
    return true;
  }

 private:
  // A file that was renamed, deleted or replaced does not.
  bool has_its_name(const struct stat& now) const {
    struct stat named {};
    return ::stat(path_.c_str(), &named) == 0 && named.st_dev == now.st_dev && named.st_ino == now.st_ino;
  }

  std::string path_;
  std::mutex mutex_;
  struct stat known_;
};

class FileSource final : public Source {
 public:
  FileSource(const std::string& path, const std::string& shown)
      : path_(path),
        name_(shown.empty() ? path : shown),
        file_(path, shown),
        size_(file_.status().st_size),
        watch_(path, file_.status()) {}

  const std::string& name() const override { return name_; }
  std::int64_t size() const override { return size_; }
  std::string path() const override { return path_; }

  void read(std::int64_t offset, void* dst, std::size_t bytes) const override {
    check_range(offset, bytes);
    auto* out = static_cast<char*>(dst);
    while (bytes > 0) {
      // The system reads at most about 2 GiB at a time.
      const std::size_t piece = std::min<std::size_t>(bytes, std::size_t{1} << 30);
      const ssize_t got = ::pread(file_.descriptor(), out, piece, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        fail(ErrorCode::malformed, printable(name_), kTrail, "reading at byte ", offset,
             " failed: ", std::strerror(errno));
      }
      if (got == 0) {
        fail(ErrorCode::malformed, printable(name_), kTrail, "the file ended at byte ", offset,
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
    if (watch_.is_unchanged(file_.descriptor())) return;
    fail(ErrorCode::malformed, printable(name_), kTrail,
         "the file was modified after it was opened, so its parts may not belong together; load the model "
         "again, and replace model files by renaming new ones. LoadOptions::read_weights_at_once makes a "
         "model independent of its file");
  }

  std::string path_;
  std::string name_;
  RegularFile file_;
  std::int64_t size_;
  mutable WriteWatch watch_;
};

}  // namespace

std::unique_ptr<Source> open_file(const std::string& path, const std::string& shown) {
  return std::make_unique<FileSource>(path, shown);
}

}  // namespace mxinfer::sources
