#include "sources/remote/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/atomic_file.h"
#include "base/fail.h"
#include "sources/address.h"
#include "sources/digest.h"
#include "sources/source.h"

namespace mxinfer::sources {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNote = ".json";
constexpr std::string_view kData = ".data";
constexpr std::int64_t kMostOfNote = 64 << 10;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

void make_folders(const std::string& folder) {
  for (std::size_t at = folder.find('/', 1);; at = folder.find('/', at + 1)) {
    const std::string part = folder.substr(0, at);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST && errno != EISDIR && errno != EROFS &&
        errno != EACCES) {
      fail(ErrorCode::invalid_argument, "the folder for copies, '", printable(folder),
           "', cannot be made: ", std::strerror(errno), "; RemoteOptions::cache_folder names another");
    }
    if (at == std::string::npos) break;
  }
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
      ::access(folder.c_str(), W_OK | X_OK) != 0) {
    fail(ErrorCode::invalid_argument, "the folder for copies, '", printable(folder),
         "', cannot be written to",
         "; RemoteOptions::cache_folder or MXINFER_CACHE_DIR names another, or CachePolicy::none does "
         "without");
  }
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  while (const dirent* entry = open == nullptr ? nullptr : ::readdir(open.get()))
    names.emplace_back(entry->d_name);
  return names;
}

/// Nothing, if it is damaged, or its copy is not there.
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

timespec last_use(const std::string& note) {
  struct stat status {};
  return ::stat(note.c_str(), &status) == 0 ? status.st_mtim : timespec{};
}

bool is_before(const timespec& a, const timespec& b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

struct NotedCopy {
  std::string note;
  timespec used;
  DiskCache::Copy copy;
};

/// The latest first.
std::vector<NotedCopy> copies_in(const std::string& folder) {
  std::vector<NotedCopy> copies;
  for (const std::string& name : names_in(folder)) {
    if (!name.ends_with(kNote)) continue;
    const std::string note = concat(folder, "/", name);
    if (auto copy = read_note(folder, note)) copies.push_back({note, last_use(note), std::move(*copy)});
  }
  std::sort(copies.begin(), copies.end(),
            [](const NotedCopy& a, const NotedCopy& b) { return is_before(b.used, a.used); });
  return copies;
}

}  // namespace

std::string cache_folder(const RemoteOptions& options) {
  if (!options.cache_folder.empty()) return options.cache_folder;
  if (const std::string own = variable("MXINFER_CACHE_DIR"); !own.empty()) return own;
  if (const std::string base = variable("XDG_CACHE_HOME"); base.starts_with("/")) return base + "/mxinfer";
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.cache/mxinfer";
  fail(ErrorCode::invalid_argument, "there is no folder for copies of what is fetched: HOME is not set; ",
       "RemoteOptions::cache_folder or MXINFER_CACHE_DIR names one, or CachePolicy::none does without");
}

DiskCache::Lock::Lock(const std::string& path)
    : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

DiskCache::Lock::~Lock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

DiskCache::DiskCache(const RemoteOptions& options)
    : folder_(cache_folder(options)), most_bytes_(options.cache_bytes) {
  make_folders(folder_);
}

std::string DiskCache::base_of(const std::string& key) const {
  return folder_ + "/" + sha256_hex(std::string_view(key));
}

DiskCache::Lock DiskCache::lock(const std::string& key) const {
  return Lock(base_of(key) + ".lock");
}

std::optional<DiskCache::Copy> DiskCache::find(const std::string& key) const {
  const std::string note = base_of(key) + std::string(kNote);
  auto copy = read_note(folder_, note);
  if (copy) ::utimensat(AT_FDCWD, note.c_str(), nullptr, 0);
  return copy;
}

DiskCache::Copy DiskCache::keep(const std::string& key, const std::string& address, TemporaryFile& file,
                                const FetchedFile& fetched) const {
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
  remove_oldest(note);
  return copy;
}

void DiskCache::forget(const std::string& key) const {
  const std::string note = base_of(key) + std::string(kNote);
  const auto copy = read_note(folder_, note);
  ::unlink(note.c_str());
  if (copy) ::unlink(copy->path.c_str());
}

std::vector<DiskCache::Copy> DiskCache::list() const {
  std::vector<Copy> copies;
  for (NotedCopy& noted : copies_in(folder_)) copies.push_back(std::move(noted.copy));
  return copies;
}

// What was just fetched stays, however large it is.
void DiskCache::remove_oldest(const std::string& kept) const {
  const Lock all(folder_ + "/.lock");
  std::int64_t bytes = 0;
  for (const NotedCopy& noted : copies_in(folder_)) {
    bytes += noted.copy.size;
    if (bytes <= most_bytes_ || noted.note == kept) continue;
    ::unlink(noted.note.c_str());
    ::unlink(noted.copy.path.c_str());
  }
}

}  // namespace mxinfer::sources
