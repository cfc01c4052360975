#include "sources/source.h"

#include "base/fail.h"

namespace mxinfer::sources {

void Source::check_range(std::int64_t offset, std::size_t bytes) const {
  if (offset < 0 || offset > size() || bytes > static_cast<std::uint64_t>(size() - offset)) {
    fail(ErrorCode::malformed, printable(name()), kTrail, bytes, " bytes at byte ", offset,
         " were requested; it has ", size());
  }
}

std::vector<std::byte> read_bytes(const Source& source, std::int64_t byte_limit) {
  if (source.size() > byte_limit) {
    fail(ErrorCode::invalid_argument, printable(source.name()), kTrail, "it has ", source.size(),
         " bytes, more than the ", byte_limit, " that it may have here");
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(source.size()));
  source.read(0, bytes.data(), bytes.size());
  return bytes;
}

std::string read_text(const Source& source, std::int64_t byte_limit) {
  if (source.size() > byte_limit) {
    fail(ErrorCode::invalid_argument, printable(source.name()), kTrail, "it has ", source.size(),
         " bytes, more than the ", byte_limit, " that a text file may have here");
  }
  std::string text(static_cast<std::size_t>(source.size()), '\0');
  source.read(0, text.data(), text.size());
  return text;
}

}  // namespace mxinfer::sources
