#include "formats/archive/archive.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

#include "base/checked.h"
#include "base/fail.h"
#include "formats/archive/tar_header.h"
#include "formats/first_bytes.h"
#include "formats/foreign_file.h"

namespace mxinfer::formats {
namespace {

using namespace std::string_view_literals;

bool is_drive(std::string_view name) {
  return name.size() >= 2 && name[1] == ':' && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
}

// The name with single slashes and without "." parts.
std::string checked_name(const std::string& name, const ArchiveLimits& limits) {
  if (name.size() > static_cast<std::size_t>(limits.name_bytes))
    fail(ErrorCode::malformed, "its name has ", name.size(), " bytes; the limit is ", limits.name_bytes);
  const bool control = std::any_of(name.begin(), name.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
  if (control) fail(ErrorCode::malformed, "its name holds control characters");
  if (name.starts_with('/')) fail(ErrorCode::malformed, "its name is absolute");
  if (name.find('\\') != std::string::npos) fail(ErrorCode::malformed, "its name holds a backslash");
  if (is_drive(name)) fail(ErrorCode::malformed, "its name names a drive");
  std::string clean;
  std::string_view rest = name;
  while (!rest.empty()) {
    const auto slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    if (part == "..") fail(ErrorCode::malformed, "its name leads out of the folder (\"..\")");
    if (part.empty() || part == ".") continue;
    if (!clean.empty()) clean += '/';
    clean += part;
  }
  return clean;
}

// Whether the member is a file to be read.
bool check_entry(const ArchiveEntry& entry, const std::string& name) {
  switch (entry.type) {
    case ArchiveEntry::Type::folder:
      return false;
    case ArchiveEntry::Type::link:
      fail(ErrorCode::malformed, "it is a link, which a model archive may not contain");
    case ArchiveEntry::Type::special:
      fail(ErrorCode::malformed, "it is a device or a pipe, which a model archive may not contain");
    case ArchiveEntry::Type::file:
      break;
  }
  if (entry.encrypted)
    fail(ErrorCode::malformed, "it is encrypted; give an archive that was made without a password");
  if (name.empty()) fail(ErrorCode::malformed, "it has no name");
  return true;
}

Allowance allowance_for(const sources::Source& source, const ArchiveLimits& limits) {
  const std::int64_t limit = unpacked_limit(source.size(), limits);
  return {static_cast<std::uint64_t>(limit), [limit, packed = source.size()] {
            fail(ErrorCode::malformed, "the archive of ", packed, " bytes unpacks to more than ", limit,
                 ", the limit for an archive of that size");
          }};
}

std::vector<ArchiveMember> read_members(const sources::Source& source, ArchiveKind kind,
                                        const ArchiveLimits& limits, const LeavesMember& leaves) {
  const auto stream = open_archive_stream(source, kind, allowance_for(source, limits));
  std::vector<ArchiveMember> members;
  std::set<std::string> names;
  std::int64_t count = 0;
  while (const auto entry = stream->next()) {
    if (++count > limits.members)
      fail(ErrorCode::malformed, "it has more than ", limits.members, " members, which is the limit");
    in_context([&] { return "member '" + printable(entry->name) + "'"; },
               [&] {
                 std::string name = checked_name(entry->name, limits);
                 if (!check_entry(*entry, name)) return;
                 if (!names.insert(name).second) fail(ErrorCode::malformed, "it appears twice");
                 const auto place = leaves ? stream->stored() : std::nullopt;
                 if (leaves && leaves(members, name, place ? &*place : nullptr)) {
                   members.push_back({std::move(name), {}, place});
                 } else {
                   members.push_back({std::move(name), stream->unpack()});
                 }
               });
  }
  return members;
}

}  // namespace

ArchiveKind recognize_archive(const sources::Source& source) {
  std::array<char, kTarBlock> first{};
  const auto count = static_cast<std::size_t>(std::min<std::int64_t>(source.size(), first.size()));
  source.read(0, first.data(), count);
  const std::string_view bytes(first.data(), count);
  if (begins_like_zip(bytes)) return ArchiveKind::zip;
  if (bytes.starts_with("\x1f\x8b"sv)) return ArchiveKind::tar_gz;
  return is_tar_header(bytes) ? ArchiveKind::tar : ArchiveKind::none;
}

std::int64_t unpacked_limit(std::int64_t packed_bytes, const ArchiveLimits& limits) {
  const std::int64_t expanded = checked_mul(packed_bytes, limits.ratio).value_or(limits.bytes);
  return std::min(limits.bytes, std::max(limits.free_bytes, expanded));
}

namespace {

[[noreturn]] void fail_no_archive(const sources::Source& source) {
  const std::string first = first_bytes(source);
  std::string what = recognize_foreign(first);
  if (what.empty() && begins_like_params(first))
    what = "a .params file of MXNet; load it with its -symbol.json file (load_memory, load_files)";
  if (what.empty() && begins_like_json(first))
    what = "JSON; load a -symbol.json file with its parameters (load_memory, load_files)";
  fail(ErrorCode::unsupported, "this is not a zip, tar or tar.gz archive",
       what.empty() ? std::string() : ", but " + what);
}

}  // namespace

std::vector<ArchiveMember> read_archive(const sources::Source& source, const ArchiveLimits& limits,
                                        const LeavesMember& leaves) {
  return in_context([&] { return printable(source.name()); },
                    [&] {
                      const ArchiveKind kind = recognize_archive(source);
                      if (kind == ArchiveKind::none) fail_no_archive(source);
                      return read_members(source, kind, limits, leaves);
                    });
}

}  // namespace mxinfer::formats
