// Opener: opens files by path or by address, with the address options of LoadOptions. It keeps the stores
// that it needs, so that connections are reused.
//
//   const Opener opener(options);
//   std::shared_ptr<const Source> labels = opener.open_existing("https://models.example/synset.txt");
//   std::vector<std::byte> image = opener.read("https://photos.example/cat.jpg");
#pragma once

#include <mxinfer/load_options.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sources/address.h"
#include "sources/source.h"
#include "sources/store.h"

namespace mxinfer::sources {

/// A place is a path or an address. Checks "#sha256=" at the end of an address, as check_digest() does.
/// Thread-safe.
class Opener {
 public:
  /// Copies LoadOptions::remote and LoadOptions::schemes.
  explicit Opener(const LoadOptions& options = {});
  Opener(const Opener&) = delete;
  Opener& operator=(const Opener&) = delete;

  const RemoteOptions& remote() const { return remote_; }

  /// nullptr if there is nothing at the address. Throws as open_file() and Store::open(), and
  /// Error(unsupported) for an unknown scheme.
  std::shared_ptr<const Source> open(const std::string& place) const;
  /// The same, but throws Error(not_found) instead of returning nullptr.
  std::shared_ptr<const Source> open_existing(const std::string& place) const;
  /// Reads a small file, such as an image. An address is not cached on disk and not reported to
  /// RemoteOptions::progress. Throws as open_existing(); Error(invalid_argument) above kMostBytesRead.
  std::vector<std::byte> read(const std::string& place) const;
  /// As Store::list(). Precondition: is_remote(folder).
  std::optional<std::vector<std::string>> list(const std::string& folder,
                                               const std::string& start = {}) const;

 private:
  const Store& store_of(const Address& address) const;
  [[noreturn]] void fail_absent(const std::string& address) const;

  RemoteOptions remote_;
  std::map<std::string, std::shared_ptr<const SourceScheme>> schemes_;
  mutable std::mutex mutex_{};
  mutable std::map<std::string, std::unique_ptr<const Store>, std::less<>> stores_{};  ///< by scheme
};

}  // namespace mxinfer::sources
