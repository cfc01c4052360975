#include "sources/remote/remote_stores.h"

#include "sources/remote/hdfs/webhdfs_origin.h"
#include "sources/remote/http/http_origin.h"
#include "sources/remote/remote_store.h"
#include "sources/remote/s3/s3_origin.h"

namespace mxinfer::sources {
namespace {

template <typename Kind>
std::unique_ptr<Origin> make_origin(const RemoteOptions& options) {
  return std::make_unique<Kind>(options);
}

struct Scheme {
  const char* name;
  RemoteStore::MakeOrigin make;
};

constexpr Scheme kSchemes[] = {
    {"http", &make_origin<HttpOrigin>},       {"https", &make_origin<HttpOrigin>},
    {"s3", &make_origin<S3Origin>},           {"hdfs", &make_origin<WebHdfsOrigin>},
    {"webhdfs", &make_origin<WebHdfsOrigin>}, {"swebhdfs", &make_origin<WebHdfsOrigin>}};

}  // namespace

std::unique_ptr<Store> remote_store(const std::string& scheme, const RemoteOptions& options) {
  for (const auto& [name, make] : kSchemes) {
    if (scheme == name) return std::make_unique<RemoteStore>(options, make);
  }
  return nullptr;
}

std::vector<std::string> remote_schemes() {
  std::vector<std::string> names;
  for (const auto& [name, make] : kSchemes) names.emplace_back(name);
  return names;
}

std::string remote_hint() {
  return {};
}

}  // namespace mxinfer::sources
