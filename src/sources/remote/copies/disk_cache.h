// DiskCache: copies of fetched files, shared by any number of processes.
//
//   DiskCache cache(options);
//   const DiskCache::Lock lock = cache.lock(key);      // one process fetches, others wait and find it
//   if (auto copy = cache.find(key)) ...
//   cache.keep(key, address, file, fetched);
//
// A key, such as an address, has two files, named after its SHA-256: KEY.json names the current copy, and
// KEY-*.data is the copy. The former is replaced atomically, so that readers find either version; a removed
// copy stays readable for processes that have opened it.
#pragma once

#include <mxinfer/remote_options.h>
#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sources/remote/copies/temporary_file.h"
#include "sources/remote/fetch.h"

namespace mxinfer::sources {

class DiskCache {
 public:
  struct Copy {
    std::string path;
    std::string address;  ///< as it may be shown
    std::int64_t size = 0;
    Validators validators{};
    std::chrono::system_clock::time_point last_use{};
  };

  struct Removed {
    std::int64_t files = 0;  ///< copies, and what was left of others
    std::int64_t bytes = 0;
  };

  class Lock {
   public:
    enum class Way { wait, attempt };
    /// A lock on the file that is at the path once locked; its holder may remove the file.
    explicit Lock(const std::string& path, Way way = Way::wait);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    /// false: the attempt failed, because another process holds it.
    [[nodiscard]] bool is_held() const { return is_held_; }

   private:
    void take(Way way);
    void release();

    int descriptor_ = -1;
    pid_t process_ = ::getpid();
    bool is_held_ = true;
  };

  /// Makes the folder, for this user alone. Throws Error(invalid_argument) if it cannot.
  explicit DiskCache(const RemoteOptions& options);

  [[nodiscard]] const std::string& folder() const { return folder_; }
  /// Waits for the key's lock. On systems without locks (some network folders) no lock is held.
  [[nodiscard]] Lock lock(const std::string& key) const;
  /// A complete copy; marks it as used now.
  [[nodiscard]] std::optional<Copy> find(const std::string& key) const;
  Copy keep(const std::string& key, const std::string& address, TemporaryFile& file,
            const FileVersion& fetched) const;
  void forget(const std::string& key) const;

  // Of a folder that need not be there.
  /// By time of use, the latest first.
  static std::vector<Copy> list(const std::string& folder);
  /// Removes the least recently used copies until the others take no more than `keep_bytes`, and files left
  /// by killed processes. Keeps copies that are being opened or fetched.
  static Removed remove(const std::string& folder, std::int64_t keep_bytes);

 private:
  [[nodiscard]] std::string base_of(const std::string& key) const;

  std::string folder_;
  std::int64_t most_bytes_;
};

/// The folder that the options and the environment say.
std::string cache_folder(const RemoteOptions& options);

}  // namespace mxinfer::sources
