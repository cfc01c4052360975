#include "formats/files/model_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/fail.h"
#include "formats/files/bucket_files.h"
#include "formats/files/file_kind.h"
#include "formats/files/listed_names.h"
#include "formats/files/local_files.h"
#include "formats/first_bytes.h"
#include "formats/foreign_file.h"
#include "sources/address.h"
#include "sources/source.h"

namespace mxinfer::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSymbolEnding = "-symbol.json";
constexpr std::string_view kParamsEnding = ".params";

struct Candidate {
  std::string name;
  int epoch;
};

std::vector<Candidate> candidates(const std::string& prefix) {
  const std::string base = fs::path(prefix).filename().string();
  std::vector<Candidate> found;
  for (const std::string& name : files_ending(folder_of(prefix), kParamsEnding)) {
    if (const auto epoch = epoch_in(name, base)) found.push_back({name, *epoch});
  }
  return found;
}

std::string listed(const std::vector<Candidate>& list) {
  std::vector<std::string> names;
  for (const Candidate& candidate : list) names.push_back(candidate.name);
  return listed_names(names);
}

/// Sets params and epoch of files whose symbol and prefix are set.
void find_params(ModelFiles& files, std::optional<int> epoch) {
  auto found = candidates(files.prefix);
  const auto beside = [&](const std::string& name) {
    return (fs::path(files.prefix).parent_path() / name).string();
  };
  if (epoch) {
    const std::string all = found.empty() ? "there are none" : "there are: " + listed(found);
    std::erase_if(found, [&](const Candidate& candidate) { return candidate.epoch != *epoch; });
    if (found.empty()) {
      fail(ErrorCode::not_found, "no .params file of epoch ", *epoch, " belongs to '",
           printable(files.symbol), "'; ", all);
    }
  }
  if (found.size() > 1) {
    fail(ErrorCode::invalid_argument, "several .params files belong to '", printable(files.symbol),
         "': ", listed(found), "; say which with the epoch, the number in the name");
  }
  if (found.size() == 1) {
    files.params = beside(found[0].name);
    files.epoch = found[0].epoch;
  } else if (is_local_file(files.prefix + std::string(kParamsEnding))) {
    files.params = files.prefix + std::string(kParamsEnding);
  }
}

}  // namespace

ModelFiles with_symbol(const std::string& symbol, const std::string& prefix, std::optional<int> epoch) {
  ModelFiles files;
  files.symbol = symbol;
  files.prefix = prefix;
  find_params(files, epoch);
  const std::string labels = (fs::path(symbol).parent_path() / "synset.txt").string();
  if (is_local_file(labels)) files.labels = labels;
  return files;
}

bool has_params(const std::string& prefix) {
  return !candidates(prefix).empty() || is_local_file(prefix + std::string(kParamsEnding));
}

namespace {

std::string without_ending(const std::string& path, std::string_view ending) {
  return path.substr(0, path.size() - ending.size());
}

std::string without_extension(const std::string& path) {
  return fs::path(path).replace_extension().string();
}

ModelFiles in_archive(const std::string& path) {
  ModelFiles files;
  files.archive = path;
  files.prefix = path;
  return files;
}

std::vector<std::string> archives_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const char* ending : {".mxz", ".mar", ".model", ".tar.gz", ".tgz", ".tar", ".zip"}) {
    for (const std::string& name : files_ending(folder, ending)) names.push_back(name);
  }
  return names;
}

[[noreturn]] void fail_buckets(const std::string& path, const BucketFiles& buckets) {
  fail(ErrorCode::invalid_argument, "'", printable(path), "' is a bucketed model: it has networks for ",
       buckets.symbols.size(), " lengths ('", printable(buckets.symbols.front().second),
       "' ...); load it with BucketedModel::load, or give its path to SequencePredictor");
}

[[noreturn]] void fail_without_symbol(const std::string& subject, const std::string& folder,
                                      const std::vector<std::string>& params) {
  const bool is_gluonts = !files_ending(folder, "-network.json").empty();
  fail(ErrorCode::not_found, subject, " has parameters (", listed_names(params),
       ") but no file that ends in -symbol.json, which describes the network. ",
       advice_for_gluon(is_gluonts));
}

// Skips unreadable files.
FileKind kind_of(const std::string& path) {
  try {
    return recognize_file(*sources::open_file(path));
  } catch (const Error&) {
    return FileKind::unknown;
  }
}

// "model_algo-1", which SageMaker writes, is an archive or a file of arrays. Throws if arrays are all there
// is.
std::vector<std::string> archives_without_ending(const std::string& folder) {
  std::vector<std::string> archives, arrays;
  for (const std::string& name : files_ending(folder, "")) {
    if (name.find('.') != std::string::npos) continue;
    const FileKind kind = kind_of((fs::path(folder) / name).string());
    if (kind == FileKind::archive) archives.push_back(name);
    if (kind == FileKind::arrays) arrays.push_back(name);
  }
  if (archives.empty() && arrays.size() == 1) {
    const std::string path = (fs::path(folder) / arrays[0]).string();
    fail_arrays_alone("'" + printable(path) + "'", sources::open_file(path));
  }
  return archives;
}

