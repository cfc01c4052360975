#include "formats/archive/archive_members.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"

namespace mxinfer::formats {
namespace {

bool is_macos_shadow(std::string_view name) {
  return name.starts_with("__MACOSX/") || member_base(name).starts_with("._") ||
         member_base(name) == ".DS_Store";
}

}  // namespace

std::string_view member_folder(std::string_view name) {
  const auto slash = name.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : name.substr(0, slash + 1);
}

std::string_view member_base(std::string_view name) {
  return name.substr(member_folder(name).size());
}

ArchiveMembers::ArchiveMembers(std::vector<ArchiveMember> members) : members_(std::move(members)) {
  std::erase_if(members_, [](const ArchiveMember& member) { return is_macos_shadow(member.name); });
}

const ArchiveMember* ArchiveMembers::find(std::string_view name) const {
  for (const ArchiveMember& member : members_) {
    if (member.name == name) return &member;
  }
  return nullptr;
}

const ArchiveMember* ArchiveMembers::find_near(std::string_view folder, std::string_view base) const {
  if (const ArchiveMember* beside = find(std::string(folder) + std::string(base))) return beside;
  const auto anywhere = named(base);
  return anywhere.size() == 1 ? find(anywhere.front()) : nullptr;
}

std::vector<std::string> ArchiveMembers::ending(std::string_view end) const {
  std::vector<std::string> names;
  for (const ArchiveMember& member : members_) {
    if (member.name.ends_with(end)) names.push_back(member.name);
  }
  return names;
}

std::vector<std::string> ArchiveMembers::named(std::string_view base) const {
  std::vector<std::string> names;
  for (const ArchiveMember& member : members_) {
    if (member_base(member.name) == base) names.push_back(member.name);
  }
  return names;
}

ArchiveMember ArchiveMembers::take(const std::string& name) {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [&](const ArchiveMember& member) { return member.name == name; });
  ArchiveMember member = std::move(*found);
  members_.erase(found);
  return member;
}

}  // namespace mxinfer::formats
