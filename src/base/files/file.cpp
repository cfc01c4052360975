#include "base/files/file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/fail.h"
#include "base/files/regular_file.h"

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

std::vector<std::byte> read_file(const std::string& path, const std::string& shown) {
  const RegularFile file(path, shown);
  const auto where = [&] { return shown.empty() ? "file '" + printable(path) + "'" : shown; };
  return in_context(where, [&] {
    // The size is only a hint: a file may grow.
    std::vector<std::byte> bytes(static_cast<std::size_t>(file.status().st_size) + 1);
    std::size_t have = 0;
    while (true) {
      const std::size_t piece = std::min(bytes.size() - have, std::size_t{1} << 30);
      const ssize_t got = ::read(file.descriptor(), bytes.data() + have, piece);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(ErrorCode::malformed, "reading failed after ", have, " bytes: ", reason());
      have += static_cast<std::size_t>(got);
      if (got == 0) break;
      if (have == bytes.size()) bytes.resize(have + (std::size_t{1} << 20));
    }
    bytes.resize(have);
    return bytes;
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
