// Gunzip: the contents of a gzip file, piece by piece, with its checksums verified.
//
//   Gunzip stream(*source);
//   for (auto piece = stream.next(); !piece.empty(); piece = stream.next()) ...
//
// Internal to this folder.
#pragma once

#include <mxinfer/span.h>
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sources/source.h"

namespace mxinfer::formats {

/// The size of a buffer for packed bytes: the stated size, but no more than the packed bytes can give or the
/// limits allow.
std::size_t most_inflated(std::int64_t packed_bytes, std::int64_t stated, std::uint64_t allowed);

class Gunzip {
 public:
  explicit Gunzip(const sources::Source& source);
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  /// The next bytes, which stay valid until the next call; none at the end. Throws Error(malformed) if the
  /// file is damaged or truncated, or if its end is followed by anything but zeros or another gzip file.
  Span<const std::byte> next();

 private:
  void fill();
  bool start_of_another();

  const sources::Source& source_;
  z_stream stream_{};
  std::vector<unsigned char> packed_;
  std::vector<std::byte> unpacked_;
  std::int64_t offset_ = 0;
  bool between_ = false;  ///< behind the end of one gzip file
};

}  // namespace mxinfer::formats
