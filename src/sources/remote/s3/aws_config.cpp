#include "sources/remote/s3/aws_config.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/fail.h"
#include "base/text/suggest.h"
#include "sources/source.h"

namespace mxinfer::sources {
namespace {

constexpr std::int64_t kMostOfConfig = 4 << 20;
constexpr std::string_view kKeys[] = {"aws_access_key_id", "aws_secret_access_key", "aws_session_token",
                                      "aws_security_token"};

std::string home_folder() {
  if (const std::string home = environment_variable("HOME"); !home.empty()) return home;
  std::vector<char> memory(16 << 10);
  passwd entry{};
  passwd* found = nullptr;
  const int error = ::getpwuid_r(::getuid(), &entry, memory.data(), memory.size(), &found);
  return error == 0 && found != nullptr ? found->pw_dir : std::string();
}

std::string path_of_config(const char* variable_name, const char* usual) {
  const std::string named = environment_variable(variable_name);
  const std::string path = named.empty() ? usual : named;
  return path == "~" || path.starts_with("~/") ? home_folder() + path.substr(1) : path;
}

/// "models" of "profile models" or 'profile "models"'; empty for other sections.
std::string name_behind(const std::string& header, const std::string& kind) {
  if (!header.starts_with(kind)) return {};
  const std::size_t first = header.find_first_not_of(" \t", kind.size());
  if (first == std::string::npos || first == kind.size()) return {};
  const std::string name = header.substr(first);
  const bool is_quoted =
      name.size() > 1 && (name[0] == '"' || name[0] == '\'') && name.find(name[0], 1) == name.size() - 1;
  if (is_quoted) return name.substr(1, name.size() - 2);
  return name.find_first_of(" \t") == std::string::npos ? name : std::string();
}

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

/// The settings of the credentials' file count, and its keys are not mixed with others.
void add_credentials(AwsSection& profile, const AwsSection& credentials) {
  if (credentials.count("aws_access_key_id") > 0) {
    for (const std::string_view key : kKeys) profile.erase(std::string(key));
  }
  for (const auto& [name, value] : credentials) profile[name] = value;
}

}  // namespace

std::string environment_variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::string() : value;
}

bool says_true(std::string_view text) {
  constexpr std::string_view kTrue = "true";
  return std::equal(text.begin(), text.end(), kTrue.begin(), kTrue.end(),
                    [](char a, char b) { return a == b || a == b - 'a' + 'A'; });
}

std::string value_of(const AwsSection& section, std::string_view name) {
  const auto found = section.find(name);
  return found == section.end() ? std::string() : found->second;
}

std::string token_in_file(const std::string& path, std::string_view named_by) {
  try {
    const std::string text = read_text(*open_file(path, "it"), kMostOfConfig);
    const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    std::string token = text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
    if (!token.empty()) return token;
  } catch (const Error& e) {
    if (e.code() != ErrorCode::not_found) throw;
    fail(ErrorCode::invalid_argument, "the token in '", printable(path), "' (", named_by, ") is needed, but ",
         e.what());
  }
  fail(ErrorCode::invalid_argument, "the token in '", printable(path), "' (", named_by,
       ") is needed, but the file is empty");
}

AwsConfig::AwsConfig(const std::string& profile) {
  for (const auto& [header, section] : read(path_of_config("AWS_CONFIG_FILE", "~/.aws/config"))) {
    const std::string name = header == "default" ? header : name_behind(header, "profile");
    for (const auto& [setting, value] : section) {
      if (!name.empty()) profiles_[name][setting] = value;
    }
    if (!name.empty()) profiles_[name];  // it is there without settings too
    if (const std::string services = name_behind(header, "services"); !services.empty())
      services_[services] = section;
  }
  const auto credentials = read(path_of_config("AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials"));
  for (const auto& [name, section] : credentials) add_credentials(profiles_[name], section);

  profile_ = profile;
  std::string named_by = "S3Options::profile";
  for (const char* name : {"AWS_PROFILE", "AWS_DEFAULT_PROFILE"}) {
    if (!profile_.empty()) break;
    profile_ = environment_variable(name);
    named_by = name;
  }
  if (profile_.empty()) profile_ = "default";
  if (profile_ != "default") static_cast<void>(require_profile(profile_, named_by));
}

AwsSections AwsConfig::read(const std::string& path) {
  std::string flaw;
  AwsSections sections;
  try {
    sections = parse_aws_ini(read_text(*open_file(path, "it"), kMostOfConfig), path);
  } catch (const Error& e) {
    if (e.code() != ErrorCode::not_found) throw;
    flaw = e.what();  // it need not be there, and may be /dev/null
  }
  files_ += concat(files_.empty() ? "'" : " and '", printable(path), "'");
  if (!flaw.empty()) files_ += concat(" (", flaw, ")");
  return sections;
}

const AwsSection* AwsConfig::find_profile(const std::string& name) const {
  const auto found = profiles_.find(name);
  return found == profiles_.end() ? nullptr : &found->second;
}

const AwsSection& AwsConfig::require_profile(const std::string& name, std::string_view named_by) const {
  if (const AwsSection* const found = find_profile(name)) return *found;
  std::vector<std::string> names;
  std::string list;
  for (const auto& [known, section] : profiles_) {
    names.push_back(printable(known));
    list += (list.empty() ? "; there are: " : ", ") + names.back();
  }
  fail(ErrorCode::invalid_argument, "the profile '", printable(name), "' that ", named_by,
       " names is not in ", files_, did_you_mean(name, names), list.empty() ? "; there is none" : list);
}

std::string AwsConfig::profile_setting(std::string_view name) const {
  const AwsSection* const section = find_profile(profile_);
  return section == nullptr ? std::string() : value_of(*section, name);
}

std::string AwsConfig::region() const {
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    if (std::string region = environment_variable(name); !region.empty()) return region;
  }
  return profile_setting("region");
}

std::string AwsConfig::endpoint(std::string_view service) const {
  const std::string ignore = environment_variable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS");
  if (says_true(ignore.empty() ? profile_setting("ignore_configured_endpoint_urls") : ignore)) return {};
  for (const std::string& name :
       {"AWS_ENDPOINT_URL_" + upper_case(service), std::string("AWS_ENDPOINT_URL")}) {
    if (std::string endpoint = environment_variable(name); !endpoint.empty()) return endpoint;
  }
  return profile_endpoint(service);
}

std::string AwsConfig::profile_endpoint(std::string_view service) const {
  const std::string name = profile_setting("services");
  if (!name.empty()) {
    const auto found = services_.find(name);
    if (found == services_.end()) {
      fail(ErrorCode::invalid_argument, "the profile '", printable(profile_), "' names the services '",
           printable(name), "', but there is no section [services ", printable(name), "] in ", files_);
    }
    std::string endpoint = value_of(found->second, concat(service, ".endpoint_url"));
    if (!endpoint.empty()) return endpoint;
  }
  return profile_setting("endpoint_url");
}

std::optional<bool> AwsConfig::path_style() const {
  const std::string style = profile_setting("s3.addressing_style");
  if (style == "path") return true;
  if (style == "virtual") return false;
  return std::nullopt;
}

}  // namespace mxinfer::sources
