#include "formats/archive/gunzip.h"

#include <algorithm>
#include <new>

#include "base/checked.h"
#include "base/fail.h"

namespace mxinfer::formats {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10;
constexpr int kGzipOnly = 16 + MAX_WBITS;

// A match of 258 bytes takes two bits at least.
constexpr std::int64_t kMostRatio = 1032;

}  // namespace

std::size_t most_inflated(std::int64_t packed_bytes, std::int64_t stated, std::uint64_t allowed) {
  const std::int64_t possible = checked_mul(packed_bytes, kMostRatio).value_or(stated);
  return static_cast<std::size_t>(std::min(allowed, static_cast<std::uint64_t>(std::min(stated, possible))));
}

Gunzip::Gunzip(const sources::Source& source) : source_(source), packed_(kPiece), unpacked_(kPiece) {
  if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
}

Gunzip::~Gunzip() {
  inflateEnd(&stream_);
}

void Gunzip::fill() {
  const auto count =
      static_cast<std::size_t>(std::min<std::int64_t>(source_.size() - offset_, std::int64_t{kPiece}));
  source_.read(offset_, packed_.data(), count);
  offset_ += static_cast<std::int64_t>(count);
  stream_.next_in = packed_.data();
  stream_.avail_in = static_cast<uInt>(count);
}

// gzip files may be concatenated; some tools pad them with zeros.
bool Gunzip::start_of_another() {
  while (true) {
    while (stream_.avail_in > 0 && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
    }
    if (stream_.avail_in > 0) break;
    fill();
    if (stream_.avail_in == 0) return false;
  }
  if (inflateReset(&stream_) != Z_OK) fail(ErrorCode::internal, "inflateReset failed");
  between_ = false;
  return true;
}

Span<const std::byte> Gunzip::next() {
  stream_.next_out = reinterpret_cast<Bytef*>(unpacked_.data());
  stream_.avail_out = static_cast<uInt>(unpacked_.size());
  while (stream_.avail_out > 0) {
    if (between_ && !start_of_another()) break;
    if (stream_.avail_in == 0) fill();
    if (stream_.avail_in == 0) fail(ErrorCode::malformed, "the gzip file was cut short");
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      between_ = true;
    } else if (status != Z_OK) {
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      fail(ErrorCode::malformed, "the gzip file is damaged before byte ", offset_ - stream_.avail_in, ": ",
           stream_.msg != nullptr ? stream_.msg : "it does not inflate");
    }
  }
  return {unpacked_.data(), unpacked_.size() - stream_.avail_out};
}

}  // namespace mxinfer::formats
