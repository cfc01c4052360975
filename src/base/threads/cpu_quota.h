// The quota of processor time that a container or a service has: what `docker --cpus 2` and the CPU limits of
// Kubernetes set. Linux throttles a process that uses more, all of its threads together.
//
//   if (const auto cores = cpu_quota()) threads = std::min<int>(threads, std::ceil(*cores));
#pragma once

#include <optional>
#include <string>

namespace mxinfer {

/// In cores: 1.5 is 150 ms of processor time in 100 ms. The smallest of the process's cgroup (version 2 or 1)
/// and of those that it is in; nothing if none has a quota. `membership` is what /proc/self/cgroup holds,
/// `mount` where the cgroups are mounted.
std::optional<double> cpu_quota(const std::string& membership, const std::string& mount);

/// That of this process.
std::optional<double> cpu_quota();

}  // namespace mxinfer
