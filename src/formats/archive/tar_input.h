// TarInput: the bytes of a tar file, from front to back, unpacked if they are those of a gzip file.
// Internal to this folder.
#pragma once

#include <mxinfer/span.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/archive/archive_stream.h"
#include "formats/archive/gunzip.h"
#include "sources/source.h"

namespace mxinfer::formats {

class TarInput {
 public:
  TarInput(const sources::Source& source, bool gzip, Allowance allowance);

  /// How many bytes were read or passed over.
  std::int64_t position() const { return position_; }
  /// Up to this many bytes, fewer at the end. Not counted in the allowance.
  std::string read_some(std::size_t bytes);
  /// The bytes of a member. Throw Error(malformed) if the file ends before; what the allowance throws leaves
  /// here.
  std::vector<std::byte> read(std::int64_t bytes);
  void skip(std::int64_t bytes);
  /// Reads what is left of a gzip file, whose checksum stands at its end.
  void finish();

 private:
  bool has_piece();
  Span<const std::byte> take_piece(std::int64_t most);
  std::vector<std::byte> read_packed(std::int64_t bytes);
  [[noreturn]] void cut_short(std::int64_t bytes) const;

  const sources::Source& source_;
  std::optional<Gunzip> gunzip_;
  Allowance allowance_;
  Span<const std::byte> piece_;  ///< of what the gzip file unpacked to, not read yet
  std::int64_t position_ = 0;
};

}  // namespace mxinfer::formats
