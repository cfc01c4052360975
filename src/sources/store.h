// Store: the files behind the addresses of one scheme.
//
//   const std::unique_ptr<Store> store = store_for("https://models.example/resnet18_v1", {remote, schemes});
//   std::shared_ptr<const Source> symbol = store->open("https://models.example/resnet18_v1-symbol.json");
#pragma once

#include <mxinfer/byte_source.h>
#include <mxinfer/error.h>
#include <mxinfer/remote_options.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sources/source.h"

namespace mxinfer::sources {

/// What Store::read() reads at most.
inline constexpr std::int64_t kMostBytesRead = std::int64_t{1} << 31;

/// The server denies these credentials access; optional files of a model then count as absent.
class Refused final : public Error {
 public:
  explicit Refused(const std::string& message) : Error(ErrorCode::network, message) {}
};

class Store {
 public:
  virtual ~Store() = default;
  /// nullptr if there is nothing at the address. Throws Error(network) and other errors if it cannot be read.
  virtual std::shared_ptr<const Source> open(const std::string& address) const = 0;
  /// Reads a small file without caching it, because there may be many. nullopt if there is nothing at the
  /// address. Throws as open(); Error(invalid_argument) above kMostBytesRead.
  virtual std::optional<std::vector<std::byte>> read(const std::string& address) const = 0;
  /// The names directly in a folder, whose address ends in "/", not encoded; folders' names may end in "/".
  /// Only those that begin with `start`, if that is faster for the store. nullopt if it cannot list; empty if
  /// the folder does not exist.
  virtual std::optional<std::vector<std::string>> list(const std::string& folder,
                                                       const std::string& start) const = 0;

 protected:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
};

/// Outlives the stores that are made with it.
struct StoreOptions {
  const RemoteOptions& remote;
  const std::map<std::string, std::shared_ptr<const SourceScheme>>& schemes;
};

/// Precondition: has_scheme(address), and the scheme is not file. Throws Error(unsupported) with the known
/// schemes for an unknown one.
std::unique_ptr<Store> store_for(const std::string& address, const StoreOptions& options);

}  // namespace mxinfer::sources
