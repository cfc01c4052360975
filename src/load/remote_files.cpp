#include "load/remote_files.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include "base/fail.h"
#include "formats/archive.h"
#include "formats/listed_names.h"
#include "formats/model_files.h"
#include "sources/address.h"

namespace mxinfer::api {
namespace {

constexpr std::string_view kSymbol = "-symbol.json";
constexpr std::string_view kParams = ".params";

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
  }

  RemoteFiles find() {
    const std::string path = address_.path;
    if (is_archive_name(path)) return archive(open_or_fail(path));
    if (path.ends_with(kSymbol))
      return with_symbol(open_or_fail(path), path.substr(0, path.size() - kSymbol.size()));
    if (path.ends_with(kParams)) return of_params(path);
    if (path.ends_with(".json")) return with_symbol(open_or_fail(path), path.substr(0, path.size() - 5));
    if (!path.ends_with("/")) {
      if (auto symbol = open(path + std::string(kSymbol))) return with_symbol(std::move(symbol), path);
    }
    if (auto names = list(path.ends_with("/") ? path : path + "/"); names && !names->empty())
      return in_folder(path.ends_with("/") ? path : path + "/", *names);
    if (!path.ends_with("/")) {
      auto file = open(path);
      if (file != nullptr && formats::recognize_archive(*file) != formats::ArchiveKind::none)
        return archive(std::move(file));
    }
    fail_not_found();
  }

 private:
  std::string address_of(const std::string& path) const {
    sources::Address address = address_;
    address.path = path;
    return sources::to_string(address);
  }

  SourcePtr open(const std::string& path) {
    const std::string address = address_of(path);
    tried_.push_back(sources::shown(address));
    return opener_.open(address);
  }

  SourcePtr open_or_fail(const std::string& path) {
    auto source = open(path);
    if (source == nullptr) fail_not_found();
    return source;
  }

  std::optional<std::vector<std::string>> list(const std::string& folder) const {
    return opener_.list(address_of(folder));
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

  RemoteFiles with_symbol(SourcePtr symbol, const std::string& prefix) {
    RemoteFiles files = named(prefix);
    files.symbol = std::move(symbol);
    const std::size_t slash = prefix.rfind('/') + 1;
    const std::string folder = prefix.substr(0, slash);
    const auto names = list(folder);
    if (names) {
      find_params(files, prefix, *names);
    } else {
      try_params(files, prefix);
    }
    const std::string labels = "synset.txt";
    const bool may_be_there = !names || std::find(names->begin(), names->end(), labels) != names->end();
    if (options_.labels.empty() && may_be_there) files.labels = open(folder + labels);
    return files;
  }

  void find_params(RemoteFiles& files, const std::string& prefix, const std::vector<std::string>& names) {
    const std::size_t slash = prefix.rfind('/') + 1;
    const std::string base = prefix.substr(slash);
    std::vector<std::string> found, all;
    for (const std::string& name : names) {
      const auto epoch = formats::epoch_in(name, base);
      if (!epoch) continue;
      all.push_back(name);
      if (!options_.epoch || *epoch == *options_.epoch) found.push_back(name);
    }
    std::sort(found.begin(), found.end());
    if (options_.epoch && found.empty()) {
      fail(ErrorCode::not_found, "no .params file of epoch ", *options_.epoch, " belongs to '",
           printable(files.name), "'; there are ",
           all.empty() ? std::string("none") : formats::listed_names(all));
    }
    if (found.size() > 1) {
      fail(ErrorCode::invalid_argument, "several .params files belong to '", printable(files.name),
           "': ", formats::listed_names(found), "; say which with the epoch, the number in the name");
    }
    const std::string plain = base + std::string(kParams);
    if (found.empty() && std::find(names.begin(), names.end(), plain) != names.end()) found.push_back(plain);
    if (!found.empty()) files.params = open(prefix.substr(0, slash) + found[0]);
  }

  void try_params(RemoteFiles& files, const std::string& prefix) {
    const std::size_t before = tried_.size();
    std::vector<std::string> endings{epoch_ending(options_.epoch.value_or(0))};
    if (!options_.epoch) endings.emplace_back(kParams);
    for (const std::string& ending : endings) {
      files.params = open(prefix + ending);
      if (files.params != nullptr) return;
    }
    const std::vector<std::string> names(tried_.begin() + static_cast<std::ptrdiff_t>(before), tried_.end());
    if (options_.epoch) fail_not_found();
    files.warnings.push_back(concat("no parameters were found: nothing is at ", formats::listed_names(names),
                                    "; another epoch is not looked for where the server cannot list"));
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
    if (options_.labels.empty()) files.labels = open(path.substr(0, slash) + "synset.txt");
    return files;
  }

  RemoteFiles in_folder(const std::string& folder, const std::vector<std::string>& names) {
    std::vector<std::string> symbols, archives;
    for (const std::string& name : names) {
      if (name.ends_with(kSymbol)) symbols.push_back(name);
      if (is_archive_name(name)) archives.push_back(name);
    }
    const std::string shown = sources::shown(address_of(folder));
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
    const std::string path = folder + found[0];
    if (symbols.empty()) return archive(open_or_fail(path));
    return with_symbol(open_or_fail(path), path.substr(0, path.size() - kSymbol.size()));
  }

  [[noreturn]] void fail_not_found() const {
    if (tried_.empty()) {
      fail(ErrorCode::unsupported, "'", printable(sources::shown(sources::to_string(address_))),
           "' is a folder, and what is in it is not listed by ", address_.scheme,
           "; give the model's prefix, one of its files or an archive");
    }
    const bool is_offline = options_.remote.cache == CachePolicy::offline;
    fail(ErrorCode::not_found, "no model '", printable(sources::shown(sources::to_string(address_))),
         is_offline
             ? "' among the copies on disk, and CachePolicy::offline fetches nothing; there is none of "
             : "': nothing is at ",
         formats::listed_names(tried_));
  }

  const LoadOptions& options_;
  const sources::Opener& opener_;
  sources::Address address_;
  std::vector<std::string> digests_;
  std::vector<std::string> tried_;
};

}  // namespace

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
