#include "cli/progress.h"

#include <unistd.h>

#include <iostream>
#include <string>

#include "cli/output.h"

namespace mxinfer::cli {
namespace {

constexpr std::size_t kLongList = 20;
constexpr std::size_t kBarWidth = 30;

}  // namespace

Progress::Progress(std::size_t total, Shown shown)
    : total_(total), shown_((shown == Shown::always || total >= kLongList) && isatty(STDERR_FILENO) == 1) {}

void Progress::advance(std::size_t count) {
  done_ += count;
  if (!shown_) return;
  const std::size_t filled = kBarWidth * done_ / total_;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  std::cerr << "\r[" << std::string(filled, '#') << std::string(kBarWidth - filled, '.') << "] " << done_
            << '/' << total_ << "  " << fixed(static_cast<double>(done_) / (seconds > 0 ? seconds : 1), 1)
            << "/s " << std::flush;
  drawn_ = true;
}

void Progress::hide() {
  if (drawn_) std::cerr << "\r\033[K" << std::flush;
  drawn_ = false;
}

}  // namespace mxinfer::cli
