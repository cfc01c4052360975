// HttpOrigin: http and https addresses as they are.
#pragma once

#include <string>
#include <vector>

#include "sources/remote/origin.h"

namespace mxinfer::sources {

class HttpOrigin final : public Origin {
 public:
  /// The options outlive it.
  explicit HttpOrigin(const RemoteOptions& options) : options_(options) {}
  HttpRequest read_request(const std::string& address, const ByteRange& range) const override;
  /// Servers may echo what was sent to them.
  std::string advice(const std::string& address, const HttpResponse& response,
                     const std::string& words) const override;

 private:
  const RemoteOptions& options_;
};

}  // namespace mxinfer::sources
