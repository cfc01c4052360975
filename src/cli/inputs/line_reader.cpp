#include "cli/inputs/line_reader.h"

#include <fcntl.h>
#include <mxinfer/error.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "image/file_kind.h"
#include "sources/address.h"

namespace mxinfer::cli {
namespace {

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

/// Whether there is a whole line of text. A PNG or JPEG begins with a byte outside ASCII.
bool begins_with_line(const std::string& text) {
  return text.find('\n') != std::string::npos && static_cast<unsigned char>(text[0]) < 0x80 &&
         text.find('\0') == std::string::npos;
}

}  // namespace

LineReader::LineReader(std::string option, const std::string& place, const sources::Opener& opener,
                       const LineKind& kind)
    : option_(std::move(option)),
      name_(place == "-" ? "standard input" : "'" + sources::shown(place) + "'"),
      kind_(kind) {
  if (sources::is_remote(place)) {
    read_whole(place, opener);
  } else {
    open(sources::path_of_file(place));
  }
}

LineReader::~LineReader() {
  if (file_ != STDIN_FILENO && file_ >= 0) close(file_);
}

void LineReader::open(const std::string& path) {
  file_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0)
    throw Error(ErrorCode::not_found, option_ + ": cannot open " + name_ + ": " + reason_of(errno));
}

void LineReader::read_whole(const std::string& address, const sources::Opener& opener) {
  try {
    const std::vector<std::byte> bytes = opener.read(address);
    buffer_.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  } catch (const Error& e) {
    throw Error(e.code(), option_ + ": " + e.what());
  }
  at_end_ = true;
}

std::optional<std::string> LineReader::next() {
  while (!has_line()) fill();
  if (at_ == buffer_.size()) return std::nullopt;
  const std::size_t end = buffer_.find('\n', at_);
  std::string line = buffer_.substr(at_, end == std::string::npos ? end : end - at_);
  at_ = end == std::string::npos ? buffer_.size() : end + 1;
  ++lines_;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (!kind_.zero_bytes && line.find('\0') != std::string::npos) reject(lines_, "contains a null byte");
  return line;
}

bool LineReader::ready() {
  while (!has_line() && !image::begins_like_image(buffer_)) {
    pollfd request{file_, POLLIN, 0};
    if (poll(&request, 1, 0) <= 0) return false;
    fill();
  }
  return true;
}

bool LineReader::is_image() {
  constexpr std::size_t kEnough = 64;
  while (!at_end_ && buffer_.size() < kEnough && !begins_with_line(buffer_)) read_more();
  return image::begins_like_image(buffer_);
}

std::vector<std::byte> LineReader::read_all() {
  while (!at_end_) read_more();
  const auto* const bytes = reinterpret_cast<const std::byte*>(buffer_.data());
  std::vector<std::byte> all(bytes, bytes + buffer_.size());
  buffer_.clear();
  return all;
}

/// Reads the available bytes; blocks if there are none.
void LineReader::fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  if (buffer_.size() > kind_.longest) reject(lines_ + 1, kind_.too_long);
  read_more();
}

void LineReader::read_more() {
  std::array<char, 8192> bytes{};
  ssize_t count = 0;
  do count = read(file_, bytes.data(), bytes.size());
  while (count < 0 && errno == EINTR);
  if (count < 0) {
    throw Error(ErrorCode::invalid_argument, option_ + ": cannot read " + name_ + ": " + reason_of(errno));
  }
  at_end_ = count == 0;
  buffer_.append(bytes.data(), static_cast<std::size_t>(count));
}

std::string LineReader::place_of(std::size_t line) const {
  return "line " + std::to_string(line) + " of " + name_;
}

void LineReader::reject(std::size_t line, const std::string& reason) const {
  throw Error(ErrorCode::malformed,
              option_ + ": " + place_of(line) + " " + reason + ": expected " + kind_.expected);
}

}  // namespace mxinfer::cli
