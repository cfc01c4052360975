#include "formats/archive/write_bundle.h"

#include <mxinfer/version.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "base/fail.h"
#include "base/files/aligned_memory.h"
#include "base/files/atomic_file.h"
#include "formats/archive/bundle_manifest.h"
#include "formats/archive/zip_writer.h"
#include "sources/checked_source.h"

namespace mxinfer::formats {
namespace {

constexpr const char* kParamsMember = "model.params";
constexpr const char* kLabelsMember = "synset.txt";
constexpr std::size_t kMostMemberBytes = 100;

Span<const std::byte> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

constexpr const char* kSumsMember = "packed/params.sums";
// Of the members with packed weights: a page, so that no page holds parts of two members.
constexpr std::size_t kPackedAlignment = 4096;

// "packed/avx512"; "packed/avx512-bfloat16" for another precision than float32.
std::string packed_stem(const PackedKey& key) {
  return "packed/" + key.target + (key.precision == "float32" ? "" : "-" + key.precision);
}

PackedMembers packed_members(const BundleToWrite& bundle) {
  PackedMembers packed;
  for (const PackedToWrite& set : bundle.packed)
    packed.indexes.push_back(packed_stem(set.index.key) + ".json");
  packed.sums = kSumsMember;
  packed.params_bytes = static_cast<std::int64_t>(bundle.params.size());
  packed.params_checksum = zip_checksum(bundle.params);
  return packed;
}

// The weights with zeros between them, so that each is aligned.
void add_packed(const PackedToWrite& set, ZipWriter& zip) {
  static constexpr std::array<std::byte, kAlignment> kZeros{};
  const std::string stem = packed_stem(set.index.key);
  PackedIndex index = set.index;
  index.data = stem + ".bin";
  std::vector<Span<const std::byte>> pieces;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < set.bytes.size(); ++i) {
    index.weights[i].offset = end;
    pieces.push_back(set.bytes[i]);
    const std::size_t padding = aligned_size(set.bytes[i].size()) - set.bytes[i].size();
    pieces.emplace_back(kZeros.data(), padding);
    end += aligned_size(set.bytes[i].size());
  }
  zip.add(stem + ".json", bytes_of(packed_index_text(index)), true);
  zip.add_aligned(index.data, {pieces.data(), pieces.size()}, kPackedAlignment);
}

}  // namespace

void check_graph_name(const std::string& name) {
  const bool plain = !name.empty() && name.size() <= kMostMemberBytes && name[0] != '.' &&
                     std::all_of(name.begin(), name.end(), [](char c) {
                       const auto byte = static_cast<unsigned char>(c);
                       return (byte < 0x80 && std::isalnum(byte) != 0) || c == '-' || c == '_' || c == '.';
                     });
  if (plain) return;
  fail(ErrorCode::invalid_argument, "'", printable(name), "' cannot be a graph's name: give 1 to ",
       kMostMemberBytes, " letters, digits, '-', '_' and '.', such as 'prediction'");
}

void write_bundle(const std::string& path, const BundleToWrite& bundle) {
  BundleManifest manifest;
  for (const auto& [name, symbol] : bundle.graphs) {
    check_graph_name(name);
    manifest.graphs[name] = name + "-symbol.json";
  }
  if (manifest.graphs.count(bundle.default_graph) == 0) {
    fail(ErrorCode::invalid_argument, "the bundle's default graph is '", printable(bundle.default_graph),
         "', which is not one of its graphs");
  }
  manifest.default_graph = bundle.default_graph;
  if (!bundle.params.empty()) manifest.params = kParamsMember;
  if (!bundle.labels.empty()) manifest.labels = kLabelsMember;

  if (!bundle.packed.empty()) manifest.packed = packed_members(bundle);

  AtomicFile file(path);
  ZipWriter zip(file);
  zip.add(kBundleManifest, bytes_of(bundle_manifest_text(manifest, concat("mxinfer ", version()))), true);
  for (const auto& [name, symbol] : bundle.graphs) zip.add(manifest.graphs[name], bytes_of(symbol), true);
  if (!bundle.labels.empty()) zip.add(kLabelsMember, bytes_of(bundle.labels), true);
  // Stored uncompressed, so that a reader can use the arrays in place.
  if (!bundle.params.empty()) zip.add(kParamsMember, bundle.params, false);
  if (!bundle.packed.empty()) {
    const sources::BlockSums sums = sources::block_sums(bundle.params);
    const auto* const words = reinterpret_cast<const std::byte*>(sums.data());
    zip.add(kSumsMember, {words, sums.size() * sizeof sums[0]}, false);
    for (const PackedToWrite& set : bundle.packed) add_packed(set, zip);
  }
  zip.finish();
  file.commit();
}

}  // namespace mxinfer::formats
