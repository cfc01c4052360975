#include "sources/remote/copies/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "base/fail.h"
#include "base/files/atomic_file.h"
#include "sources/address.h"
#include "sources/digest.h"
#include "sources/source.h"

namespace mxinfer::sources {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNote = ".json";
constexpr std::string_view kData = ".data";
constexpr std::string_view kLock = ".lock";
constexpr std::int64_t kMostOfNote = 64 << 10;
/// A file without an owner that was not written to for this long was left by a killed process.
constexpr std::chrono::hours kAbandonedAfter{24};
constexpr int kMostTriesOfLock = 1000;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

void make_folders(const std::string& folder) {
  for (std::size_t at = folder.find('/', 1);; at = folder.find('/', at + 1)) {
    const std::string part = folder.substr(0, at);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST && errno != EISDIR && errno != EROFS &&
        errno != EACCES) {
      fail(ErrorCode::invalid_argument, "the cache folder '", printable(folder),
           "' cannot be created: ", std::strerror(errno), "; name another in RemoteOptions::cache_folder");
    }
    if (at == std::string::npos) break;
  }
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
      ::access(folder.c_str(), W_OK | X_OK) != 0) {
    fail(ErrorCode::invalid_argument, "the cache folder '", printable(folder), "' cannot be written to",
         "; name another in RemoteOptions::cache_folder or MXINFER_CACHE_DIR, or use CachePolicy::none");
  }
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  while (const dirent* entry = open == nullptr ? nullptr : ::readdir(open.get()))
    names.emplace_back(entry->d_name);
  return names;
}

/// nullopt if it is damaged, or its copy does not exist.
std::optional<DiskCache::Copy> read_note(const std::string& folder, const std::string& path) {
  try {
    const auto note = nlohmann::json::parse(read_text(*open_file(path), kMostOfNote));
    const std::string name = note.at("file");
    if (name.find('/') != std::string::npos) return std::nullopt;
    DiskCache::Copy copy{folder + "/" + name,
                         note.at("address"),
                         note.at("size"),
                         {note.at("etag"), note.at("last_modified")}};
    struct stat status {};
    if (::stat(copy.path.c_str(), &status) != 0 || status.st_size != copy.size) return std::nullopt;
    return copy;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Of the last write; now, if the file does not exist.
std::chrono::system_clock::time_point time_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::chrono::system_clock::now();
  const auto time =
      std::chrono::seconds(status.st_mtim.tv_sec) + std::chrono::nanoseconds(status.st_mtim.tv_nsec);
  return std::chrono::system_clock::time_point(
      std::chrono::duration_cast<std::chrono::system_clock::duration>(time));
}

struct NotedCopy {
  std::string base;  ///< of its note and its lock
  DiskCache::Copy copy;

  [[nodiscard]] std::string note() const { return base + std::string(kNote); }
  [[nodiscard]] std::string lock() const { return base + std::string(kLock); }
};

/// The latest first.
std::vector<NotedCopy> copies_in(const std::string& folder) {
  std::vector<NotedCopy> copies;
  for (const std::string& name : names_in(folder)) {
    if (!name.ends_with(kNote)) continue;
    NotedCopy noted{concat(folder, "/", name.substr(0, name.size() - kNote.size())), {}};
    auto copy = read_note(folder, noted.note());
    if (!copy) continue;
    noted.copy = std::move(*copy);
    noted.copy.last_use = time_of(noted.note());
    copies.push_back(std::move(noted));
  }
  std::sort(copies.begin(), copies.end(),
            [](const NotedCopy& a, const NotedCopy& b) { return a.copy.last_use > b.copy.last_use; });
  return copies;
}

/// Whether the path leads to the open file.
bool is_at(const std::string& path, int descriptor) {
  struct stat there {};
  struct stat opened {};
  return ::stat(path.c_str(), &there) == 0 && ::fstat(descriptor, &opened) == 0 &&
         there.st_dev == opened.st_dev && there.st_ino == opened.st_ino;
}

/// Whether a file name is one of the cache's: the folder may contain others.
bool is_name_of_cache(std::string_view name) {
  const std::string_view prefix = TemporaryFile::kPrefix;
  if (name.starts_with(prefix)) return name.size() == prefix.size() + 6;
  constexpr std::size_t kKey = 64;  // digits of SHA-256
  return name.size() > kKey && name.find_first_not_of("0123456789abcdef") == kKey &&
         (name[kKey] == '.' || name[kKey] == '-');
}

/// Removes files from a folder whose lock is held.
class Cleaner {
 public:
  explicit Cleaner(const std::string& folder) : folder_(folder) {}

  /// Removes all copies except that of `kept` and the most recently used ones up to `keep_bytes`; then files
  /// left by killed processes.
  DiskCache::Removed clean(std::int64_t keep_bytes, const std::string& kept) {
    std::int64_t bytes = 0;
    for (const NotedCopy& noted : copies_in(folder_)) {
      bytes += noted.copy.size;
      const bool stays = bytes <= keep_bytes || noted.base == kept || !remove_copy(noted);
      if (stays) wanted_.insert({noted.note(), noted.lock(), noted.copy.path});
    }
    for (const std::string& name : names_in(folder_)) {
      if (is_leftover(name)) remove_if_free(concat(folder_, "/", name));
    }
    return removed_;
  }

 private:
  /// The holder of the lock looks for the copy and opens it.
  bool remove_copy(const NotedCopy& noted) {
    const DiskCache::Lock lock(noted.lock(), DiskCache::Lock::Way::attempt);
    if (!lock.is_held()) return false;
    ::unlink(noted.note().c_str());
    remove_file(noted.copy.path);
    ::unlink(noted.lock().c_str());
    return true;
  }

  [[nodiscard]] bool is_leftover(const std::string& name) const {
    const std::string path = concat(folder_, "/", name);
    return is_name_of_cache(name) && wanted_.count(path) == 0 &&
           time_of(path) < std::chrono::system_clock::now() - kAbandonedAfter;
  }

  /// Removes the file unless it is locked; holds its lock meanwhile.
  void remove_if_free(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return;
    const bool is_locked = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!is_locked && is_at(path, descriptor)) remove_file(path);
    ::close(descriptor);
  }

  void remove_file(const std::string& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || ::unlink(path.c_str()) != 0) return;
    ++removed_.files;
    removed_.bytes += status.st_size;
  }

  const std::string& folder_;
  std::set<std::string> wanted_;
  DiskCache::Removed removed_;
};

}  // namespace

