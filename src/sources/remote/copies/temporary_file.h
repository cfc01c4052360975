// A file being written, which is removed unless it is kept. Its writer holds a lock on it (flock), which
// distinguishes it from files left by killed processes.
//
//   TemporaryFile file("/var/cache/models");
//   file.write_at(0, bytes);
//   file.keep_as("/var/cache/models/digits-0000.params");
#pragma once

#include <mxinfer/span.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace mxinfer::sources {

class TemporaryFile {
 public:
  /// What the names of such files begin with.
  static constexpr const char* kPrefix = "fetching-";

  /// Throws Error(invalid_argument) if no file can be created in the folder.
  explicit TemporaryFile(const std::string& folder);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool is_kept() const { return is_kept_; }
  /// Several threads may write different parts. Throws Error(invalid_argument) with the system's reason, such
  /// as a full disk.
  void write_at(std::int64_t offset, Span<const std::byte> bytes) const;
  /// Reserves space for this many bytes, if the file system supports it. Throws Error(invalid_argument) if
  /// there is not enough.
  void reserve(std::int64_t size) const;
  /// Bytes that were written before.
  void read_at(std::int64_t offset, void* dst, std::size_t bytes) const;
  /// Drops what is behind.
  void cut_to(std::int64_t size) const;
  /// Unlinks the file, so that not even a killed process leaves it behind; it cannot be kept any more.
  void drop_name();
  /// Exchanges contents and paths with the other.
  void swap(TemporaryFile& other) noexcept;
  /// Atomically replaces the file there.
  void keep_as(const std::string& path);

 private:
  [[noreturn]] void give_up(const char* what) const;

  std::string folder_;
  std::string path_;
  int descriptor_ = -1;
  pid_t process_;  ///< that removes it, and no child of it
  bool is_kept_ = false;
};

}  // namespace mxinfer::sources
