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

/// Room for bytes that are still packed: as many as are stated, but no more than so many packed bytes can
/// give, nor than are allowed.
std::size_t most_inflated(std::int64_t packed_bytes, std::int64_t stated, std::uint64_t allowed);

class Gunzip {
 public:
  explicit Gunzip(const sources::Source& source);
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  /// The next bytes, which stay valid until the next call; none at the end. Throws Error(malformed) if the
  /// file is damaged, ends too soon, or goes on behind its end with something else than zeros or another gzip
  /// file.
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
