#include <utility>

#include "base/fail.h"
#include "sources/source.h"

namespace mxinfer::sources {
namespace {

class PartSource final : public Source {
 public:
  PartSource(std::shared_ptr<const Source> whole, std::int64_t offset, std::int64_t bytes, std::string name)
      : whole_(std::move(whole)), offset_(offset), bytes_(bytes), name_(std::move(name)) {}

  const std::string& name() const override { return name_; }
  std::int64_t size() const override { return bytes_; }
  void read(std::int64_t offset, void* dst, std::size_t bytes) const override {
    check_range(offset, bytes);
    whole_->read(offset_ + offset, dst, bytes);
  }
  bool is_at_hand(std::int64_t offset, std::size_t bytes) const override {
    return whole_->is_at_hand(offset_ + offset, bytes);
  }
  void discard() const override { whole_->discard(); }

 private:
  std::shared_ptr<const Source> whole_;
  std::int64_t offset_;
  std::int64_t bytes_;
  std::string name_;
};

}  // namespace

std::unique_ptr<Source> part_of(std::shared_ptr<const Source> whole, std::int64_t offset, std::int64_t bytes,
                                std::string name) {
  const std::int64_t size = whole->size();
  if (offset < 0 || bytes < 0 || offset > size || bytes > size - offset) {
    fail(ErrorCode::malformed, printable(whole->name()), kTrail, bytes, " bytes at byte ", offset,
         " were requested; it has ", size);
  }
  return std::make_unique<PartSource>(std::move(whole), offset, bytes, std::move(name));
}

}  // namespace mxinfer::sources
