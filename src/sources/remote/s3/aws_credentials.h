// AwsCredentials: the keys that requests are signed with, as long as they are good.
//
//   AwsCredentials credentials(options, pool);
//   sign(request, credentials.get(), now);
//   if (server_says_expired && credentials.forget()) ...   // sign again, and send it
#pragma once

#include <mxinfer/remote_options.h>

#include <functional>
#include <mutex>
#include <optional>

#include "sources/remote/http/http.h"
#include "sources/remote/s3/aws_keys.h"

namespace mxinfer::sources {

/// For any number of threads.
class AwsCredentials {
 public:
  using Clock = std::function<UtcTime()>;

  /// Options and pool outlive it. Nothing is looked for yet.
  AwsCredentials(const RemoteOptions& options, HttpPool& pool, Clock clock = std::chrono::system_clock::now);

  /// Looks for them the first time (find_aws_keys), and again some minutes before they expire; others wait
  /// for the thread that does. If that fails, those of before are given while they are good. Throws what
  /// find_aws_keys throws.
  AwsKeys get();

  /// The server says that they have expired, or are none. true: what get() gives may be others, and the
  /// request is worth to be signed and sent again. That is not so for ever: false for the program's own keys,
  /// for those that were found again unchanged, and when new ones are refused again and again.
  bool forget();

 private:
  void find(UtcTime now);

  const RemoteOptions& options_;
  HttpPool& pool_;
  Clock clock_;
  std::mutex mutex_;
  std::optional<ExpiringKeys> current_;
  std::optional<AwsKeys> refused_;  ///< the last ones that were forgotten
  UtcTime found_at_{};
  UtcTime refresh_at_{};
  int refusals_ = 0;  ///< of current_, while they are new
};

}  // namespace mxinfer::sources
