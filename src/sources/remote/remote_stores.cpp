#include "sources/remote/remote_stores.h"

#include "sources/remote/http_store.h"

namespace mxinfer::sources {

std::unique_ptr<Store> remote_store(const std::string& scheme, const RemoteOptions& options) {
  if (scheme == "http" || scheme == "https") return std::make_unique<HttpStore>(options);
  return nullptr;
}

std::vector<std::string> remote_schemes() {
  return {"http", "https"};
}

std::string remote_hint() {
  return {};
}

}  // namespace mxinfer::sources
