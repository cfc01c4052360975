#include "cli/output/transfer_bar.h"

#include <unistd.h>

#include <chrono>
#include <iostream>
#include <mutex>
#include <string>

#include "cli/output/output.h"

namespace mxinfer::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kTransferBarWidth = 30;
constexpr std::chrono::milliseconds kBetweenDrawings{100};

/// The line on the terminal, for the file that made progress last.
class TransferBar {
 public:
  void show(const std::string& address, std::int64_t fetched, std::int64_t size) {
    const std::lock_guard lock(mutex_);
    const Clock::time_point now = Clock::now();
    const bool is_another = address != address_;
    if (is_another) {
      address_ = address;
      begun_ = now;
      before_ = fetched;
    }
    const bool is_whole = size >= 0 && fetched >= size;
    if (!is_another && !is_whole && now - drawn_ < kBetweenDrawings) return;
    drawn_ = now;
    draw(fetched, size, std::chrono::duration<double>(now - begun_).count());
    if (is_whole) clear();
  }

  void hide() {
    const std::lock_guard lock(mutex_);
    clear();
  }

 private:
  void draw(std::int64_t fetched, std::int64_t size, double seconds) {
    std::string line = clean(address_.substr(address_.rfind('/') + 1));
    if (size > 0) {
      const auto filled =
          static_cast<std::size_t>(static_cast<double>(kTransferBarWidth) *
                                   (static_cast<double>(fetched) / static_cast<double>(size)));
      line += "  [" + std::string(filled, '#') + std::string(kTransferBarWidth - filled, '.') + "]";
    }
    line += "  " + bytes_text(static_cast<double>(fetched));
    if (size > 0) line += " of " + bytes_text(static_cast<double>(size));
    if (seconds > 0) line += "  " + bytes_text(static_cast<double>(fetched - before_) / seconds) + "/s";
    std::cerr << "\r\033[K" << line << std::flush;
    is_drawn_ = true;
  }

  void clear() {
    if (is_drawn_) std::cerr << "\r\033[K" << std::flush;
    is_drawn_ = false;
  }

  std::mutex mutex_;
  std::string address_;
  Clock::time_point begun_, drawn_;
  std::int64_t before_ = 0;  ///< bytes that were fetched before the first report
  bool is_drawn_ = false;
};

TransferBar& bar() {
  static TransferBar bar;
  return bar;
}

}  // namespace

FetchProgress show_transfers() {
  if (isatty(STDERR_FILENO) != 1 || is_quiet()) return {};
  return [](const std::string& address, std::int64_t fetched, std::int64_t size) {
    bar().show(address, fetched, size);
  };
}

void hide_transfers() {
  bar().hide();
}

}  // namespace mxinfer::cli
