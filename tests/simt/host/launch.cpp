#include "simt/host/launch.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

#include "simt/host/device.h"
#include "simt/host/errors.h"
#include "simt/host/kernel_name.h"
#include "simt/host/launch_log.h"
#include "simt/host/observer.h"
#include "simt/host/options.h"
#include "simt/host/runner.h"
#include "simt/host/stream.h"
#include "simt/host/traffic.h"

namespace mxinfer::simt {
namespace {

std::string text_of(dim3 size) {
  return std::to_string(size.x) + " x " + std::to_string(size.y) + " x " + std::to_string(size.z);
}

std::uint64_t block_count(const Launch& launch) {
  return std::uint64_t{launch.grid.size.x} * launch.grid.size.y * launch.grid.size.z;
}

std::string title(const Launch& launch) {
  return "kernel " + kernel_name(launch.kernel) + " (launched in " + launch.grid.file + ":" +
         std::to_string(launch.grid.line) + ")";
}

/// What is wrong with the launch; empty if nothing is.
std::string complaint_of(const Launch& launch) {
  const dim3 grid = launch.grid.size, block = launch.block;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
    return "the grid of " + text_of(grid) + " blocks is not within 1 and 2147483647 x 65535 x 65535";
  if (block.x == 0 || block.y == 0 || block.z == 0 || block.x > kMostThreads || block.y > kMostThreads ||
      block.z > 64 || std::size_t{block.x} * block.y * block.z > kMostThreads) {
    return "the block of " + text_of(block) + " threads is not within 1 and 1024 threads, of z 64";
  }
  if (const std::size_t most = most_shared_bytes(options()); launch.shared_bytes > most) {
    return std::to_string(launch.shared_bytes) + " bytes of shared memory are more than the " +
           std::to_string(most) + " that a block may have";
  }
  if (const auto most = static_cast<std::uint64_t>(options().multiprocessors);
      launch.is_cooperative && block_count(launch) > most) {
    return "the cooperative launch of " + std::to_string(block_count(launch)) +
           " blocks is of more than the " + std::to_string(most) + " that the multiprocessors hold at once";
  }
  return "";
}

/// Runners that no launch uses: their stacks are kept.
class RunnerPool {
 public:
  std::unique_ptr<Runner> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Runner>();
    std::unique_ptr<Runner> runner = std::move(free_.back());
    free_.pop_back();
    return runner;
  }
  void give_back(std::unique_ptr<Runner> runner) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(runner));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Runner>> free_;
};

RunnerPool& runner_pool() {
  static RunnerPool& pool = *new RunnerPool;
  return pool;
}

__extension__ typedef unsigned __int128 Wide;

/// The number of the i-th block that starts.
class BlockOrder {
 public:
  BlockOrder(std::uint64_t count, const Options& options) : count_(count), order_(options.order) {
    // Any step without a common factor goes through all blocks.
    step_ = count / 3 + options.seed % 7 + 1;
    while (std::gcd(step_, count) != 1) ++step_;
    step_ %= count;
  }
  std::uint64_t operator()(std::uint64_t i) const {
    if (order_ == Order::random) {
      return static_cast<std::uint64_t>(Wide{i} * step_ % count_);
    }
    return order_ == Order::reverse ? count_ - 1 - i : i;
  }

 private:
  std::uint64_t count_, step_;
  Order order_;
};

std::string block_text(const Launch& launch, std::uint64_t number) {
  const dim3 grid = launch.grid.size;
  return "block (" + std::to_string(number % grid.x) + "," + std::to_string(number / grid.x % grid.y) + "," +
         std::to_string(number / grid.x / grid.y) + ")";
}

/// What the OS threads of a launch share.
struct Progress {
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::string message;
};

void run_blocks(const Launch& launch, const Options& options, Progress& progress) {
  const std::uint64_t count = block_count(launch);
  const BlockOrder order(count, options);
  std::unique_ptr<Runner> runner = runner_pool().take();
  for (std::uint64_t i; (i = progress.next++) < count && !progress.failed;) {
    if (observer != nullptr && !observer->runs(order(i))) continue;
    const std::string message = runner->run(launch, options, order(i));
    if (message.empty()) continue;
    const std::lock_guard lock(progress.mutex);
    if (!progress.failed) progress.message = block_text(launch, order(i)) + ": " + message;
    progress.failed = true;
  }
  runner_pool().give_back(std::move(runner));
}

/// Blocks that take turns: one runs until all of its threads have ended or wait for others.
void run_together(const Launch& launch, const Options& options, Progress& progress) {
  const std::uint64_t count = block_count(launch);
  const BlockOrder order(count, options);
  std::vector<std::unique_ptr<Runner>> runners;
  std::vector<std::uint64_t> left;
  for (std::uint64_t i = 0; i < count; ++i) {
    runners.push_back(runner_pool().take());
    left.push_back(i);
    runners[i]->begin(launch, options, order(i));
  }
  const auto fail_at = [&](std::uint64_t i, const std::string& message) {
    progress.message = block_text(launch, order(i)) + ": " + message;
    progress.failed = true;
  };
  while (!left.empty() && !progress.failed) {
    bool moved = false;
    for (const std::uint64_t i : left) {
      if (progress.failed || !runners[i]->can_go_on()) continue;
      moved = true;
      if (const std::string message = runners[i]->go_on(); !message.empty()) fail_at(i, message);
    }
    if (!moved) fail_at(left[0], runners[left[0]]->nothing_runs());
    left.erase(
        std::remove_if(left.begin(), left.end(), [&](std::uint64_t i) { return runners[i]->has_ended(); }),
        left.end());
  }
  for (auto& runner : runners) runner_pool().give_back(std::move(runner));
}

}  // namespace

cudaError_t run(const Launch& launch) {
  note_launch(launch.kernel);
  count_launch(launch.kernel);
  Options with = options();
  std::unique_lock<std::mutex> alone;
  if (observer != nullptr) {
    static std::mutex& mutex = *new std::mutex;
    alone = std::unique_lock(mutex);
    with.os_threads = 1;
    observer->begin_launch(launch);
  }
  Progress progress;
  std::vector<std::thread> threads;
  const bool together = launch.is_cooperative && (observer == nullptr || observer->runs_all());
  if (together) with.os_threads = 1;
  for (std::uint64_t i = 1; i < block_count(launch) && static_cast<int>(i) < with.os_threads; ++i)
    threads.emplace_back([&] { run_blocks(launch, with, progress); });
  together ? run_together(launch, with, progress) : run_blocks(launch, with, progress);
  for (std::thread& thread : threads) thread.join();
  if (observer != nullptr) observer->end_launch(launch);
  return progress.failed ? report(title(launch) + ", " + progress.message) : cudaSuccess;
}

Status enqueue(Launch launch, const Stream& stream) {
  const DeviceScope scope(stream.device);
  if (scope.status() != cudaSuccess) return scope.status();
  if (const std::string complaint = complaint_of(launch); !complaint.empty())
    return report(title(launch) + ": " + complaint);
  return enqueue_work(static_cast<cudaStream_t>(stream.handle),
                      [launch = std::move(launch)] { return run(launch); });
}

}  // namespace mxinfer::simt
