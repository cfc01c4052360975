// A progress bar on standard error, for lists that take a while:
//
//   Progress progress(images.size());
//   for (...) { ...; progress.advance(1); }
//
// It shows nothing if standard error is not a terminal, if the list is short, or with --quiet. Of a list
// whose length is not known it shows how many are done.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace mxinfer::cli {

class Progress {
 public:
  /// What is slow shows itself even if the list is short.
  enum class Shown : std::uint8_t { long_lists, always };
  explicit Progress(std::optional<std::size_t> total, Shown shown = Shown::long_lists);
  ~Progress() { hide(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Counts and draws.
  void advance(std::size_t count);
  /// Takes the bar off the terminal, so that a line can be printed; the next advance() draws it again.
  void hide();

 private:
  std::optional<std::size_t> total_;
  std::size_t done_ = 0;
  bool shown_ = false;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace mxinfer::cli
