// A regular file, open for reading: not a folder, pipe or device.
//
//   const RegularFile file("digits-0000.params");
//   file.status().st_size;
//   ::pread(file.descriptor(), ...);
#pragma once

#include <sys/stat.h>

#include <string>

namespace mxinfer {

class RegularFile {
 public:
  /// Throws Error(not_found) if the file cannot be opened or is not a regular one; the message begins with
  /// `shown`, or with the path. Never blocks, not even for a pipe.
  explicit RegularFile(const std::string& path, const std::string& shown = {});
  ~RegularFile();
  RegularFile(RegularFile&& other) noexcept;
  RegularFile& operator=(RegularFile&&) = delete;

  int descriptor() const { return descriptor_; }
  /// The status when the file was opened.
  const struct stat& status() const { return status_; }

 private:
  int descriptor_;
  struct stat status_ {};
};

}  // namespace mxinfer
