#include <utility>

#include "base/fail.h"
#include "sources/call_caller.h"
#include "sources/source.h"

namespace mxinfer {

ByteSource::~ByteSource() = default;

SourceScheme::~SourceScheme() = default;

std::optional<std::vector<std::string>> SourceScheme::list(const std::string& /*folder*/) const {
  return std::nullopt;
}

namespace sources {
namespace {

template <typename Call>
auto call_bytes(const std::string& name, const Call& call) -> decltype(call()) {
  return call_caller(name, "ByteSource", ErrorCode::malformed, call);
}

class CallerSource : public Source {
 public:
  CallerSource(std::shared_ptr<const ByteSource> bytes, std::string name)
      : bytes_(std::move(bytes)), name_(std::move(name)) {
    size_ = call_bytes(name_, [&] { return bytes_->size(); });
    if (size_ < 0)
      fail(ErrorCode::invalid_argument, name_, ": its ByteSource says that it has ", size_, " bytes");
  }

  const std::string& name() const override { return name_; }
  std::int64_t size() const override { return size_; }
  void read(std::int64_t offset, void* dst, std::size_t bytes) const override {
    check_range(offset, bytes);
    if (bytes == 0) return;
    call_bytes(name_, [&] { bytes_->read(offset, {static_cast<std::byte*>(dst), bytes}); });
  }

 private:
  std::shared_ptr<const ByteSource> bytes_;
  std::string name_;
  std::int64_t size_ = 0;
};

}  // namespace

std::unique_ptr<Source> from_caller(std::shared_ptr<const ByteSource> bytes, std::string name) {
  return std::make_unique<CallerSource>(std::move(bytes), std::move(name));
}

}  // namespace sources
}  // namespace mxinfer
