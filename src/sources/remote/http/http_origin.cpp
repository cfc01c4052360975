#include "sources/remote/http/http_origin.h"

#include "sources/remote/secrets.h"

namespace mxinfer::sources {

HttpRequest HttpOrigin::read_request(const std::string& address, const ByteRange& range) const {
  HttpRequest request{address, options_.headers};
  request.range = range;
  return request;
}

std::string HttpOrigin::advice(const std::string& address, const HttpResponse& response,
                               const std::string& words) const {
  std::vector<std::string> secrets = secrets_of(address, options_.headers);
  if (response.status > 0) {
    const auto more = secrets_of(response.address, {});  // where it was redirected to
    secrets.insert(secrets.end(), more.begin(), more.end());
  }
  return Origin::advice(address, response, without_secrets(words, secrets));
}

}  // namespace mxinfer::sources
