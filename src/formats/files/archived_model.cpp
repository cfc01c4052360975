#include "formats/files/archived_model.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/fail.h"
#include "base/text/strict_json.h"
#include "formats/archive/archive_members.h"
#include "formats/archive/bundle_manifest.h"
#include "formats/files/bundle_packed.h"
#include "formats/files/file_kind.h"
#include "formats/files/listed_names.h"
#include "formats/files/model_files.h"
#include "formats/files/server_manifest.h"

namespace mxinfer::formats {
namespace {

constexpr std::string_view kSymbol = "-symbol.json";
constexpr std::string_view kParams = ".params";
constexpr const char* kInnerArchive = "model_algo-1";  // of SageMaker's built-in algorithms
constexpr const char* kNewManifest = "MAR-INF/MANIFEST.json";
constexpr const char* kOldManifest = "MANIFEST.json";

std::unique_ptr<sources::Source> source_of(const ArchiveMember& member, const std::string& name) {
  return sources::from_memory({member.bytes.data(), member.bytes.size()}, name);
}

ArchiveMember take_named(ArchiveMembers& members, const std::string& name, const std::string& what) {
  if (members.find(name) == nullptr) {
    fail(ErrorCode::malformed, kBundleManifest, kTrail, what, " is '", printable(name),
         "', which is not in the archive");
  }
  return members.take(name);
}

ArchivedModel read_bundle(const sources::Source& source, ArchiveMembers members,
                          const ArchiveChoice& choice) {
  const BundleManifest manifest =
      in_context([] { return std::string(kBundleManifest); },
                 [&] { return parse_bundle_manifest(text_of(*members.find(kBundleManifest))); });
  if (choice.epoch) {
    fail(ErrorCode::invalid_argument, "a bundle has one set of parameters and no epochs; epoch ",
         *choice.epoch, " was requested");
  }
  ArchivedModel model;
  model.kind = "bundle";
  for (const auto& [name, member] : manifest.graphs) model.graphs.push_back(name);
  model.graph = choice.graph.empty() ? manifest.default_graph : choice.graph;
  const auto graph = manifest.graphs.find(model.graph);
  if (graph == manifest.graphs.end()) {
    fail(ErrorCode::not_found, "the bundle has no graph '", printable(model.graph),
         "'; its graphs are: ", listed_names(model.graphs));
  }
  for (const auto& [name, member] : manifest.graphs) {
    if (members.find(member) == nullptr) (void)take_named(members, member, "graph '" + printable(name) + "'");
  }
  model.symbol = members.take(graph->second);
  if (!manifest.params.empty()) model.params = take_named(members, manifest.params, "\"params\"");
  if (!manifest.labels.empty()) model.labels = take_named(members, manifest.labels, "\"labels\"");
  if (choice.in_place) add_packed(source, manifest, members, model);
  return model;
}

// The archive, its members, and what its own files say about them.
class PairFinder {
 public:
  PairFinder(const sources::Source& source, ArchiveMembers& members, const ArchiveChoice& choice)
      : source_(source), members_(members), choice_(choice) {}

  /// False if there is no network.
  bool find(ArchivedModel& model);

 private:
  void read_manifest();
  std::string find_symbol();
  std::string find_params(const std::string& symbol);
  std::vector<std::string> candidates(const std::string& symbol) const;
  void describe(std::string_view folder, const std::string& prefix, ArchivedModel& model);
  template <typename Parse>
  void describe_by(const ArchiveMember* member, ArchivedModel& model, Parse&& parse);
  std::string kind() const;
  const ArchiveMember* stated(const std::string& name, const char* what);

