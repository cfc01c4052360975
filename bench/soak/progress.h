// A progress bar on standard error, where that is a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace mxinfer::soak {

class Progress {
 public:
  explicit Progress(double total_seconds);
  ~Progress() { hide(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::string_view phase, std::uint64_t calls);
  /// Takes the bar off the terminal, so that a line can be printed.
  void hide();

 private:
  const double total_;
  const bool shown_;
  bool drawn_ = false;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace mxinfer::soak
