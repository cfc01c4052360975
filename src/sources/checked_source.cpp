#include "sources/checked_source.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/checksum.h"
#include "base/fail.h"

namespace mxinfer::sources {
namespace {

class CheckedSource final : public Source {
 public:
  CheckedSource(std::shared_ptr<const Source> source, BlockSums sums)
      : source_(std::move(source)), sums_(std::move(sums)) {}

  const std::string& name() const override { return source_->name(); }
  std::int64_t size() const override { return source_->size(); }
  bool is_at_hand(std::int64_t offset, std::size_t bytes) const override {
    const std::int64_t first = offset / kCheckedBlock * kCheckedBlock;
    const std::int64_t last = std::min(size(), up_to_block(offset + static_cast<std::int64_t>(bytes)));
    return source_->is_at_hand(first, static_cast<std::size_t>(std::max<std::int64_t>(last - first, 0)));
  }
  void discard() const override { source_->discard(); }

  void read(std::int64_t offset, void* dst, std::size_t bytes) const override {
    check_range(offset, bytes);
    auto* out = static_cast<std::byte*>(dst);
    const std::int64_t end = offset + static_cast<std::int64_t>(bytes);
    while (offset < end) {
      const std::int64_t whole = offset % kCheckedBlock == 0 ? whole_blocks(offset, end) : 0;
      const std::int64_t got = whole > 0 ? read_whole(offset, out, whole) : read_some(offset, end, out);
      out += got;
      offset += got;
    }
  }

 private:
  // A stretch is checked while it is in the cache.
  static constexpr std::int64_t kStretch = 16 * kCheckedBlock;

  static std::int64_t up_to_block(std::int64_t at) {
    return (at + kCheckedBlock - 1) / kCheckedBlock * kCheckedBlock;
  }
  std::int64_t block_end(std::int64_t start) const { return std::min(start + kCheckedBlock, size()); }

  /// The bytes of the blocks from `offset` on that end before `end`, up to a stretch.
  std::int64_t whole_blocks(std::int64_t offset, std::int64_t end) const {
    if (end == size() && end - offset <= kStretch) return end - offset;
    return std::min(kStretch, (end - offset) / kCheckedBlock * kCheckedBlock);
  }

  std::int64_t read_whole(std::int64_t offset, std::byte* out, std::int64_t bytes) const {
    source_->read(offset, out, static_cast<std::size_t>(bytes));
    for (std::int64_t at = offset; at < offset + bytes; at = block_end(at)) check(at, out + (at - offset));
    return bytes;
  }

  // From the block that holds `offset`, of which the caller wants a part.
  std::int64_t read_some(std::int64_t offset, std::int64_t end, std::byte* out) const {
    const std::int64_t start = offset / kCheckedBlock * kCheckedBlock;
    std::vector<std::byte> block(static_cast<std::size_t>(block_end(start) - start));
    source_->read(start, block.data(), block.size());
    check(start, block.data());
    const std::int64_t count = std::min(end, block_end(start)) - offset;
    std::memcpy(out, block.data() + (offset - start), static_cast<std::size_t>(count));
    return count;
  }

  void check(std::int64_t start, const std::byte* block) const {
    const std::int64_t bytes = block_end(start) - start;
    if (checksum64(block, static_cast<std::size_t>(bytes)) ==
        sums_[static_cast<std::size_t>(start / kCheckedBlock)])
      return;
    fail(ErrorCode::malformed, printable(name()), kTrail, "the ", bytes, " bytes from byte ", start,
         " on do not have their checksum: the file is damaged; get it again");
  }

  std::shared_ptr<const Source> source_;
  BlockSums sums_;
};

}  // namespace

std::size_t count_blocks(std::int64_t bytes) {
  return static_cast<std::size_t>(bytes / kCheckedBlock + (bytes % kCheckedBlock != 0 ? 1 : 0));
}

BlockSums block_sums(Span<const std::byte> bytes) {
  BlockSums sums;
  for (std::size_t at = 0; at < bytes.size(); at += static_cast<std::size_t>(kCheckedBlock)) {
    const std::size_t count = std::min(bytes.size() - at, static_cast<std::size_t>(kCheckedBlock));
    sums.push_back(checksum64(bytes.data() + at, count));
  }
  return sums;
}

std::unique_ptr<Source> checked(std::shared_ptr<const Source> source, BlockSums sums) {
  if (sums.size() != count_blocks(source->size()))
    fail(ErrorCode::internal, sums.size(), " checksums for ", source->size(), " bytes");
  return std::make_unique<CheckedSource>(std::move(source), std::move(sums));
}

}  // namespace mxinfer::sources