ModelFiles in_folder(const std::string& folder, std::optional<int> epoch) {
  if (const auto buckets = find_buckets(folder, epoch)) fail_buckets(folder, *buckets);
  auto symbols = files_ending(folder, kSymbolEnding);
  if (symbols.size() > 1) {
    fail(ErrorCode::invalid_argument, "folder '", printable(folder),
         "' holds several models: ", listed_names(symbols), "; give one of them");
  }
  if (symbols.size() == 1) {
    const std::string symbol = (fs::path(folder) / symbols[0]).string();
    return with_symbol(symbol, without_ending(symbol, kSymbolEnding), epoch);
  }
  const auto params = files_ending(folder, kParamsEnding);
  if (!params.empty()) fail_without_symbol("folder '" + printable(folder) + "'", folder, params);
  auto archives = archives_in(folder);
  if (archives.empty()) archives = archives_without_ending(folder);
  if (archives.size() > 1) {
    fail(ErrorCode::invalid_argument, "folder '", printable(folder),
         "' holds several archives: ", listed_names(archives), "; give one of them");
  }
  if (archives.size() == 1) return in_archive((fs::path(folder) / archives[0]).string());
  fail(ErrorCode::not_found, "folder '", printable(folder),
       "' holds no model: no file there ends in -symbol.json, and none is an archive");
}

// "digits-0003.params": the symbol file is beside it.
ModelFiles of_params(const std::string& path, std::optional<int> epoch) {
  const std::string folder = folder_of(path);
  const std::string name = fs::path(path).filename().string();
  ModelFiles files;
  const auto dash = name.rfind('-');
  std::vector<std::string> bases;
  if (dash != std::string::npos && epoch_in(name, name.substr(0, dash)))
    bases.push_back(name.substr(0, dash));
  bases.push_back(without_ending(name, kParamsEnding));
  for (const std::string& base : bases) {
    const std::string prefix = (fs::path(path).parent_path() / base).string();
    const std::string symbol = prefix + std::string(kSymbolEnding);
    if (!is_local_file(symbol)) continue;
    files = with_symbol(symbol, prefix, epoch ? epoch : epoch_in(name, base));
    if (!epoch) files.params = path;
    return files;
  }
  const auto symbols = files_ending(folder, kSymbolEnding);
  fail(ErrorCode::not_found, "'", printable(path),
       "' holds parameters only; the network would be described by '", printable(bases.front()),
       kSymbolEnding, "' beside it, which is not there",
       symbols.empty() ? std::string() : "; there are: " + listed_names(symbols), ". ",
       advice_for_gluon(!files_ending(folder, "-network.json").empty()));
}

[[noreturn]] void fail_not_found(const std::string& path, std::optional<int> epoch) {
  if (const auto buckets = find_buckets(path, epoch)) fail_buckets(path, *buckets);
  const std::string folder = folder_of(path);
  if (!is_local_folder(folder)) {
    fail(ErrorCode::not_found, "no model '", printable(path), "': the folder '", printable(folder),
         "' does not exist");
  }
  std::vector<std::string> params;
  for (const Candidate& candidate : candidates(path)) params.push_back(candidate.name);
  if (is_local_file(path + std::string(kParamsEnding)))
    params.push_back(fs::path(path).filename().string() + std::string(kParamsEnding));
  if (!params.empty()) fail_without_symbol("'" + printable(path) + "'", folder, params);
  const auto symbols = files_ending(folder, kSymbolEnding);
  fail(ErrorCode::not_found, "no model '", printable(path), "': neither the file '", printable(path),
       kSymbolEnding, "' nor a folder of that name exists",
       symbols.empty() ? std::string()
                       : "; the models in '" + printable(folder) + "' are: " + listed_names(symbols));
}

// A file whose name does not reveal its kind.
ModelFiles by_contents(const std::string& path, std::optional<int> epoch) {
  const std::shared_ptr<const sources::Source> source = sources::open_file(path);
  switch (recognize_file(*source)) {
    case FileKind::archive:
      return in_archive(path);
    case FileKind::symbol:
      return with_symbol(path, without_extension(path), epoch);
    case FileKind::arrays:
      fail_arrays_alone("'" + printable(path) + "'", source);
    case FileKind::unknown:
      break;
  }
  fail_unknown("'" + printable(path) + "'", *source);
}

}  // namespace

void fail_unknown(const std::string& subject, const sources::Source& source) {
  const std::string what = recognize_foreign(first_bytes(source));
  fail(ErrorCode::unsupported, subject, " is ",
       what.empty() ? "not a file that names a model" : what + ". It names no model",
       "; give a model's -symbol.json file, its prefix, the folder that holds it, or an archive (zip, tar, "
       "tar.gz) with the model in it");
}

std::optional<int> epoch_in(std::string_view name, std::string_view base) {
  if (!name.starts_with(base) || !name.ends_with(kParamsEnding)) return std::nullopt;
  name = name.substr(base.size());
  if (name.size() < 5 + kParamsEnding.size() || name[0] != '-') return std::nullopt;
  const std::string_view digits = name.substr(1, name.size() - 1 - kParamsEnding.size());
  if (!std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return std::nullopt;
  int epoch = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), epoch);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return epoch;
}

ModelFiles find_model(const std::string& uri, std::optional<int> epoch) {
  if (uri.empty()) fail(ErrorCode::invalid_argument, "the path of a model is empty");
  if (epoch && *epoch < 0) fail(ErrorCode::invalid_argument, "the epoch is ", *epoch, "; expected 0 or more");
  const std::string path = sources::path_of_file(uri);
  if (path.ends_with(kSymbolEnding) && is_local_file(path))
    return with_symbol(path, without_ending(path, kSymbolEnding), epoch);
  // A prefix may also be the name of a folder beside the files; the files are meant then.
  if (!path.empty() && path.back() != '/' && is_local_file(path + std::string(kSymbolEnding))) {
    return with_symbol(path + std::string(kSymbolEnding), path, epoch);
  }
  if (is_local_folder(path)) return in_folder(path, epoch);
  if (!is_local_file(path)) fail_not_found(path, epoch);
  if (path.ends_with(kParamsEnding)) return of_params(path, epoch);
  if (path.ends_with(".json")) return with_symbol(path, without_ending(path, ".json"), epoch);
  return by_contents(path, epoch);
}

}  // namespace mxinfer::formats