std::string cache_folder(const RemoteOptions& options) {
  if (!options.cache_folder.empty()) return options.cache_folder;
  if (const std::string own = variable("MXINFER_CACHE_DIR"); !own.empty()) return own;
  if (const std::string base = variable("XDG_CACHE_HOME"); base.starts_with("/")) return base + "/mxinfer";
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.cache/mxinfer";
  fail(ErrorCode::invalid_argument, "there is no cache folder, because HOME is not set; ",
       "name one in RemoteOptions::cache_folder or MXINFER_CACHE_DIR, or use CachePolicy::none");
}

DiskCache::Lock::Lock(const std::string& path, Way way) {
  // Tries again if the file was removed meanwhile, but not forever: some network folders may report that for
  // every file. These count as folders without locks.
  for (int tries = 0; tries < kMostTriesOfLock; ++tries) {
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    take(way);
    if (descriptor_ < 0 || !is_held_ || is_at(path, descriptor_)) return;
    release();
  }
}

void DiskCache::Lock::take(Way way) {
  const int operation = way == Way::wait ? LOCK_EX : LOCK_EX | LOCK_NB;
  while (descriptor_ >= 0 && ::flock(descriptor_, operation) != 0) {
    if (errno == EINTR) continue;
    is_held_ = errno != EWOULDBLOCK;
    break;
  }
}

// A process forked meanwhile has the descriptor too: it would keep the lock, and must not release it.
DiskCache::Lock::~Lock() {
  release();
}

void DiskCache::Lock::release() {
  if (descriptor_ < 0) return;
  if (is_held_ && process_ == ::getpid()) ::flock(descriptor_, LOCK_UN);
  ::close(descriptor_);
  descriptor_ = -1;
}

DiskCache::DiskCache(const RemoteOptions& options)
    : folder_(cache_folder(options)), most_bytes_(options.cache_bytes) {
  make_folders(folder_);
}

std::string DiskCache::base_of(const std::string& key) const {
  return folder_ + "/" + sha256_hex(std::string_view(key));
}

DiskCache::Lock DiskCache::lock(const std::string& key) const {
  return Lock(base_of(key) + std::string(kLock));
}

std::optional<DiskCache::Copy> DiskCache::find(const std::string& key) const {
  const std::string note = base_of(key) + std::string(kNote);
  auto copy = read_note(folder_, note);
  if (copy) ::utimensat(AT_FDCWD, note.c_str(), nullptr, 0);
  return copy;
}

DiskCache::Copy DiskCache::keep(const std::string& key, const std::string& address, TemporaryFile& file,
                                const FileVersion& fetched) const {
  const std::string base = base_of(key);
  const std::string note = base + std::string(kNote);
  const auto before = read_note(folder_, note);
  const std::string temporary = file.path();
  const std::string unique = temporary.substr(temporary.rfind('-'));
  Copy copy{base + unique + std::string(kData), shown(address), fetched.size, fetched.validators};
  file.keep_as(copy.path);
  const nlohmann::json text{{"address", copy.address},
                            {"file", fs::path(copy.path).filename().string()},
                            {"size", copy.size},
                            {"etag", copy.validators.etag},
                            {"last_modified", copy.validators.last_modified}};
  write_file_atomically(note, text.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  if (before && before->path != copy.path) ::unlink(before->path.c_str());
  const Lock all(folder_ + "/.lock");
  // Keeps the file just fetched, even if it is larger than the limit.
  static_cast<void>(Cleaner(folder_).clean(most_bytes_, base));
  return copy;
}

void DiskCache::forget(const std::string& key) const {
  const std::string note = base_of(key) + std::string(kNote);
  const auto copy = read_note(folder_, note);
  ::unlink(note.c_str());
  if (copy) ::unlink(copy->path.c_str());
}

std::vector<DiskCache::Copy> DiskCache::list(const std::string& folder) {
  std::vector<Copy> copies;
  for (NotedCopy& noted : copies_in(folder)) copies.push_back(std::move(noted.copy));
  return copies;
}

DiskCache::Removed DiskCache::remove(const std::string& folder, std::int64_t keep_bytes) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) return {};
  if (!S_ISDIR(status.st_mode) || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    fail(ErrorCode::invalid_argument, "nothing can be removed from the cache folder '", printable(folder),
         "': ", S_ISDIR(status.st_mode) ? "this user may not write to it" : "it is not a folder");
  }
  const Lock all(folder + "/.lock");
  return Cleaner(folder).clean(keep_bytes, {});
}

}  // namespace mxinfer::sources
