// LineReader: the lines of a list, as they come. The list may be a file, a pipe or standard input.
//
//   LineReader reader("--from", "-", opener);
//   while (const auto line = reader.next()) ...
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sources/opener.h"

namespace mxinfer::cli {

/// What the lines are.
struct LineKind {
  std::size_t longest = std::size_t{1} << 16;  ///< bytes; far beyond the longest path (PATH_MAX is 4096)
  bool zero_bytes = false;                     ///< whether a line may have a byte 0
  const char* too_long = "is longer than any path";
  const char* expected = "a list has one path a line";
};

class LineReader {
 public:
  /// "-" is standard input; what is at an address is read whole. Errors name the option: Error(not_found) if
  /// the file cannot be opened.
  LineReader(std::string option, const std::string& place, const sources::Opener& opener,
             const LineKind& kind = {});
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// The next line without its end ("\n" or "\r\n"), or nothing behind the last one. Waits for its
  /// writer. Throws Error(malformed) for a line that is not of its kind, Error(invalid_argument) if reading
  /// fails.
  std::optional<std::string> next();
  /// Whether next(), or is_image() before it, would not wait.
  bool ready();
  /// Whether no list comes but the file of an image. Waits for its first bytes. Precondition: no next() yet.
  bool is_image();
  /// All that comes. Precondition: no next() yet.
  std::vector<std::byte> read_all();
  /// The last line that next() gave: "line 7 of 'texts.txt'".
  std::string place() const { return place_of(lines_); }

 private:
  bool has_line() const { return at_end_ || buffer_.find('\n', at_) != std::string::npos; }
  void open(const std::string& path);
  void read_whole(const std::string& address, const sources::Opener& opener);
  void fill();
  void read_more();
  std::string place_of(std::size_t line) const;
  [[noreturn]] void reject(std::size_t line, const std::string& reason) const;

  std::string option_;
  std::string name_;
  LineKind kind_;
  int file_ = -1;
  std::string buffer_;  ///< what was read; lines before at_ were given out
  std::size_t at_ = 0;
  std::size_t lines_ = 0;
  bool at_end_ = false;
};

}  // namespace mxinfer::cli
