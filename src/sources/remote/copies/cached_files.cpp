#include <mxinfer/tools/remote_files.h>

#include "base/fail.h"
#include "sources/remote/copies/disk_cache.h"

namespace mxinfer {

std::vector<CachedFile> MXINFER_ABI::cached_files(const RemoteOptions& options) try {
  std::vector<CachedFile> files;
  for (auto& copy : sources::DiskCache::list(sources::cache_folder(options)))
    files.push_back({std::move(copy.address), std::move(copy.path), copy.size, copy.last_use});
  return files;
} catch (...) {
  throw_as_error();
}

CleanedCache MXINFER_ABI::clean_cache(const RemoteOptions& options, std::int64_t keep_bytes) try {
  if (keep_bytes < 0) fail(ErrorCode::invalid_argument, "keep_bytes is ", keep_bytes, "; expected 0 or more");
  const auto removed = sources::DiskCache::remove(sources::cache_folder(options), keep_bytes);
  return {removed.files, removed.bytes};
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
