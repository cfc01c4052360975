// The CPU quota of a container or service, as set by `docker --cpus 2` or the CPU limits of Kubernetes. Linux
// throttles a process whose threads together use more.
//
//   if (const auto cores = cpu_quota()) threads = std::min<int>(threads, std::ceil(*cores));
#pragma once

#include <optional>
#include <string>

namespace mxinfer {

/// In cores: 1.5 is 150 ms of processor time in 100 ms. The smallest quota of the process's cgroup (version 2
/// or 1) and its ancestors; nullopt if none has one. `membership` is the text of /proc/self/cgroup, `mount`
/// where the cgroups are mounted.
std::optional<double> cpu_quota(const std::string& membership, const std::string& mount);

/// The quota of this process.
std::optional<double> cpu_quota();

}  // namespace mxinfer
