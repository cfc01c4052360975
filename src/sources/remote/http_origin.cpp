#include "sources/remote/http_origin.h"

#include "sources/remote/secrets.h"

namespace mxinfer::sources {

HttpRequest HttpOrigin::read_request(const std::string& address, const ByteRange& range) const {
  HttpRequest request{address, options_.headers};
  request.range = range;
  return request;
}

std::string HttpOrigin::advice(const HttpResponse& response, const std::string& words) const {
  const auto secrets = secrets_of(response.address, options_.headers);
  return Origin::advice(response, without_secrets(words, secrets));
}

}  // namespace mxinfer::sources
