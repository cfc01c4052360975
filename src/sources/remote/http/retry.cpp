#include "sources/remote/http/retry.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <random>
#include <thread>

#include "base/fail.h"
#include "sources/address.h"

namespace mxinfer::sources {
namespace {

constexpr std::chrono::milliseconds kFirstPause{200};
constexpr std::chrono::milliseconds kLongestPause{30'000};
constexpr std::chrono::milliseconds kSlice{50};

/// A random time from half of it to all of it.
std::chrono::milliseconds shortened(std::chrono::milliseconds pause) {
  std::minstd_rand random(static_cast<unsigned>(std::chrono::steady_clock::now().time_since_epoch().count()) ^
                          static_cast<unsigned>(std::hash<std::thread::id>()(std::this_thread::get_id())));
  return pause / 2 + std::chrono::milliseconds(random() % static_cast<unsigned>(pause.count() / 2 + 1));
}

}  // namespace

void Retries::pause_or_fail(const std::string& why, std::chrono::milliseconds asked) {
  if (attempts_ >= options_.retries) {
    fail(ErrorCode::network, printable(shown(address_)), kTrail, why, "; it was tried ", attempts_ + 1,
         attempts_ == 0 ? " time" : " times");
  }
  const auto longest = std::min(kFirstPause * (1 << std::min(attempts_, 10)), kLongestPause);
  pause(std::min(std::max(shortened(longest), asked), kLongestPause));
  ++attempts_;
}

void Retries::pause(std::chrono::milliseconds time) const {
  const auto end = std::chrono::steady_clock::now() + time;
  for (auto now = std::chrono::steady_clock::now(); now < end; now = std::chrono::steady_clock::now()) {
    if (cancelled_ != nullptr && *cancelled_)
      fail(ErrorCode::cancelled, printable(shown(address_)), kTrail, "it is no longer needed");
    std::this_thread::sleep_for(std::min<std::chrono::steady_clock::duration>(kSlice, end - now));
  }
}

std::chrono::milliseconds asked_pause(const HttpResponse& response) {
  const std::string text = response.header("retry-after");
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  return std::chrono::milliseconds(error == std::errc() && seconds > 0 ? std::min(seconds, 3600) * 1000 : 0);
}

}  // namespace mxinfer::sources
