#include "simt/host/launch_log.h"

#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>

#include "simt/host/kernel_name.h"

namespace mxinfer::simt {
namespace {

class LaunchLog {
 public:
  void note(const void* kernel) {
    if (path_ == nullptr) return;
    const std::lock_guard lock(mutex_);
    if (noted_.insert(kernel).second) std::ofstream(path_, std::ios::app) << kernel_name(kernel) << '\n';
  }

 private:
  const char* const path_ = std::getenv("MXINFER_SIMT_KERNELS");
  std::mutex mutex_;
  std::set<const void*> noted_;
};

}  // namespace

void note_launch(const void* kernel) {
  static LaunchLog& log = *new LaunchLog;
  log.note(kernel);
}

}  // namespace mxinfer::simt
