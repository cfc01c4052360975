#include "load/load_archive.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/fail.h"
#include "formats/arrays/params.h"
#include "formats/files/labels.h"
#include "graph/hints.h"
#include "sources/checked_source.h"
#include "sources/source.h"

namespace mxinfer::api {
namespace {

std::unique_ptr<sources::Source> source_of(const formats::ArchiveMember& member, const std::string& name) {
  return sources::from_memory({member.bytes.data(), member.bytes.size()}, name);
}

// The params of a bundle belong to all of its graphs, so unused ones need no warning.
void keep_used(const graph::Graph& graph, std::vector<formats::NamedParameter>& params) {
  std::set<std::string, std::less<>> variables;
  for (const graph::Node& node : graph.nodes) {
    if (node.is_variable()) variables.insert(node.name);
  }
  std::erase_if(params, [&](const formats::NamedParameter& array) {
    return variables.find(formats::split_name(array.name).bare) == variables.end() &&
           variables.find(array.name) == variables.end();
  });
}

std::vector<formats::NamedParameter> read_params(const std::shared_ptr<const sources::Source>& archive,
                                                 const formats::ArchiveMember& params,
                                                 sources::BlockSums sums,
                                                 std::vector<std::string>& warnings) {
  if (!params.place) {
    return formats::as_parameters(formats::read_params(*source_of(params, params.name), {}, &warnings));
  }
  const auto& [offset, bytes, checksum] = *params.place;
  return formats::index_params(
      sources::checked(sources::part_of(archive, offset, bytes, params.name), std::move(sums)), {},
      &warnings);
}

std::shared_ptr<const PackedFile> packed_file(const sources::Source& archive, formats::ArchivedModel& model) {
  if (model.packed.empty()) return nullptr;
  auto packed = std::make_shared<PackedFile>(archive.path());
  packed->symbol = symbol_key(formats::text_of(model.symbol));
  packed->sets = std::move(model.packed);
  return packed;
}

std::string hint_text(const Shape& shape) {
  std::string text = "(";
  for (std::int64_t size : shape) text += std::to_string(std::max<std::int64_t>(size, 0)) + ",";
  return text + ")";
}

}  // namespace

RawModel read_archive(const std::shared_ptr<const sources::Source>& archive, const LoadOptions& options,
                      Purpose purpose) {
  // A copy of an address's file stays open; of bytes in memory, nothing may be kept.
  const bool in_place = !archive->path().empty() && !options.read_weights_at_once;
  formats::ArchivedModel model =
      formats::read_archived_model(*archive, {options.epoch, options.graph, in_place});
  RawModel raw;
  raw.name = archive->name();
  raw.packed = packed_file(*archive, model);
  raw.kind = model.kind;
  raw.graphs = std::move(model.graphs);
  raw.graph = std::move(model.graph);
  raw.warnings = std::move(model.warnings);
  raw.described_inputs = std::move(model.inputs);
  raw.described_outputs = std::move(model.outputs);
  in_context([&] { return printable(archive->name()); },
             [&] {
               raw.symbol = in_context([&] { return printable(model.symbol.name); },
                                       [&] {
                                         return formats::parse_symbol(
                                             formats::text_of(model.symbol), {},
                                             purpose == Purpose::report ? &raw.problems : nullptr);
                                       });
               if (model.params) {
                 raw.has_params_file = true;
                 raw.params = read_params(archive, *model.params, std::move(model.params_sums), raw.warnings);
               }
               if (model.labels)
                 raw.labels = formats::read_labels(*source_of(*model.labels, model.labels->name));
             });
  if (!raw.graphs.empty()) keep_used(raw.symbol.graph, raw.params);
  return raw;
}

std::vector<std::string> add_shape_hints(graph::Graph& graph,
                                         const std::vector<formats::DescribedShape>& inputs) {
  std::vector<std::string> warnings;
  for (const auto& [name, shape] : inputs) {
    bool found = false;
    for (graph::Node& node : graph.nodes) {
      if (!node.is_variable() || node.name != name) continue;
      found = true;
      if (shape.rank() > 0) node.raw_attrs[graph::kShapeHint] = hint_text(shape);
    }
    if (!found) {
      warnings.push_back(
          concat("the archive describes an input '", printable(name), "', which the network does not have"));
    }
  }
  return warnings;
}

void complete_outputs(Signature& signature, const std::vector<formats::DescribedShape>& outputs) {
  if (outputs.size() != signature.outputs.size()) return;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Shape& shape = signature.outputs[i].shape;
    if (shape.rank() > 0 || outputs[i].second.rank() == 0) continue;
    shape = outputs[i].second;
    shape[0] = -1;  // that of some run
  }
}

}  // namespace mxinfer::api
