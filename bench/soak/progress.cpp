#include "soak/progress.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <string>

#include "cli/output/output.h"

namespace mxinfer::soak {
namespace {

constexpr double kBarWidth = 30;

}  // namespace

Progress::Progress(double total_seconds) : total_(total_seconds), shown_(isatty(STDERR_FILENO) == 1) {}

void Progress::show(std::string_view phase, std::uint64_t calls) {
  if (!shown_) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const auto filled = static_cast<std::size_t>(kBarWidth * std::min(seconds / total_, 1.0));
  std::cerr << "\r[" << std::string(filled, '#')
            << std::string(static_cast<std::size_t>(kBarWidth) - filled, '.') << "] " << phase << ", "
            << cli::fixed(seconds, 0) << '/' << cli::fixed(total_, 0) << " s, "
            << cli::with_commas(static_cast<std::int64_t>(calls)) << " calls \033[K" << std::flush;
  drawn_ = true;
}

void Progress::hide() {
  if (drawn_) std::cerr << "\r\033[K" << std::flush;
  drawn_ = false;
}

}  // namespace mxinfer::soak
