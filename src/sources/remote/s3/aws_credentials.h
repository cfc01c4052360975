// AwsCredentials: the keys for signing requests, renewed before they expire.
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

  /// Options and pool must outlive it. Does not search yet.
  AwsCredentials(const RemoteOptions& options, HttpPool& pool, Clock clock = std::chrono::system_clock::now);

  /// Searches for them at the first call (find_aws_keys), and again some minutes before they expire; other
  /// threads wait for that. If it fails, returns the previous ones while they are valid. Throws what
  /// find_aws_keys throws.
  AwsKeys get();

  /// Call if the server says that they have expired or are invalid. Returns true if get() may return others,
  /// so that the request is worth signing and sending again. Returns false for the program's own keys, for
  /// unchanged keys, and when new ones are rejected repeatedly.
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
