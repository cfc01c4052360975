// ArchiveMembers: the members of an archive by name, folder and ending. Internal to this folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/archive/archive.h"

namespace mxinfer::formats {

/// "a/b.txt" as "a/" and "b.txt".
std::string_view member_folder(std::string_view name);
std::string_view member_base(std::string_view name);

class ArchiveMembers {
 public:
  /// Leaves out what macOS puts beside each file ("__MACOSX/", "._name").
  explicit ArchiveMembers(std::vector<ArchiveMember> members);

  const std::vector<ArchiveMember>& all() const { return members_; }
  const ArchiveMember* find(std::string_view name) const;
  /// In this folder, else the only one of that name in any folder.
  const ArchiveMember* find_near(std::string_view folder, std::string_view base) const;
  std::vector<std::string> ending(std::string_view end) const;
  std::vector<std::string> named(std::string_view base) const;
  /// Moves the member out. Precondition: it is there.
  ArchiveMember take(const std::string& name);

 private:
  std::vector<ArchiveMember> members_;
};

}  // namespace mxinfer::formats
