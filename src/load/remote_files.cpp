#include "load/remote_files.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include "base/fail.h"
#include "base/threads/background.h"
#include "formats/files/file_kind.h"
#include "formats/files/listed_names.h"
#include "formats/files/model_files.h"
#include "sources/address.h"
#include "sources/digest.h"
#include "sources/store.h"

namespace mxinfer::api {
namespace {

constexpr std::string_view kSymbol = "-symbol.json";
constexpr std::string_view kParams = ".params";
constexpr const char* kLabels = "synset.txt";

using SourcePtr = std::shared_ptr<const sources::Source>;

bool is_archive_name(std::string_view name) {
  for (const std::string_view ending : {".mxz", ".mar", ".model", ".tar.gz", ".tgz", ".tar", ".zip"}) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

std::string epoch_ending(int epoch) {
  char text[32];
  std::snprintf(text, sizeof text, "-%04d.params", epoch);
  return text;
}

/// Looks for one model.
class Finder {
 public:
  Finder(const std::string& uri, const LoadOptions& options, const sources::Opener& opener)
      : options_(options),
        opener_(opener),
        address_(sources::parse_address(uri)),
        digests_(digests_for(uri, options)) {
    address_.fragment.clear();
    // A suffix must not become part of a host. The program's own schemes may have no host.
    if (address_.path.empty() && options.schemes.count(address_.scheme) == 0) address_.path = "/";
  }

  RemoteFiles find() {
    const std::string path = address_.path;
    if (is_archive_name(path)) return archive(open_or_fail(path));
    if (path.ends_with(kSymbol)) return of_symbol(path, kSymbol);
    if (path.ends_with(kParams)) return of_params(path);
    if (path.ends_with(".json")) return of_symbol(path, ".json");
    if (!path.ends_with("/")) {
      if (auto files = of_prefix(path, path + std::string(kSymbol))) return std::move(*files);
    }
    const std::string folder = path.ends_with("/") ? path : path + "/";
    if (const auto names = list(folder)) {
      if (!names->empty()) return in_folder(folder, *names);
      tried_.push_back(sources::shown(address_of(folder)));
    }
    if (!path.ends_with("/")) {
      if (auto file = open(path)) return by_contents(path, std::move(file));
    }
    if (!params_alone_.empty()) fail_without_symbol(params_alone_, false);
    fail_not_found();
  }

 private:
  std::string address_of(const std::string& path) const {
    sources::Address address = address_;
    address.path = path;
    return sources::to_string(address);
  }

  /// A file whose name does not reveal its kind.
  RemoteFiles by_contents(const std::string& path, SourcePtr file) {
    const std::string subject = "'" + printable(sources::shown(address_of(path))) + "'";
    switch (formats::recognize_file(*file)) {
      case formats::FileKind::archive:
        return archive(std::move(file));
      case formats::FileKind::symbol: {
        const std::size_t dot = path.rfind('.');
        const bool has_ending = dot != std::string::npos && dot > path.rfind('/') + 1;
        return of_symbol(path, has_ending ? path.substr(dot) : std::string());
      }
      case formats::FileKind::arrays:
        formats::fail_arrays_alone(subject, file);
      case formats::FileKind::unknown:
        break;
    }
    formats::fail_unknown(subject, *file);
  }

  [[noreturn]] void fail_without_symbol(const std::string& params, bool is_gluonts) const {
    fail(ErrorCode::not_found, "'", printable(sources::shown(sources::to_string(address_))),
         "' has parameters (", printable(params),
         ") but no file that ends in -symbol.json, which describes the network. ",
         formats::advice_for_gluon(is_gluonts));
  }

  /// The addresses that were tried.
  using Tried = std::vector<std::string>;

  SourcePtr open(const std::string& path, Tried& tried) const {
    const std::string address = address_of(path);
    tried.push_back(sources::shown(address));
    return opener_.open(address);
  }
  SourcePtr open(const std::string& path) { return open(path, tried_); }

  SourcePtr open_or_fail(const std::string& path) {
    auto source = open(path);
    if (source == nullptr) fail_not_found();
    return source;
  }

  /// For files beside a symbol file, which may all have to be tried.
  struct Beside {
    SourcePtr params, labels;
    std::vector<std::string> warnings;
    Tried tried;
  };

  /// An optional file of the model. Servers that forbid listing may answer "forbidden" for missing files too.
  SourcePtr open_optional(const std::string& path, Beside& beside) const {
    try {
      return open(path, beside.tried);
    } catch (const sources::Refused& e) {
      beside.warnings.push_back(concat("treated as missing: ", e.what()));
      return nullptr;
    }
  }

  std::optional<std::vector<std::string>> list(const std::string& folder,
                                               const std::string& start = {}) const {
    return opener_.list(address_of(folder), start);
  }

  RemoteFiles named(const std::string& path) const {
    RemoteFiles files;
    files.name = sources::shown(address_of(path));
    files.digests = digests_;
    return files;
  }

  RemoteFiles archive(SourcePtr source) const {
    RemoteFiles files = named(address_.path);
    files.archive = std::move(source);
    return files;
  }

  RemoteFiles of_symbol(const std::string& path, std::string_view ending) {
    auto files = of_prefix(path.substr(0, path.size() - ending.size()), path);
    if (!files) fail_not_found();
    return std::move(*files);
  }

  /// Does nothing if the symbol file does not exist. Looks for the files beside it at the same time, because
  /// round trips dominate over long distances.
  std::optional<RemoteFiles> of_prefix(const std::string& prefix, const std::string& symbol_path) {
    auto finding = in_background([&] { return find_beside(prefix); });
    auto symbol = open(symbol_path);
    if (symbol == nullptr) {
      note_params_alone(finding);
      return std::nullopt;
    }
    Beside beside = finding.get();
    RemoteFiles files = named(prefix);
    files.symbol = std::move(symbol);
    files.params = std::move(beside.params);
    files.labels = std::move(beside.labels);
    files.warnings = std::move(beside.warnings);
    return files;
  }

  template <typename Finding>
  void note_params_alone(Finding& finding) {
    try {
      const Beside beside = finding.get();
      if (beside.params != nullptr) params_alone_ = beside.params->name();
    } catch (const Error&) {  // there is no model in any case
    }
  }

  Beside find_beside(const std::string& prefix) const {
    const std::size_t slash = prefix.rfind('/') + 1;
    auto finding = in_background([&] {
      Beside labels;
      if (options_.labels.empty()) labels.labels = open_optional(prefix.substr(0, slash) + kLabels, labels);
      return labels;
    });
    Beside beside;
    if (const auto names = list(prefix.substr(0, slash), sources::percent_decoded(prefix.substr(slash)))) {
      find_params(beside, prefix, *names);
    } else {
      try_params(beside, prefix);
    }
    Beside labels = finding.get();
    beside.labels = std::move(labels.labels);
    beside.warnings.insert(beside.warnings.end(), labels.warnings.begin(), labels.warnings.end());
    return beside;
  }

  void find_params(Beside& beside, const std::string& prefix, const std::vector<std::string>& names) const {
    const std::size_t slash = prefix.rfind('/') + 1;
    const std::string base = sources::percent_decoded(prefix.substr(slash));
    std::vector<std::string> found, all, plain;
    for (const std::string& name : names) {
      if (name == base + std::string(kParams)) plain.push_back(name);
      const auto epoch = formats::epoch_in(name, base);
      if (!epoch) continue;
      all.push_back(name);
      if (!options_.epoch || *epoch == *options_.epoch) found.push_back(name);
    }
    std::sort(found.begin(), found.end());
    const std::string shown = sources::shown(address_of(prefix));
    if (options_.epoch && found.empty()) {
      fail(ErrorCode::not_found, "no .params file of epoch ", *options_.epoch, " belongs to '",
           printable(shown), "'; there are ", all.empty() ? std::string("none") : formats::listed_names(all));
    }
    if (found.size() > 1) {
      fail(ErrorCode::invalid_argument, "several .params files belong to '", printable(shown),
           "': ", formats::listed_names(found), "; say which with the epoch, the number in the name");
    }
    if (found.empty()) found = plain;
    if (!found.empty())
      beside.params = open(prefix.substr(0, slash) + sources::name_in_address(found[0]), beside.tried);
  }

  void try_params(Beside& beside, const std::string& prefix) const {
    std::vector<std::string> endings{epoch_ending(options_.epoch.value_or(0))};
    if (!options_.epoch) endings.emplace_back(kParams);
    Tried tried;
    for (const std::string& ending : endings) {
      beside.tried.clear();
      beside.params = open_optional(prefix + ending, beside);
      if (beside.params != nullptr) return;
      tried.push_back(sources::shown(address_of(prefix + ending)));
    }
    if (options_.epoch) fail_not_found(tried);
    beside.warnings.push_back(
        concat("no parameters were found: nothing is at ", formats::listed_names(tried),
               "; other epochs are not looked for, because the server cannot list files"));
  }

  RemoteFiles of_params(const std::string& path) {
    auto params = open_or_fail(path);
    std::string prefix = path.substr(0, path.size() - kParams.size());
    const std::size_t dash = path.rfind('-');
    const std::size_t slash = path.rfind('/') + 1;
    if (dash != std::string::npos && dash > slash &&
        formats::epoch_in(path.substr(slash), path.substr(slash, dash - slash)))
      prefix = path.substr(0, dash);
    RemoteFiles files = named(prefix);
    files.symbol = open_or_fail(prefix + std::string(kSymbol));
    files.params = std::move(params);
    Beside beside;
    if (options_.labels.empty()) files.labels = open_optional(path.substr(0, slash) + kLabels, beside);
    files.warnings = std::move(beside.warnings);
    return files;
  }

  RemoteFiles in_folder(const std::string& folder, const std::vector<std::string>& names) {
    std::vector<std::string> symbols, archives;
    for (const std::string& name : names) {
      if (name.ends_with(kSymbol)) symbols.push_back(name);
      if (is_archive_name(name)) archives.push_back(name);
    }
    const std::string shown = sources::shown(address_of(folder));
    if (symbols.empty() && archives.empty()) archives = archives_without_ending(folder, names);
    const auto& found = symbols.empty() ? archives : symbols;
    if (found.size() > 1) {
      fail(ErrorCode::invalid_argument, "folder '", printable(shown),
           "' holds several models: ", formats::listed_names(found), "; give one of them");
    }
    if (found.empty()) {
      fail(ErrorCode::not_found, "folder '", printable(shown),
           "' holds no model: no file there ends in -symbol.json, and none is an archive; there are ",
           formats::listed_names(names));
    }
    const std::string path = folder + sources::name_in_address(found[0]);
    if (symbols.empty()) return archive(open_or_fail(path));
    return of_symbol(path, kSymbol);
  }

  /// SageMaker's "model_algo-1". Opens only a few names, without an ending: each costs a request or more.
  std::vector<std::string> archives_without_ending(const std::string& folder,
                                                   const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 4;
    std::vector<std::string> params, plain, archives;
    for (const std::string& name : names) {
      if (name.ends_with(kParams)) params.push_back(name);
      const bool is_folder = name.ends_with("/");
      if (!is_folder && name.find('.') == std::string::npos) plain.push_back(name);
    }
    if (!params.empty()) {
      fail_without_symbol(formats::listed_names(params),
                          std::any_of(names.begin(), names.end(), formats::is_gluonts_network));
    }
    for (std::size_t i = 0; i < plain.size() && i < kMost; ++i) {
      const SourcePtr file = open(folder + sources::name_in_address(plain[i]));
      if (file == nullptr) continue;
      const formats::FileKind kind = formats::recognize_file(*file);
      if (kind == formats::FileKind::archive) archives.push_back(plain[i]);
      if (kind == formats::FileKind::arrays && plain.size() == 1)
        formats::fail_arrays_alone("'" + printable(plain[i]) + "'", file);
    }
    return archives;
  }

  [[noreturn]] void fail_not_found() const { fail_not_found(tried_); }

  [[noreturn]] void fail_not_found(const Tried& tried) const {
    const std::string shown = sources::shown(sources::to_string(address_));
    if (tried.empty()) {
      fail(ErrorCode::unsupported, "'", printable(shown), "' is a folder, whose files cannot be listed over ",
           address_.scheme, "; give the model's prefix, one of its files or an archive");
    }
    const bool is_offline = options_.remote.cache == CachePolicy::offline;
    fail(ErrorCode::not_found, "no model '", printable(shown),
         is_offline ? "' in the cache, and CachePolicy::offline fetches nothing; not cached: "
                    : "': nothing is at ",
         formats::listed_names(tried));
  }

  const LoadOptions& options_;
  const sources::Opener& opener_;
  sources::Address address_;
  std::vector<std::string> digests_;
  std::vector<std::string> tried_;
  std::string params_alone_;  ///< of the prefix, which has no symbol file
};

}  // namespace

std::vector<SourcePtr> RemoteFiles::all() const {
  std::vector<SourcePtr> there;
  for (const SourcePtr& source : {archive, symbol, params, labels}) {
    if (source != nullptr) there.push_back(source);
  }
  return there;
}

void check_digests(const RemoteFiles& files) {
  for (const SourcePtr& source : files.all()) sources::check_digest(*source, files.digests);
}

std::vector<std::string> digests_for(const std::string& uri, const LoadOptions& options) {
  std::vector<std::string> digests = options.sha256;
  if (!sources::has_scheme(uri)) return digests;
  const auto more = sources::digests_in(sources::parse_address(uri));
  digests.insert(digests.end(), more.begin(), more.end());
  return digests;
}

RemoteFiles find_remote_files(const std::string& uri, const LoadOptions& options,
                              const sources::Opener& opener) {
  return Finder(uri, options, opener).find();
}

}  // namespace mxinfer::api