  const sources::Source& source_;
  ArchiveMembers& members_;
  const ArchiveChoice& choice_;
  std::optional<ServerManifest> manifest_;
  std::vector<std::string> warnings_;
};

void PairFinder::read_manifest() {
  for (const char* name : {kNewManifest, kOldManifest}) {
    const ArchiveMember* member = members_.find(name);
    if (member == nullptr) continue;
    manifest_ = in_context([&] { return name; }, [&] { return parse_server_manifest(text_of(*member)); });
    return;
  }
}

// The member that the manifest names. Model servers used other rules, so the name may be wrong.
const ArchiveMember* PairFinder::stated(const std::string& name, const char* what) {
  if (name.empty()) return nullptr;
  const ArchiveMember* member = members_.find(name);
  if (member == nullptr) {
    warnings_.push_back(
        concat("the manifest names '", printable(name), "' as ", what, ", which is not in the archive"));
  }
  return member;
}

std::string PairFinder::find_symbol() {
  if (manifest_) {
    if (const ArchiveMember* member = stated(manifest_->symbol, "the symbol")) return member->name;
  }
  auto symbols = members_.ending(kSymbol);
  if (symbols.empty()) symbols = members_.named("symbol.json");
  if (symbols.size() > 1) {
    fail(ErrorCode::invalid_argument, "the archive holds several models: ", listed_names(symbols),
         "; unpack it and give one of them");
  }
  return symbols.empty() ? std::string() : symbols.front();
}

// Parameters whose names match a symbol, or all, if none matches.
std::vector<std::string> PairFinder::candidates(const std::string& symbol) const {
  const auto folder = std::string(member_folder(symbol));
  std::vector<std::string> found;
  if (symbol.ends_with(kSymbol)) {
    const std::string prefix = symbol.substr(0, symbol.size() - kSymbol.size());
    for (const std::string& name : members_.ending(kParams)) {
      if (member_folder(name) == folder && epoch_in(member_base(name), member_base(prefix)))
        found.push_back(name);
    }
    if (found.empty() && members_.find(prefix + std::string(kParams)) != nullptr)
      found.push_back(prefix + std::string(kParams));
  } else if (members_.find(folder + "params") != nullptr) {
    found.push_back(folder + "params");
  }
  return found.empty() ? members_.ending(kParams) : found;
}

std::string PairFinder::find_params(const std::string& symbol) {
  if (manifest_ && !choice_.epoch) {
    if (const ArchiveMember* member = stated(manifest_->params, "the parameters")) return member->name;
  }
  auto found = candidates(symbol);
  if (choice_.epoch) {
    const std::string all = found.empty() ? "there are none" : "there are: " + listed_names(found);
    std::erase_if(found, [&](const std::string& name) {
      const std::string_view base = member_base(name);
      const auto dash = base.rfind('-');
      return dash == std::string_view::npos || epoch_in(base, base.substr(0, dash)) != choice_.epoch;
    });
    if (found.empty())
      fail(ErrorCode::not_found, "no .params file of epoch ", *choice_.epoch, " is in the archive; ", all);
  }
  if (found.size() > 1) {
    fail(ErrorCode::invalid_argument, "several .params files belong to '", printable(symbol),
         "': ", listed_names(found), "; say which with the epoch, the number in the name");
  }
  return found.empty() ? std::string() : found.front();
}

// Errors in files other than the pair do no harm.
template <typename Parse>
void PairFinder::describe_by(const ArchiveMember* member, ArchivedModel& model, Parse&& parse) {
  if (member == nullptr) return;
  try {
    DescribedShapes shapes = parse(text_of(*member));
    if (model.inputs.empty()) model.inputs = std::move(shapes.inputs);
    if (model.outputs.empty()) model.outputs = std::move(shapes.outputs);
  } catch (const Error& e) {
    warnings_.push_back(concat("'", printable(member->name), "' is skipped: ", e.what()));
  }
}

void PairFinder::describe(std::string_view folder, const std::string& prefix, ArchivedModel& model) {
  const std::string name =
      manifest_ && !manifest_->signature.empty() ? manifest_->signature : "signature.json";
  describe_by(members_.find_near(folder, name), model, parse_server_signature);
  const ArchiveMember* shapes = members_.find(prefix + "-shapes.json");
  if (shapes == nullptr) shapes = members_.find_near(folder, "model-shapes.json");
  describe_by(shapes, model, parse_model_shapes);
}

std::string PairFinder::kind() const {
  if (manifest_)
    return members_.find(kNewManifest) != nullptr ? "model server archive (.mar)"
                                                  : "model server archive (.model)";
  for (const char* name : {"model-shapes.json", "hyperparams.json", "additional-params.json"}) {
    if (!members_.named(name).empty()) return "SageMaker archive";
  }
  switch (recognize_archive(source_)) {
    case ArchiveKind::zip:
      return "zip archive";
    case ArchiveKind::tar:
      return "tar archive";
    case ArchiveKind::tar_gz:
      return "tar.gz archive";
    case ArchiveKind::none:
      break;
  }
  return "archive";
}

bool PairFinder::find(ArchivedModel& model) {
  read_manifest();
  const std::string symbol = find_symbol();
  if (symbol.empty()) {
    if (manifest_ && manifest_->imperative) {
      fail(ErrorCode::unsupported,
           "the archive's network is a Python program (Model-Format \"Gluon-Imperative\"), which mxinfer "
           "cannot run. Run it in Python, call hybridize(), run the network once, export() it, and give what "
           "export() wrote");
    }
    return false;
  }
  const std::string params = find_params(symbol);
  const auto folder = std::string(member_folder(symbol));
  const std::string prefix =
      symbol.ends_with(kSymbol) ? symbol.substr(0, symbol.size() - kSymbol.size()) : symbol;
  model.kind = kind();
  describe(folder, prefix, model);
  const ArchiveMember* labels = members_.find_near(folder, "synset.txt");
  if (labels != nullptr) model.labels = members_.take(std::string(labels->name));
  model.symbol = members_.take(symbol);
  if (!params.empty()) model.params = members_.take(params);
  model.warnings = std::move(warnings_);
  return true;
}

// An archive in the archive: model_algo-1, or the only one. Parameters may be zip files too (.npz).
const ArchiveMember* inner_archive(const ArchiveMembers& members) {
  std::vector<const ArchiveMember*> found;
  for (const ArchiveMember& member : members.all()) {
    if (member.name.ends_with(kParams) || member.name.ends_with(".npz") || member.name.ends_with(".nd"))
      continue;
    if (recognize_archive(*source_of(member, member.name)) == ArchiveKind::none) continue;
    if (member_base(member.name) == kInnerArchive) return &member;
    found.push_back(&member);
  }
  return found.size() == 1 ? found.front() : nullptr;
}

// "algorithm 'fcn', backbone 'resnet-50'": what the training was configured with, for a message.
std::string hyperparameters(const ArchiveMembers& members) {
  const auto names = members.named("hyperparams.json");
  if (names.size() != 1) return {};
  std::string text;
  try {
    const auto root = parse_strict_json(text_of(*members.find(names.front())), {8, 10'000});
    for (const char* key : {"algorithm", "backbone", "num_classes"}) {
      const auto found = root.find(key);
      if (found == root.end()) continue;
      const std::string value = found->is_string() ? found->get<std::string>() : found->dump();
      text += concat(text.empty() ? " (" : ", ", key, " ", printable(value));
    }
  } catch (const std::exception&) {
    return {};
  }
  return text.empty() ? text : text + ")";
}

[[noreturn]] void fail_without_network(const ArchiveMembers& members) {
  std::vector<std::string> names;
  for (const ArchiveMember& member : members.all()) names.push_back(member.name);
  const bool segmentation = !members.named("model_best.params").empty();
  if (segmentation) {
    fail(ErrorCode::unsupported,
         "the archive holds the parameters of SageMaker's semantic segmentation but no -symbol.json: that "
         "algorithm keeps its network as a Python program. Make the network with GluonCV as hyperparams.json "
         "says",
         hyperparameters(members),
         ", load model_best.params into it, call hybridize(), run it once, export() it, and give what "
         "export() wrote");
  }
  for (const ArchiveMember& member : members.all()) {
    if (member_base(member.name) != kInnerArchive) continue;
    std::shared_ptr<const sources::Source> source = source_of(member, member.name);
    if (recognize_file(*source) == FileKind::arrays)
      fail_arrays_alone("the archive's '" + printable(member.name) + "'", source);
  }
  const auto params = members.ending(kParams);
  if (!params.empty()) {
    fail(ErrorCode::not_found, "the archive holds parameters (", listed_names(params),
         ") but no file that ends in -symbol.json, which describes the network. ",
         advice_for_gluon(std::any_of(names.begin(), names.end(), is_gluonts_network)));
  }
  fail(ErrorCode::not_found, "the archive holds no model: no member ends in -symbol.json",
       names.empty() ? std::string("; it is empty") : "; there are: " + listed_names(names));
}

ArchivedModel find_in(const sources::Source& source, const ArchiveChoice& choice, const ArchiveLimits& limits,
                      bool may_descend) {
  ArchiveMembers members(read_archive(source, limits, LeftInBundle(choice.in_place)));
  return in_context([&] { return printable(source.name()); },
                    [&] {
                      if (members.find(kBundleManifest) != nullptr)
                        return read_bundle(source, std::move(members), choice);
                      if (!choice.graph.empty()) {
                        fail(ErrorCode::invalid_argument, "graph '", printable(choice.graph),
                             "' was requested, but this is not a bundle: it has one network without a name");
                      }
                      ArchivedModel model;
                      if (PairFinder(source, members, choice).find(model)) return model;
                      const ArchiveMember* inner = may_descend ? inner_archive(members) : nullptr;
                      if (inner == nullptr) fail_without_network(members);
                      // The limit of the outer archive applies to the inner one too.
                      ArchiveLimits inner_limits = limits;
                      inner_limits.bytes = unpacked_limit(source.size(), limits);
                      model = find_in(*source_of(*inner, inner->name), choice, inner_limits, false);
                      if (member_base(inner->name) == kInnerArchive) model.kind = "SageMaker archive";
                      return model;
                    });
}

}  // namespace

ArchivedModel read_archived_model(const sources::Source& source, const ArchiveChoice& choice,
                                  const ArchiveLimits& limits) {
  return find_in(source, choice, limits, true);
}

}  // namespace mxinfer::formats
