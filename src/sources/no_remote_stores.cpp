// Replaces src/sources/remote if MXINFER_REMOTE is off.
#include <mxinfer/tools/remote_files.h>

#include "base/fail.h"
#include "sources/remote/remote_stores.h"

namespace mxinfer {
namespace {

[[noreturn]] void fail_without_copies() {
  fail(ErrorCode::unsupported, "there is no cache folder", sources::remote_hint());
}

}  // namespace

std::vector<CachedFile> MXINFER_ABI::cached_files(const RemoteOptions& /*options*/) {
  fail_without_copies();
}

CleanedCache MXINFER_ABI::clean_cache(const RemoteOptions& /*options*/, std::int64_t /*keep_bytes*/) {
  fail_without_copies();
}

namespace sources {

std::unique_ptr<Store> remote_store(const std::string& /*scheme*/, const RemoteOptions& /*options*/) {
  return nullptr;
}

std::vector<std::string> remote_schemes() {
  return {};
}

std::string remote_hint() {
  return ". This mxinfer was built without libcurl; build it with -DMXINFER_REMOTE=ON (Debian: "
         "libcurl4-openssl-dev) for http, "
         "https and others, or fetch the files by other means and give their path";
}

}  // namespace sources
}  // namespace mxinfer
