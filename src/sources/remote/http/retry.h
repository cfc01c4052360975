// Retries: how often and after which pauses a failed operation is retried.
//
//   Retries retries(options, address);
//   for (;;) {
//     ...                                       // return, if it works
//     retries.pause_or_fail(why, asked_pause(response));
//   }
#pragma once

#include <mxinfer/remote_options.h>

#include <atomic>
#include <chrono>
#include <string>

#include "sources/remote/http/http.h"

namespace mxinfer::sources {

class Retries {
 public:
  /// `cancelled` ends pauses early, with Error(cancelled); may be nullptr.
  Retries(const RemoteOptions& options, const std::string& address,
          const std::atomic<bool>* cancelled = nullptr)
      : options_(options), address_(address), cancelled_(cancelled) {}

  /// Progress was made: resets the number of tries.
  void succeeded() { attempts_ = 0; }
  /// Waits twice as long each time, randomly shortened by up to half, so that callers that failed together
  /// retry at different times; at least as long as the server asks for, at most 30 s. Throws Error(network)
  /// with the reason if it was tried often enough.
  void pause_or_fail(const std::string& why, std::chrono::milliseconds asked);
  /// Waits that long without counting a try.
  void pause(std::chrono::milliseconds time) const;

 private:
  const RemoteOptions& options_;
  const std::string& address_;
  const std::atomic<bool>* cancelled_;
  int attempts_ = 0;
};

/// The value of a Retry-After header in seconds; 0 without one.
std::chrono::milliseconds asked_pause(const HttpResponse& response);

}  // namespace mxinfer::sources
