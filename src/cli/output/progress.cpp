#include "cli/output/progress.h"

#include <unistd.h>

#include <iostream>
#include <string>

#include "cli/output/output.h"

namespace mxinfer::cli {
namespace {

constexpr std::size_t kLongList = 20;
constexpr std::size_t kBarWidth = 30;

}  // namespace

Progress::Progress(std::optional<std::size_t> total, Shown shown)
    : total_(total),
      shown_((shown == Shown::always || !total || *total >= kLongList) && isatty(STDERR_FILENO) == 1 &&
             !is_quiet()) {}

void Progress::advance(std::size_t count) {
  done_ += count;
  if (!shown_ || (!total_ && done_ < kLongList)) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  std::cerr << '\r';
  if (total_) {
    const std::size_t filled = kBarWidth * done_ / *total_;
    std::cerr << '[' << std::string(filled, '#') << std::string(kBarWidth - filled, '.') << "] " << done_
              << '/' << *total_;
  } else {
    std::cerr << done_ << " done";
  }
  std::cerr << "  " << fixed(static_cast<double>(done_) / (seconds > 0 ? seconds : 1), 1) << "/s "
            << std::flush;
  drawn_ = true;
}

void Progress::hide() {
  if (drawn_) std::cerr << "\r\033[K" << std::flush;
  drawn_ = false;
}

}  // namespace mxinfer::cli
