// A model in one file: which members of an archive are the network, its parameters and its labels.
//
//   ArchivedModel model = read_archived_model(*sources::open_file("model.tar.gz"), {});
//   parse_symbol(text_of(model.symbol)); ... model.params, model.labels ...
//
// Supports bundles of this library (docs/how-to/bundle.md), archives of model servers (.mar, .model) and of
// SageMaker, and any archive with one pair. Ignores programs in an archive.
#pragma once

#include <mxinfer/shape.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/archive/archive.h"
#include "formats/archive/packed_index.h"
#include "sources/checked_source.h"
#include "sources/source.h"

namespace mxinfer::formats {

struct ArchiveChoice {
  std::optional<int> epoch{};  ///< the number in the name of the parameters, if there are several
  std::string graph{};         ///< of a bundle; empty: its default
  /// Leaves the parameters of a bundle with packed weights in the archive, which must then stay open:
  /// ArchivedModel::params then has a place, and params_sums are theirs.
  bool in_place = false;
};

/// Weights that the archive has packed.
struct PackedSet {
  PackedIndex index;
  StoredPlace place;  ///< of their bytes, which are unread and unchecked
};

using DescribedShape = std::pair<std::string, Shape>;

struct ArchivedModel {
  std::string kind;  ///< for people: "bundle", "SageMaker archive"
  ArchiveMember symbol;
  std::optional<ArchiveMember> params;
  std::optional<ArchiveMember> labels;
  /// What another file of the archive says about inputs and outputs, with a batch of -1: advice, as the
  /// __shape__ of variables.
  std::vector<DescribedShape> inputs;
  std::vector<DescribedShape> outputs;
  /// For a bundle: the names of its graphs, and the chosen one. Parameters are those of all graphs.
  std::vector<std::string> graphs;
  std::string graph;
  std::vector<std::string> warnings;
  /// For ArchiveChoice::in_place.
  sources::BlockSums params_sums{};
  std::vector<PackedSet> packed{};
};

/// Throws what read_archive throws; Error(not_found) if there is no network in the archive,
/// Error(unsupported) saying what to do if it holds parameters whose network is a program,
/// Error(invalid_argument) listing the candidates if there are several, or for a graph that is not there.
ArchivedModel read_archived_model(const sources::Source& source, const ArchiveChoice& choice,
                                  const ArchiveLimits& limits = {});

inline std::string_view text_of(const ArchiveMember& member) {
  return {reinterpret_cast<const char*>(member.bytes.data()), member.bytes.size()};
}

}  // namespace mxinfer::formats
