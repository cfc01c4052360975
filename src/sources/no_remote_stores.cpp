// In the place of src/sources/remote where MXINFER_REMOTE is off.
#include "sources/remote/remote_stores.h"

namespace mxinfer::sources {

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

}  // namespace mxinfer::sources
