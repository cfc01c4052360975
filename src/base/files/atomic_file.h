// AtomicFile: writes a file atomically. Others see the old file or the whole new one, never a part.
//
//   AtomicFile file("digits-symbol.json");
//   file.write(text.data(), text.size());
//   file.commit();                            // without it nothing of the file is left
//
// The bytes go to a temporary file in the same folder, which replaces the old one at the end.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace mxinfer {

class AtomicFile {
 public:
  /// Throws Error(invalid_argument) if no file can be created in the folder, or if `path` is a folder or a
  /// device. If `path` is a symbolic link, its target is replaced.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Throws Error(invalid_argument) with the system's reason, such as a full disk.
  void write(const void* data, std::size_t bytes);
  /// Throws the same errors. Nothing can be written afterwards.
  void commit();

 private:
  [[noreturn]] void give_up(const char* what) const;

  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;
};

/// Writes the text as the file's new contents.
void write_file_atomically(const std::string& path, const std::string& text);

}  // namespace mxinfer
