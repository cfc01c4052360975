// What http and https addresses lead to, by way of the copies on disk.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sources/store.h"

namespace mxinfer::sources {

class HttpStore final : public Store {
 public:
  /// The options outlive it.
  explicit HttpStore(const RemoteOptions& options) : options_(options) {}
  std::shared_ptr<const Source> open(const std::string& address) const override;
  /// Servers of http cannot list.
  std::optional<std::vector<std::string>> list(const std::string& folder) const override;

 private:
  std::shared_ptr<const Source> open_uncached(const std::string& address) const;

  const RemoteOptions& options_;
};

}  // namespace mxinfer::sources
