#include "plan/schedule/machine.h"

#include <fstream>
#include <initializer_list>
#include <string_view>

#include "base/threads/thread_arena.h"

namespace mxinfer::plan {
namespace {

// The value of the first "key : " in /proc/cpuinfo.
std::string cpuinfo(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

std::string read_cpu_name() {
  if (std::string name = cpuinfo("model name"); !name.empty()) {
    // Different processors may have the same name.
    return name + ", family " + cpuinfo("cpu family") + ", model " + cpuinfo("model\t");
  }
  const std::string part = cpuinfo("CPU part");
  return part.empty() ? "unknown" : "implementer " + cpuinfo("CPU implementer") + ", part " + part;
}

}  // namespace

const std::string& cpu_name() {
  static const auto& name = *new std::string(read_cpu_name());
  return name;
}

int usable_cores() {
  static const int cores = ThreadArena(0).threads();
  return cores;
}

}  // namespace mxinfer::plan
