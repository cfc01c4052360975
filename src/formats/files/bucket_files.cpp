#include "formats/files/bucket_files.h"

#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <system_error>

#include "base/fail.h"
#include "formats/arrays/params.h"
#include "formats/files/listed_names.h"
#include "formats/files/local_files.h"
#include "formats/files/model_files.h"
#include "sources/address.h"
#include "sources/source.h"

namespace mxinfer::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSymbolOfKey = "-symbol.json";
constexpr std::string_view kBuckets = ".buckets";
constexpr std::int64_t kMostBuckets = 4096;

/// "lstm-10-symbol.json" as ("lstm", 10).
std::optional<std::pair<std::string, std::int64_t>> split_key(std::string_view name) {
  if (!name.ends_with(kSymbolOfKey)) return std::nullopt;
  name.remove_suffix(kSymbolOfKey.size());
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || dash == 0) return std::nullopt;
  const std::string_view digits = name.substr(dash + 1);
  std::int64_t key = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), key);
  if (error != std::errc() || end != digits.data() + digits.size() || key < 1 || digits[0] == '0')
    return std::nullopt;
  return std::pair(std::string(name.substr(0, dash)), key);
}

/// The keys of all symbol files in a folder, by prefix.
std::map<std::string, std::set<std::int64_t>> keys_in(const std::string& folder) {
  std::map<std::string, std::set<std::int64_t>> keys;
  for (const std::string& name : files_ending(folder, kSymbolOfKey)) {
    if (const auto split = split_key(name)) keys[split->first].insert(split->second);
  }
  return keys;
}

std::set<std::int64_t> read_keys(const std::string& path) {
  return in_context([&] { return printable(path); },
                    [&] {
                      const auto arrays = read_params(*sources::open_file(path));
                      if (arrays.size() != 1 || arrays[0].tensor.dtype() != DType::int32 ||
                          arrays[0].tensor.elements() < 1 || arrays[0].tensor.elements() > kMostBuckets) {
                        fail(ErrorCode::malformed,
                             "expected the keys of the buckets: one array of int32 with 1 to ", kMostBuckets,
                             " keys");
                      }
                      std::set<std::int64_t> keys;
                      for (const std::int32_t key : arrays[0].tensor.span<std::int32_t>()) {
                        if (key < 1 || !keys.insert(key).second)
                          fail(ErrorCode::malformed, "the key ", key,
                               " appears twice or is below 1; the keys of buckets are lengths");
                      }
                      return keys;
                    });
}

BucketFiles with_keys(const std::string& prefix, const std::set<std::int64_t>& keys,
                      std::optional<int> epoch) {
  BucketFiles files;
  files.prefix = prefix;
  for (const std::int64_t key : keys) {
    const std::string symbol = concat(prefix, "-", key, kSymbolOfKey);
    if (!is_local_file(symbol)) {
      fail(ErrorCode::not_found, "the bucketed model '", printable(prefix), "' has a bucket of key ", key,
           ", but its network '", printable(symbol), "' does not exist");
    }
    files.symbols.emplace_back(key, symbol);
  }
  const ModelFiles found = with_symbol(files.symbols.front().second, prefix, epoch);
  if (found.params.empty()) {
    fail(ErrorCode::not_found, "the bucketed model '", printable(prefix), "' has no parameters: expected '",
         printable(prefix), "-0000.params', with any four digits, beside its networks");
  }
  files.params = found.params;
  files.labels = found.labels;
  return files;
}

std::optional<BucketFiles> of_prefix(const std::string& prefix, std::optional<int> epoch) {
  const std::string list = prefix + std::string(kBuckets);
  if (is_local_file(list)) return with_keys(prefix, read_keys(list), epoch);
  if (is_local_file(prefix + std::string(kSymbolOfKey)) || !has_params(prefix)) return std::nullopt;
  auto keys = keys_in(folder_of(prefix));
  const auto found = keys.find(fs::path(prefix).filename().string());
  if (found == keys.end()) return std::nullopt;
  return with_keys(prefix, found->second, epoch);
}

std::optional<BucketFiles> in_this_folder(const std::string& folder, std::optional<int> epoch) {
  std::set<std::string> bases;
  for (const std::string& name : files_ending(folder, kBuckets))
    bases.insert(name.substr(0, name.size() - kBuckets.size()));
  for (const auto& [base, keys] : keys_in(folder)) {
    if (keys.size() > 1 && has_params((fs::path(folder) / base).string())) bases.insert(base);
  }
  if (bases.empty()) return std::nullopt;
  if (bases.size() > 1) {
    fail(ErrorCode::invalid_argument, "folder '", printable(folder),
         "' holds several bucketed models: ", listed_names({bases.begin(), bases.end()}),
         "; give the prefix of one of them");
  }
  return of_prefix((fs::path(folder) / *bases.begin()).string(), epoch);
}

}  // namespace

std::optional<BucketFiles> find_buckets(const std::string& uri, std::optional<int> epoch) {
  if (uri.empty() || sources::is_remote(uri)) return std::nullopt;
  std::string path = sources::path_of_file(uri);
  if (path.ends_with(kBuckets) && is_local_file(path)) path.resize(path.size() - kBuckets.size());
  if (!path.empty() && path.back() != '/') {
    if (auto files = of_prefix(path, epoch)) return files;
  }
  return is_local_folder(path) ? in_this_folder(path, epoch) : std::nullopt;
}

}  // namespace mxinfer::formats
