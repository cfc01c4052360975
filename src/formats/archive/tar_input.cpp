#include "formats/archive/tar_input.h"

#include <algorithm>
#include <utility>

#include "base/checked.h"
#include "base/fail.h"

namespace mxinfer::formats {

TarInput::TarInput(const sources::Source& source, bool gzip, Allowance allowance)
    : source_(source), allowance_(std::move(allowance)) {
  if (gzip) gunzip_.emplace(source);
}

bool TarInput::has_piece() {
  if (!piece_.empty()) return true;
  piece_ = gunzip_->next();
  allowance_.take(piece_.size());
  return !piece_.empty();
}

// Precondition: has_piece.
Span<const std::byte> TarInput::take_piece(std::int64_t most) {
  const auto count = static_cast<std::size_t>(std::min(most, static_cast<std::int64_t>(piece_.size())));
  const Span<const std::byte> taken(piece_.data(), count);
  piece_ = {piece_.data() + count, piece_.size() - count};
  position_ += static_cast<std::int64_t>(count);
  return taken;
}

std::string TarInput::read_some(std::size_t bytes) {
  std::string text;
  if (!gunzip_) {
    text.resize(std::min(bytes, static_cast<std::size_t>(source_.size() - position_)));
    source_.read(position_, text.data(), text.size());
    position_ += static_cast<std::int64_t>(text.size());
    return text;
  }
  while (text.size() < bytes && has_piece()) {
    const auto piece = take_piece(static_cast<std::int64_t>(bytes - text.size()));
    text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  }
  return text;
}

std::vector<std::byte> TarInput::read(std::int64_t bytes) {
  if (gunzip_) return read_packed(bytes);
  if (!is_inside(position_, bytes, source_.size())) cut_short(bytes);
  allowance_.take(static_cast<std::uint64_t>(bytes));
  std::vector<std::byte> member(static_cast<std::size_t>(bytes));
  source_.read(position_, member.data(), member.size());
  position_ += bytes;
  return member;
}

std::vector<std::byte> TarInput::read_packed(std::int64_t bytes) {
  std::vector<std::byte> member;
  member.reserve(most_inflated(source_.size(), bytes, allowance_.left + piece_.size()));
  for (std::int64_t left = bytes; left > 0;) {
    if (!has_piece()) cut_short(left);
    const auto piece = take_piece(left);
    member.insert(member.end(), piece.begin(), piece.end());
    left -= static_cast<std::int64_t>(piece.size());
  }
  return member;
}

void TarInput::skip(std::int64_t bytes) {
  if (!gunzip_) {
    if (!is_inside(position_, bytes, source_.size())) cut_short(bytes);
    position_ += bytes;
    return;
  }
  while (bytes > 0) {
    if (!has_piece()) cut_short(bytes);
    bytes -= static_cast<std::int64_t>(take_piece(bytes).size());
  }
}

void TarInput::finish() {
  if (!gunzip_) return;
  while (has_piece()) take_piece(static_cast<std::int64_t>(piece_.size()));
}

void TarInput::cut_short(std::int64_t bytes) const {
  fail(ErrorCode::malformed, "not a complete tar archive: it was cut short, ", bytes,
       " more bytes should follow byte ", position_);
}

}  // namespace mxinfer::formats
