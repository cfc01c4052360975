// ZipStream: the members of a zip file, in the order of their bytes. Internal to this folder.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "formats/archive/archive_stream.h"
#include "formats/archive/zip_directory.h"

namespace mxinfer::formats {

class ZipStream : public ArchiveStream {
 public:
  ZipStream(const sources::Source& source, Allowance allowance);

  std::optional<ArchiveEntry> next() override;
  std::vector<std::byte> unpack() override;
  std::optional<StoredPlace> stored() override;

 private:
  std::int64_t check_header(const ZipMember& member) const;
  std::vector<std::byte> copy(const ZipMember& member, std::int64_t offset);
  std::vector<std::byte> unpack_deflated(const ZipMember& member, std::int64_t offset);

  const sources::Source& source_;
  Allowance allowance_;
  std::vector<ZipMember> members_;
  std::size_t following_ = 0;  ///< the member behind the present one
};

}  // namespace mxinfer::formats
