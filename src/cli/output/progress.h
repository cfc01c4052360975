// A progress bar on standard error for long lists:
//
//   Progress progress(images.size());
//   for (...) { ...; progress.advance(1); }
//
// It shows nothing if standard error is not a terminal, if the list is short, or with --quiet. If the length
// of the list is unknown, it shows the number of finished items.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace mxinfer::cli {

class Progress {
 public:
  /// `always` is for slow items: it shows short lists too.
  enum class Shown : std::uint8_t { long_lists, always };
  explicit Progress(std::optional<std::size_t> total, Shown shown = Shown::long_lists);
  ~Progress() { hide(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Adds to the number of finished items and draws the bar.
  void advance(std::size_t count);
  /// Removes the bar from the terminal, so that a line can be printed. The next advance() draws it again.
  void hide();

 private:
  std::optional<std::size_t> total_;
  std::size_t done_ = 0;
  bool shown_ = false;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace mxinfer::cli
