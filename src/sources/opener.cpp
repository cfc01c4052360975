#include "sources/opener.h"

#include "base/fail.h"
#include "sources/digest.h"

namespace mxinfer::sources {
namespace {

/// An address without its checksums.
struct Checked {
  Address address;
  std::vector<std::string> digests{};

  explicit Checked(const std::string& text) : address(parse_address(text)), digests(digests_in(address)) {
    address.fragment.clear();
  }
};

}  // namespace

Opener::Opener(const LoadOptions& options) : remote_(options.remote), schemes_(options.schemes) {}

const Store& Opener::store_of(const Address& address) const {
  const std::lock_guard lock(mutex_);
  auto& store = stores_[address.scheme];
  if (store == nullptr) store = store_for(to_string(address), {remote_, schemes_});
  return *store;
}

std::shared_ptr<const Source> Opener::open(const std::string& place) const {
  if (!has_scheme(place)) return open_file(place);
  const auto [address, digests] = Checked(place);
  const std::string text = to_string(address);
  std::shared_ptr<const Source> source =
      address.scheme == "file" ? open_file(path_of_file(text)) : store_of(address).open(text);
  if (source != nullptr) check_digest(*source, digests);
  return source;
}

std::shared_ptr<const Source> Opener::open_existing(const std::string& place) const {
  auto source = open(place);
  if (source == nullptr) fail_absent(place);
  return source;
}

std::vector<std::byte> Opener::read(const std::string& place) const {
  if (!is_remote(place)) return read_bytes(*open(place), kMostBytesRead);
  const auto [address, digests] = Checked(place);
  const std::string text = to_string(address);
  auto bytes = store_of(address).read(text);
  if (!bytes) fail_absent(place);
  if (!digests.empty()) check_digest(*from_memory(*bytes, shown(text)), digests);
  return std::move(*bytes);
}

std::optional<std::vector<std::string>> Opener::list(const std::string& folder,
                                                     const std::string& start) const {
  return store_of(parse_address(folder)).list(folder, start);
}

void Opener::fail_absent(const std::string& address) const {
  const bool is_offline = remote_.cache == CachePolicy::offline;
  fail(ErrorCode::not_found, printable(shown(address)), kTrail,
       is_offline ? "it is not in the cache, and CachePolicy::offline fetches nothing"
                  : "there is nothing at this address");
}

}  // namespace mxinfer::sources
