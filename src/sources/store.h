// Store: what the addresses of one scheme lead to.
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

/// A server lets these credentials not read what is asked for: files that a model may do without are then
/// as good as absent.
class Refused final : public Error {
 public:
  explicit Refused(const std::string& message) : Error(ErrorCode::network, message) {}
};

class Store {
 public:
  virtual ~Store() = default;
  /// nullptr: there is nothing at the address. Throws Error(network) and what else says why it cannot be had.
  virtual std::shared_ptr<const Source> open(const std::string& address) const = 0;
  /// Every byte of a small file, past the copies on disk, of which there would be many. Nothing: there is
  /// nothing at the address. Throws as open(); Error(invalid_argument) above kMostBytesRead.
  virtual std::optional<std::vector<std::byte>> read(const std::string& address) const = 0;
  /// The names directly in a folder, whose address ends in "/", not encoded; folders' names may end in "/".
  /// Those alone that begin with `start`, if the store finds them faster so. Nothing if it cannot list; none
  /// if the folder does not exist.
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

/// Precondition: has_scheme(address), and the scheme is not file. Throws Error(unsupported) for a scheme that
/// there is not, which lists those there are.
std::unique_ptr<Store> store_for(const std::string& address, const StoreOptions& options);

}  // namespace mxinfer::sources
