#include "formats/archive/write_bundle.h"

#include <mxinfer/version.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/fail.h"
#include "base/files/atomic_file.h"
#include "formats/archive/bundle_manifest.h"
#include "formats/archive/zip_writer.h"

namespace mxinfer::formats {
namespace {

constexpr const char* kParamsMember = "model.params";
constexpr const char* kLabelsMember = "synset.txt";
constexpr std::size_t kMostMemberBytes = 100;

Span<const std::byte> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
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

  AtomicFile file(path);
  ZipWriter zip(file);
  zip.add(kBundleManifest, bytes_of(bundle_manifest_text(manifest, concat("mxinfer ", version()))), true);
  for (const auto& [name, symbol] : bundle.graphs) zip.add(manifest.graphs[name], bytes_of(symbol), true);
  if (!bundle.labels.empty()) zip.add(kLabelsMember, bytes_of(bundle.labels), true);
  // Stored uncompressed, so that a reader can use the arrays in place.
  if (!bundle.params.empty()) zip.add(kParamsMember, bundle.params, false);
  zip.finish();
  file.commit();
}

}  // namespace mxinfer::formats
