#include "sources/remote/http_store.h"

#include <filesystem>

#include "base/fail.h"
#include "base/log.h"
#include "base/stopwatch.h"
#include "sources/address.h"
#include "sources/remote/disk_cache.h"
#include "sources/remote/fetch.h"

namespace mxinfer::sources {
namespace {

void log_fetched(const std::string& address, std::int64_t bytes, const Stopwatch& watch) {
  log_message(LogLevel::info, "'", printable(shown(address)), "': ", bytes, " bytes fetched in ",
              watch.milliseconds(), " ms");
}

}  // namespace

std::shared_ptr<const Source> HttpStore::open(const std::string& address) const {
  if (options_.cache == CachePolicy::none) return open_uncached(address);
  const DiskCache cache(options_);
  const auto opened = [&](const DiskCache::Copy& copy) {
    return open_file(copy.path, printable(shown(address)));
  };
  if (options_.cache == CachePolicy::offline) {
    const auto copy = cache.find(address);
    return copy ? opened(*copy) : nullptr;
  }
  const Stopwatch watch;
  const DiskCache::Lock lock = cache.lock(address);
  const auto copy = options_.cache == CachePolicy::use ? cache.find(address) : std::nullopt;
  TemporaryFile file(cache.folder());
  const Fetched fetched =
      Fetch(options_).into(file, {address, options_.headers}, copy ? copy->validators : Validators());
  switch (fetched.outcome) {
    case Fetched::Outcome::unchanged:
      if (copy) return opened(*copy);
      fail(ErrorCode::network, printable(shown(address)), kTrail,
           "the server says that nothing has changed (304), without having been asked");
    case Fetched::Outcome::absent:
      cache.forget(address);
      return nullptr;
    case Fetched::Outcome::whole:
      break;
  }
  log_fetched(address, fetched.size, watch);
  return opened(cache.keep(address, file, fetched));
}

std::shared_ptr<const Source> HttpStore::open_uncached(const std::string& address) const {
  const Stopwatch watch;
  const TemporaryFile file(std::filesystem::temp_directory_path().string());
  const Fetched fetched = Fetch(options_).into(file, {address, options_.headers}, {});
  if (fetched.outcome == Fetched::Outcome::absent) return nullptr;
  log_fetched(address, fetched.size, watch);
  return open_file(file.path(), printable(shown(address)));  // the file goes, and stays open
}

std::optional<std::vector<std::string>> HttpStore::list(const std::string& /*folder*/) const {
  return std::nullopt;
}

}  // namespace mxinfer::sources
