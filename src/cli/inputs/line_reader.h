// LineReader: the lines of a list as they arrive from a file, a pipe or standard input.
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

/// The kind of the lines.
struct LineKind {
  std::size_t longest = std::size_t{1} << 16;  ///< bytes; far beyond the longest path (PATH_MAX is 4096)
  bool zero_bytes = false;                     ///< whether a line may contain null bytes
  const char* too_long = "is longer than any path";
  const char* expected = "one path per line";
};

class LineReader {
 public:
  /// "-" is standard input. An address is read as a whole. Errors name the option: Error(not_found) if the
  /// file cannot be opened.
  LineReader(std::string option, const std::string& place, const sources::Opener& opener,
             const LineKind& kind = {});
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// The next line without its end ("\n" or "\r\n"), or nothing after the last one. Blocks until a line
  /// arrives. Throws Error(malformed) for an invalid line, Error(invalid_argument) if reading fails.
  std::optional<std::string> next();
  /// Whether next(), or is_image() before the first next(), would return without blocking.
  bool ready();
  /// Whether the input is an image file and not a list. Blocks until its first bytes arrive. Precondition:
  /// next() was not called yet.
  bool is_image();
  /// The whole input. Precondition: next() was not called yet.
  std::vector<std::byte> read_all();
  /// The place of the last line of next(): "line 7 of 'texts.txt'".
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
  std::string buffer_;  ///< the bytes read so far; lines before at_ were returned
  std::size_t at_ = 0;
  std::size_t lines_ = 0;
  bool at_end_ = false;
};

}  // namespace mxinfer::cli
