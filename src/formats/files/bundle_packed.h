// The packed weights of a bundle, and its parameters beside them: left in the archive, and described.
//
//   ArchiveMembers members(read_archive(source, limits, LeftInBundle(true)));
//   add_packed(source, manifest, members, model);
//
// Internal to this folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/archive/archive.h"
#include "formats/archive/archive_members.h"
#include "formats/archive/bundle_manifest.h"
#include "formats/files/archived_model.h"
#include "sources/source.h"

namespace mxinfer::formats {

/// LeavesMember: leaves the bytes of packed weights, and with `params` the parameters that they belong to.
class LeftInBundle {
 public:
  explicit LeftInBundle(bool params) : params_(params) {}
  bool operator()(const std::vector<ArchiveMember>& before, const std::string& name,
                  const StoredPlace* place);

 private:
  bool params_;
  bool looked_ = false;
  std::optional<BundleManifest> manifest_;
};

/// Completes a model whose parameters may be left in `source`: adds what is packed for them, or reads them.
/// What is wrong with packed weights becomes a warning. Throws Error(malformed) for parameters with a wrong
/// checksum.
void add_packed(const sources::Source& source, const BundleManifest& manifest, ArchiveMembers& members,
                ArchivedModel& model);

}  // namespace mxinfer::formats
