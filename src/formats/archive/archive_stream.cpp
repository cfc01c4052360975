#include "formats/archive/archive_stream.h"

#include <utility>

#include "formats/archive/tar_stream.h"
#include "formats/archive/zip_stream.h"

namespace mxinfer::formats {

std::unique_ptr<ArchiveStream> open_archive_stream(const sources::Source& source, ArchiveKind kind,
                                                   Allowance allowance) {
  if (kind == ArchiveKind::zip) return std::make_unique<ZipStream>(source, std::move(allowance));
  return std::make_unique<TarStream>(source, kind == ArchiveKind::tar_gz, std::move(allowance));
}

}  // namespace mxinfer::formats
