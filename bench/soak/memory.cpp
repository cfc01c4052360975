#include "soak/memory.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <stdexcept>
#include <string_view>

namespace mxinfer::soak {
namespace {

/// The pages are counted as it is read. statm has counters instead, to which each thread adds in batches.
constexpr const char* kFile = "/proc/self/smaps_rollup";

std::string_view read_into(std::array<char, 4096>& buffer) {
  const int file = ::open(kFile, O_RDONLY | O_CLOEXEC);
  if (file < 0) throw std::runtime_error(std::string("cannot open ") + kFile);
  std::size_t size = 0;
  for (ssize_t got = 1; got > 0 && size < buffer.size();) {
    got = ::read(file, buffer.data() + size, buffer.size() - size);
    if (got > 0) size += static_cast<std::size_t>(got);
  }
  ::close(file);
  return {buffer.data(), size};
}

/// Of "\nRss:      1234 kB".
std::int64_t bytes_of(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  const std::size_t digit = at == text.npos ? at : text.find_first_of("0123456789", at);
  std::int64_t kilobytes = 0;
  if (digit == text.npos ||
      std::from_chars(text.data() + digit, text.data() + text.size(), kilobytes).ec != std::errc{}) {
    throw std::runtime_error(std::string(kFile) + " is not as expected");
  }
  return kilobytes * 1024;
}

}  // namespace

Memory memory_now() {
  std::array<char, 4096> buffer{};
  const std::string_view text = read_into(buffer);
  Memory memory;
  memory.resident = bytes_of(text, "\nRss:");
  memory.anonymous = bytes_of(text, "\nAnonymous:");
  if constexpr (kMemoryIsTelling) memory.idle = static_cast<std::int64_t>(::mallinfo2().fordblks);
  memory.heap = live_heap();
  return memory;
}

}  // namespace mxinfer::soak
