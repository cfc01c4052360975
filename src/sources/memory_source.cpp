#include <cstring>
#include <utility>

#include "sources/source.h"

namespace mxinfer::sources {
namespace {

class MemorySource final : public Source {
 public:
  MemorySource(Span<const std::byte> bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  const std::string& name() const override { return name_; }
  std::int64_t size() const override { return static_cast<std::int64_t>(bytes_.size()); }
  void read(std::int64_t offset, void* dst, std::size_t bytes) const override {
    check_range(offset, bytes);
    if (bytes > 0) std::memcpy(dst, bytes_.data() + offset, bytes);
  }

 private:
  Span<const std::byte> bytes_;
  std::string name_;
};

}  // namespace

std::unique_ptr<Source> from_memory(Span<const std::byte> bytes, std::string name) {
  return std::make_unique<MemorySource>(bytes, std::move(name));
}

}  // namespace mxinfer::sources
