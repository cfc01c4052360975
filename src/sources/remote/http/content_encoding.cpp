#include "sources/remote/http/content_encoding.h"

#include <zlib.h>

#include <algorithm>
#include <functional>
#include <new>

#include "base/fail.h"

namespace mxinfer::sources {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10;
constexpr int kGzip = 15 + 16;  // the largest window, and gzip's header

/// Unpacks piece by piece.
class Inflate {
 public:
  using Take = std::function<void(Span<const std::byte> bytes)>;

  Inflate(std::int64_t most_bytes, std::string name) : left_(most_bytes), name_(std::move(name)) {
    if (inflateInit2(&stream_, kGzip) != Z_OK) throw std::bad_alloc();
  }
  ~Inflate() { inflateEnd(&stream_); }
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;

  void add(Span<const std::byte> packed, const Take& take) {
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    while (stream_.avail_in > 0 && !has_ended_) {
      stream_.next_out = reinterpret_cast<Bytef*>(unpacked_.data());
      stream_.avail_out = static_cast<uInt>(unpacked_.size());
      const int code = inflate(&stream_, Z_NO_FLUSH);
      if (code == Z_MEM_ERROR) throw std::bad_alloc();
      if (code != Z_OK && code != Z_STREAM_END) damaged(stream_.msg == nullptr ? "" : stream_.msg);
      has_ended_ = code == Z_STREAM_END;
      const std::size_t count = unpacked_.size() - stream_.avail_out;
      left_ -= static_cast<std::int64_t>(count);
      if (left_ < 0) {
        fail(ErrorCode::invalid_argument, name_, kTrail,
             "it unpacks to more bytes than RemoteOptions::max_file_bytes allows");
      }
      take({unpacked_.data(), count});
    }
  }

  void finish() const {
    if (!has_ended_) damaged("it ends too soon");
  }

 private:
  [[noreturn]] void damaged(const std::string& why) const {
    fail(ErrorCode::malformed, name_, kTrail,
         "the server says that it is compressed (Content-Encoding: gzip), but it cannot be unpacked",
         why.empty() ? "" : ": ", why);
  }

  z_stream stream_{};
  std::int64_t left_;
  std::string name_;
  std::vector<std::byte> unpacked_ = std::vector<std::byte>(kPiece);
  bool has_ended_ = false;
};

}  // namespace

void require_known_encoding(const std::string& encoding, const std::string& name) {
  if (encoding.empty() || encoding == "gzip" || encoding == "x-gzip" || encoding == "identity") return;
  fail(ErrorCode::unsupported, name, kTrail, "the server sends it compressed as '", printable(encoding),
       "'; expected gzip or no compression. Store it uncompressed");
}

std::int64_t decode(TemporaryFile& file, std::int64_t size, std::int64_t most_bytes,
                    const std::string& name) {
  TemporaryFile plain(file.folder());
  Inflate inflate(most_bytes, name);
  std::int64_t written = 0;
  std::vector<std::byte> piece(kPiece);
  for (std::int64_t at = 0; at < size;) {
    const auto count =
        static_cast<std::size_t>(std::min<std::int64_t>(size - at, static_cast<std::int64_t>(piece.size())));
    file.read_at(at, piece.data(), count);
    inflate.add({piece.data(), count}, [&](Span<const std::byte> bytes) {
      plain.write_at(written, bytes);
      written += static_cast<std::int64_t>(bytes.size());
    });
    at += static_cast<std::int64_t>(count);
  }
  inflate.finish();
  file.swap(plain);
  return written;
}

std::vector<std::byte> decoded(Span<const std::byte> packed, std::int64_t most_bytes,
                               const std::string& name) {
  std::vector<std::byte> plain;
  Inflate inflate(most_bytes, name);
  inflate.add(packed,
              [&](Span<const std::byte> bytes) { plain.insert(plain.end(), bytes.begin(), bytes.end()); });
  inflate.finish();
  return plain;
}

}  // namespace mxinfer::sources
