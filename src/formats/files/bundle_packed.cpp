#include "formats/files/bundle_packed.h"

#include <cstring>
#include <string_view>
#include <utility>

#include "base/fail.h"
#include "formats/archive/zip_writer.h"

namespace mxinfer::formats {
namespace {

bool holds_packed(std::string_view name) {
  return name.starts_with("packed/") && name.ends_with(".bin");
}

std::string not_used(const std::string& why) {
  return "the bundle's packed weights are not used: " + why;
}

const ArchiveMember& named(const ArchiveMembers& members, const std::string& name) {
  const ArchiveMember* member = members.find(name);
  if (member == nullptr) fail(ErrorCode::malformed, "'", printable(name), "' is not in the archive");
  return *member;
}

sources::BlockSums sums_of(const ArchiveMember& member, std::int64_t params_bytes) {
  sources::BlockSums sums(sources::count_blocks(params_bytes));
  const std::size_t bytes = sums.size() * sizeof sums[0];
  if (member.bytes.size() != bytes) {
    fail(ErrorCode::malformed, "'", printable(member.name), "' has ", member.bytes.size(),
         " bytes; expected ", bytes, " for parameters of ", params_bytes);
  }
  if (bytes > 0) std::memcpy(sums.data(), member.bytes.data(), bytes);
  return sums;
}

// nullopt for an index in a format of another library, or of bytes that do not stand in the file as they are.
std::optional<PackedSet> packed_set(const ArchiveMembers& members, const std::string& name) {
  return in_context([&] { return printable(name); },
                    [&]() -> std::optional<PackedSet> {
                      std::optional<PackedIndex> index = parse_packed_index(text_of(named(members, name)));
                      if (!index) return std::nullopt;
                      const ArchiveMember& data = named(members, index->data);
                      if (!data.place) return std::nullopt;
                      check_inside(*index, data.place->bytes);
                      return PackedSet{std::move(*index), *data.place};
                    });
}

void read_left(const sources::Source& source, ArchiveMember& member) {
  const StoredPlace place = *member.place;
  member.bytes.resize(static_cast<std::size_t>(place.bytes));
  source.read(place.offset, member.bytes.data(), member.bytes.size());
  member.place.reset();
  const std::uint32_t sum = zip_checksum({member.bytes.data(), member.bytes.size()});
  if (sum == place.checksum) return;
  fail(ErrorCode::malformed, "member '", printable(member.name), "'", kTrail,
       "its bytes have the checksum (CRC-32) ", sum, ", and should have ", place.checksum,
       ": the archive is damaged");
}

}  // namespace

bool LeftInBundle::operator()(const std::vector<ArchiveMember>& before, const std::string& name,
                              const StoredPlace* place) {
  if (before.empty() || before.front().name != kBundleManifest) return false;
  if (!looked_) {
    looked_ = true;
    try {
      manifest_ = parse_bundle_manifest(text_of(before.front()));
    } catch (const Error&) {
      // read_bundle reports it.
    }
  }
  if (!manifest_ || !manifest_->packed) return false;
  if (holds_packed(name)) return true;
  const PackedMembers& packed = *manifest_->packed;
  return params_ && place != nullptr && name == manifest_->params && place->bytes == packed.params_bytes &&
         place->checksum == packed.params_checksum;
}

void add_packed(const sources::Source& source, const BundleManifest& manifest, ArchiveMembers& members,
                ArchivedModel& model) {
  if (!manifest.packed_problem.empty()) model.warnings.push_back(not_used(manifest.packed_problem));
  if (!manifest.packed || !model.params) return;
  if (!model.params->place) {
    model.warnings.push_back(
        not_used("they were made of other parameters, or the parameters are compressed"));
    return;
  }
  try {
    model.params_sums = sums_of(named(members, manifest.packed->sums), model.params->place->bytes);
  } catch (const Error& e) {
    model.warnings.push_back(not_used(e.what()));
    return read_left(source, *model.params);
  }
  for (const std::string& name : manifest.packed->indexes) {
    try {
      if (auto set = packed_set(members, name)) model.packed.push_back(std::move(*set));
    } catch (const Error& e) {
      model.warnings.push_back(not_used(e.what()));
    }
  }
}

}  // namespace mxinfer::formats
