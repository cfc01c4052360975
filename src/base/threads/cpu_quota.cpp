#include "base/threads/cpu_quota.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace mxinfer {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// "150000 100000", or "max 100000" without a quota.
std::optional<double> read_version_2(const std::string& folder) {
  std::istringstream text(text_of(folder + "/cpu.max"));
  double quota = 0, period = 0;
  if (!(text >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

/// A quota of -1 means none.
std::optional<double> read_version_1(const std::string& folder) {
  std::istringstream quota_text(text_of(folder + "/cpu.cfs_quota_us"));
  std::istringstream period_text(text_of(folder + "/cpu.cfs_period_us"));
  double quota = 0, period = 0;
  if (!(quota_text >> quota) || !(period_text >> period) || quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

/// The smallest along a path, from the group itself to the mount. In a container the path may be the host's,
/// which does not exist there: the mount is then the container's own group.
template <typename Read>
std::optional<double> smallest(const std::string& mount, std::string path, const Read& read) {
  std::optional<double> result;
  for (;;) {
    const std::optional<double> quota = read(mount + path);
    if (quota && (!result || *quota < *result)) result = quota;
    const std::size_t slash = path.rfind('/');
    if (path.empty() || slash == std::string::npos) return result;
    path.resize(slash);
  }
}

bool lists_cpu(const std::string& controllers) {
  return ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

}  // namespace

std::optional<double> cpu_quota(const std::string& membership, const std::string& mount) {
  std::optional<double> result;
  std::istringstream lines(membership);
  for (std::string line; std::getline(lines, line);) {  // number:controllers:path
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1),
                      path = line.substr(second + 1);
    std::optional<double> quota;
    if (controllers.empty()) quota = smallest(mount, path, read_version_2);
    if (lists_cpu(controllers)) quota = smallest(mount + "/cpu", path, read_version_1);
    if (quota && (!result || *quota < *result)) result = quota;
  }
  return result;
}

std::optional<double> cpu_quota() {
  return cpu_quota(text_of("/proc/self/cgroup"), "/sys/fs/cgroup");
}

}  // namespace mxinfer
