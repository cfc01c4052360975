#include "cli/options/address_options.h"

#include <mxinfer/settings.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>

#include "cli/options/named_settings.h"
#include "cli/options/options.h"
#include "cli/options/value_checks.h"
#include "cli/output/output.h"
#include "cli/output/transfer_bar.h"
#include "cli/output/usage_error.h"

namespace mxinfer::cli {
namespace {

struct Secret {
  std::string_view setting, variable;
};

/// Settings that must not be on a command line, and the environment variables to use instead.
constexpr std::array<Secret, 4> kSecrets = {{{"s3_access_key_id", "AWS_ACCESS_KEY_ID"},
                                             {"s3_secret_access_key", "AWS_SECRET_ACCESS_KEY"},
                                             {"s3_session_token", "AWS_SESSION_TOKEN"},
                                             {"hdfs_delegation_token", "HADOOP_TOKEN"}}};

const Secret* secret_named(std::string_view name) {
  const auto* const found = std::find_if(kSecrets.begin(), kSecrets.end(),
                                         [&](const Secret& secret) { return secret.setting == name; });
  return found == kSecrets.end() ? nullptr : found;
}

std::vector<std::string> settings_of_addresses() {
  std::vector<std::string> names;
  for (const SettingInfo& info : settings_known()) {
    if (info.is_for_addresses && secret_named(info.name) == nullptr) names.emplace_back(info.name);
  }
  return names;
}

void apply(Settings& settings, const std::string& text) {
  const std::string name = text.substr(0, text.find('='));
  if (const Secret* const secret = secret_named(name)) {
    throw UsageError("--remote does not accept " + name +
                     ", because other users of this machine can read command lines: set " +
                     std::string(secret->variable) + " in the environment instead");
  }
  set_by_name(settings, "--remote", text, settings_of_addresses());
}

CachePolicy cache_policy(const std::string& name) {
  for (const CachePolicy policy : {CachePolicy::refresh, CachePolicy::offline, CachePolicy::none}) {
    if (name == to_string(policy)) return policy;
  }
  return CachePolicy::use;
}

}  // namespace

void add_address_options(CLI::App& command, AddressOptions& options) {
  const auto add = [&](const char* name, auto& value, const char* type, const std::string& text) {
    return command.add_option(name, value, text)->group(kLoadingGroup)->type_name(type);
  };
  add("--sha256", options.sha256, "DIGEST",
      "Require each file of the model to have this SHA-256 checksum, or that of another --sha256; may be "
      "repeated")
      ->allow_extra_args(false);
  one_of(add("--cache", options.cache, "NAME",
             "For addresses, how to use the copies on disk: use (default: unless the server has a newer "
             "file), refresh (fetch every file again), offline (use copies only) or none (keep no copies)"),
         {"use", "refresh", "offline", "none"});
  add("--header", options.headers, "LINE",
      "For addresses, send this HTTP header, such as 'Authorization: Bearer TOKEN'; may be repeated")
      ->allow_extra_args(false);
  add("--remote", options.settings, "NAME=VALUE",
      "For addresses, set another download option, such as retries=0 or connect_timeout=2000; may be "
      "repeated. docs/reference/options.md lists them. Keys and tokens of S3 and HDFS are read from the "
      "environment only")
      ->allow_extra_args(false);
}

RemoteOptions remote_options(const AddressOptions& options) {
  Settings settings;
  for (const std::string& text : options.settings) apply(settings, text);
  RemoteOptions remote = settings.load_options().remote;
  if (!options.cache.empty()) remote.cache = cache_policy(options.cache);
  remote.headers.insert(remote.headers.end(), options.headers.begin(), options.headers.end());
  remote.progress = show_transfers();
  return remote;
}

}  // namespace mxinfer::cli
