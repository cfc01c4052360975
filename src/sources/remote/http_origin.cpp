#include "sources/remote/http_origin.h"

namespace mxinfer::sources {

HttpRequest HttpOrigin::read_request(const std::string& address, const ByteRange& range) const {
  HttpRequest request{address, options_.headers};
  request.range = range;
  return request;
}

}  // namespace mxinfer::sources
