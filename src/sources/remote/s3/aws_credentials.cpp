#include "sources/remote/s3/aws_credentials.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "base/log.h"
#include "sources/remote/s3/aws_key_search.h"

namespace mxinfer::sources {
namespace {

constexpr std::chrono::minutes kRefreshBefore{5};
/// The time between two searches.
constexpr std::chrono::minutes kLeastPause{1};
/// This many requests may be in flight with keys that were replaced meanwhile.
constexpr int kMostRefusals = 16;

/// Keys that are valid for less than the pause are renewed when they expire. Expired keys are used for the
/// pause: a service that temporarily cannot renew them may report keys that still work as expired.
UtcTime time_to_refresh(const ExpiringKeys& found, UtcTime now) {
  if (!found.expires) return UtcTime::max();
  if (*found.expires - kRefreshBefore > now) return *found.expires - kRefreshBefore;
  return *found.expires > now ? std::min<UtcTime>(*found.expires, now + kLeastPause) : now + kLeastPause;
}

}  // namespace

AwsCredentials::AwsCredentials(const RemoteOptions& options, HttpPool& pool, Clock clock)
    : options_(options), pool_(pool), clock_(std::move(clock)) {}

AwsKeys AwsCredentials::get() {
  const std::lock_guard lock(mutex_);
  const UtcTime now = clock_();
  if (!current_ || now >= refresh_at_) find(now);
  return current_->keys;
}

void AwsCredentials::find(UtcTime now) {
  try {
    ExpiringKeys found = find_aws_keys(options_, pool_, now);
    check_keys(found.keys, "what was found");
    refresh_at_ = time_to_refresh(found, now);
    current_ = std::move(found);
    found_at_ = now;
    refusals_ = current_->keys == refused_ ? kMostRefusals : 0;  // the same will be refused again
  } catch (const Error& e) {
    const bool are_good = current_ && current_->expires && *current_->expires > now;
    if (!are_good) throw;
    log_message(LogLevel::info, "s3: the credentials could not be renewed before they expire: ", e.what());
    refresh_at_ = std::min<UtcTime>(*current_->expires, now + kLeastPause);
  }
}

bool AwsCredentials::forget() {
  const std::lock_guard lock(mutex_);
  if (!options_.s3.access_key_id.empty()) return false;
  if (!current_) return true;  // another thread was told of it before
  const bool are_new = refused_ && clock_() - found_at_ < kLeastPause;
  if (are_new) return refusals_++ < kMostRefusals;
  refused_ = std::move(current_->keys);
  current_.reset();
  return true;
}

}  // namespace mxinfer::sources
