#include "simt/races/source_line.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <vector>

namespace mxinfer::simt {
namespace {

/// The object that this function is in.
struct Object {
  std::string path;
  std::uintptr_t start = 0;
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> segments;
};

int add_segments(dl_phdr_info* info, std::size_t, void* argument) {
  Object& object = *static_cast<Object*>(argument);
  const std::uintptr_t own = reinterpret_cast<std::uintptr_t>(&add_segments);
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> segments;
  bool is_own = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    const std::uintptr_t first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    segments.emplace_back(first, first + info->dlpi_phdr[i].p_memsz);
    is_own = is_own || (own >= segments.back().first && own < segments.back().second);
  }
  if (!is_own) return 0;
  object.start = info->dlpi_addr;
  object.segments = segments;
  return 1;
}

const Object& this_object() {
  static const Object object = [] {
    Object made;
    dl_iterate_phdr(add_segments, &made);
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&add_segments), &info) != 0) made.path = info.dli_fname;
    return made;
  }();
  return object;
}

/// The first line that a command writes.
std::string first_line_of(const std::string& command) {
  std::string line;
  if (FILE* pipe = popen(command.c_str(), "r")) {
    char text[1024];
    if (std::fgets(text, sizeof text, pipe) != nullptr) line = text;
    pclose(pipe);
  }
  while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
  return line;
}

}  // namespace

std::uint32_t code_offset(const void* code) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(code) - this_object().start);
}

std::string source_line(std::uint32_t offset) {
  char address[32];
  // The address is that behind the call.
  std::snprintf(address, sizeof address, "0x%x", offset - 1);
  const std::string line =
      first_line_of("addr2line -e '" + this_object().path + "' " + address + " 2> /dev/null");
  if (line.empty() || line[0] == '?') return std::string("code at ") + address;
  return line.substr(0, line.find(" ("));  // without "(discriminator 3)"
}

bool is_in_this_object(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const auto& [first, end] : this_object().segments) {
    if (at >= first && at < end) return true;
  }
  return false;
}

}  // namespace mxinfer::simt
