#include <utility>

#include "base/fail.h"
#include "sources/source.h"

namespace mxinfer {

ByteSource::~ByteSource() = default;

SourceScheme::~SourceScheme() = default;

std::optional<std::vector<std::string>> SourceScheme::list(const std::string& /*folder*/) const {
  return std::nullopt;
}

namespace sources {
namespace {

// Calls code of the caller, which may throw anything.
template <typename Call>
auto guarded(const std::string& name, const Call& call) -> decltype(call()) {
  return in_context([&] { return printable(name); },
                    [&] {
                      try {
                        return call();
                      } catch (const Error&) {
                        throw;
                      } catch (const std::bad_alloc&) {
                        throw;
                      } catch (const std::exception& e) {
                        fail(ErrorCode::malformed, "its ByteSource failed: ", printable(e.what()));
                      } catch (...) {
                        fail(ErrorCode::malformed, "its ByteSource failed with an exception of unknown type");
                      }
                    });
}

class CallerSource : public Source {
 public:
  CallerSource(std::shared_ptr<const ByteSource> bytes, std::string name)
      : bytes_(std::move(bytes)), name_(std::move(name)) {
    size_ = guarded(name_, [&] { return bytes_->size(); });
    if (size_ < 0)
      fail(ErrorCode::invalid_argument, name_, ": its ByteSource says that it has ", size_, " bytes");
  }

  const std::string& name() const override { return name_; }
  std::int64_t size() const override { return size_; }
  void read(std::int64_t offset, void* dst, std::size_t bytes) const override {
    check_range(offset, bytes);
    if (bytes == 0) return;
    guarded(name_, [&] { bytes_->read(offset, {static_cast<std::byte*>(dst), bytes}); });
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
