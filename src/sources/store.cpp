#include "sources/store.h"

#include <utility>

#include "base/fail.h"
#include "sources/address.h"
#include "sources/call_caller.h"
#include "sources/remote/remote_stores.h"

namespace mxinfer::sources {
namespace {

/// A scheme of the program's.
class CallerStore final : public Store {
 public:
  explicit CallerStore(std::shared_ptr<const SourceScheme> scheme) : scheme_(std::move(scheme)) {}

  std::shared_ptr<const Source> open(const std::string& address) const override {
    auto bytes = called(address, [&] { return scheme_->open(address); });
    if (bytes == nullptr) return nullptr;
    return from_caller(std::move(bytes), shown(address));
  }

  std::optional<std::vector<std::byte>> read(const std::string& address) const override {
    const auto source = open(address);
    if (source == nullptr) return std::nullopt;
    return read_bytes(*source, kMostBytesRead);
  }

  std::optional<std::vector<std::string>> list(const std::string& folder,
                                               const std::string& /*start*/) const override {
    return called(folder, [&] { return scheme_->list(folder); });
  }

 private:
  template <typename Call>
  static auto called(const std::string& address, const Call& call) -> decltype(call()) {
    return call_caller(shown(address), "SourceScheme", ErrorCode::network, call);
  }

  std::shared_ptr<const SourceScheme> scheme_;
};

}  // namespace

std::unique_ptr<Store> store_for(const std::string& address, const StoreOptions& options) {
  const std::string scheme = parse_address(address).scheme;
  const auto own = options.schemes.find(scheme);
  if (own != options.schemes.end() && own->second != nullptr)
    return std::make_unique<CallerStore>(own->second);
  if (auto store = remote_store(scheme, options.remote)) return store;
  std::string known = "file";
  for (const std::string& name : remote_schemes()) known += ", " + name;
  for (const auto& [name, opener] : options.schemes) known += ", " + name;
  fail(ErrorCode::unsupported, "'", printable(shown(address)), "' has the scheme '", printable(scheme),
       "'; the known schemes are ", known, ". Add others in LoadOptions::schemes", remote_hint());
}

}  // namespace mxinfer::sources
