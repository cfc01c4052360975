#include "base/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/fail.h"

namespace mxinfer {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

std::string reason() {
  return std::strerror(errno);
}

}  // namespace

std::vector<std::byte> read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    fail(ErrorCode::not_found, "'", printable(path), "' is a folder, a file was expected");
  }
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) fail(ErrorCode::not_found, "file '", printable(path), "' cannot be opened: ", reason());
  std::vector<std::byte> bytes;
  return in_context([&] { return "file '" + printable(path) + "'"; },
                    [&] {
                      // The size is only a hint: pipes have none, and a file may grow.
                      const auto hint = std::filesystem::file_size(path, ignored);
                      if (!ignored) bytes.reserve(hint);
                      constexpr std::size_t kChunk = std::size_t{1} << 20;
                      while (true) {
                        const std::size_t have = bytes.size();
                        bytes.resize(have + kChunk);
                        const std::size_t got = std::fread(bytes.data() + have, 1, kChunk, file.get());
                        bytes.resize(have + got);
                        if (got == kChunk) continue;
                        if (std::ferror(file.get()))
                          fail(ErrorCode::malformed, "reading failed after ", bytes.size(),
                               " bytes: ", reason());
                        return std::move(bytes);
                      }
                    });
}

void write_file(const std::string& path, Span<const std::byte> bytes) {
  File file(std::fopen(path.c_str(), "wb"));
  if (!file) fail(ErrorCode::invalid_argument, "file '", printable(path), "' cannot be created: ", reason());
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  const bool closed = std::fclose(file.release()) == 0;
  if (!written || !closed) {
    fail(ErrorCode::invalid_argument, "file '", printable(path), "' could not be written: ", reason());
  }
}

}  // namespace mxinfer
