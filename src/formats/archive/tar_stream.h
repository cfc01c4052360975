// TarStream: the members of a tar or tar.gz file. Internal to this folder.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "formats/archive/archive_stream.h"
#include "formats/archive/tar_header.h"
#include "formats/archive/tar_input.h"

namespace mxinfer::formats {

class TarStream : public ArchiveStream {
 public:
  TarStream(const sources::Source& source, bool gzip, Allowance allowance);

  std::optional<ArchiveEntry> next() override;
  std::vector<std::byte> unpack() override;

 private:
  std::optional<TarHeader> read_header();
  bool read_about_next(const TarHeader& header, PaxFields& next, bool& pending);
  std::string read_text(const TarHeader& header);
  void skip_rest();
  ArchiveEntry entry_of(TarHeader header, PaxFields next);

  TarInput input_;
  PaxFields global_;        ///< about all members from here on
  std::int64_t bytes_ = 0;  ///< of the present member, and not read yet
  std::int64_t padding_ = 0;
  bool any_header_ = false;
  bool is_gzip_;
};

}  // namespace mxinfer::formats
