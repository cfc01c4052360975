#include "sources/remote/s3/aws_key_search.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/fail.h"
#include "sources/remote/s3/aws_config.h"
#include "sources/remote/s3/aws_metadata.h"
#include "sources/remote/s3/aws_sts.h"

namespace mxinfer::sources {
namespace {

using FoundKeys = std::optional<ExpiringKeys>;

AwsKeys keys_of_options(const S3Options& options) {
  return {options.access_key_id, options.secret_access_key, options.session_token};
}

/// AWS_SECURITY_TOKEN and aws_security_token are what session tokens were once called.
AwsKeys keys_of_environment() {
  AwsKeys keys{environment_variable("AWS_ACCESS_KEY_ID"), environment_variable("AWS_SECRET_ACCESS_KEY"),
               environment_variable("AWS_SESSION_TOKEN")};
  if (keys.session_token.empty()) keys.session_token = environment_variable("AWS_SECURITY_TOKEN");
  return keys;
}

AwsKeys keys_of_section(const AwsSection& section) {
  AwsKeys keys{value_of(section, "aws_access_key_id"), value_of(section, "aws_secret_access_key"),
               value_of(section, "aws_session_token")};
  if (keys.session_token.empty()) keys.session_token = value_of(section, "aws_security_token");
  return keys;
}

/// Nothing, if there is neither of the two.
FoundKeys checked(const AwsKeys& keys, const std::string& where) {
  if (keys.access_key_id.empty() && keys.secret_access_key.empty()) return std::nullopt;
  check_keys(keys, where);
  return ExpiringKeys{keys};
}

/// The profile of a configuration, and those that it leads to.
class ProfileKeys {
 public:
  ProfileKeys(const RemoteOptions& options, HttpPool& pool, const AwsConfig& config, UtcTime now)
      : options_(options), pool_(pool), config_(config), now_(now) {}

  FoundKeys of_profile(const std::string& name) {
    const AwsSection* const section = config_.find_profile(name);
    if (section == nullptr) return std::nullopt;
    visited_.push_back(name);
    if (!value_of(*section, "role_arn").empty()) return of_role(name, *section);
    if (auto keys = checked(keys_of_section(*section), named(name))) return keys;
    refuse_programs(name, *section);
    return std::nullopt;
  }

 private:
  static std::string named(const std::string& profile) {
    return concat("the profile '", printable(profile), "'");
  }

  FoundKeys of_role(const std::string& name, const AwsSection& section) {
    const AssumedRole role{value_of(section, "role_arn"), value_of(section, "role_session_name"),
                           value_of(section, "external_id"), value_of(section, "duration_seconds")};
    const Sts sts(options_, pool_, config_);
    if (const std::string path = value_of(section, "web_identity_token_file"); !path.empty())
      return sts.assume_role_with_web_identity(role, token_in_file(path, "web_identity_token_file"));
    if (!value_of(section, "mfa_serial").empty()) refuse(name, "the code of a second factor (mfa_serial)");
    return sts.assume_role(role, source_of(name, section), now_);
  }

  /// The keys that a role is asked for with.
  AwsKeys source_of(const std::string& name, const AwsSection& section) {
    const std::string profile = value_of(section, "source_profile");
    const std::string source = value_of(section, "credential_source");
    if (profile.empty() == source.empty()) {
      fail(ErrorCode::invalid_argument, named(name), " has a role_arn, and ",
           profile.empty() ? "neither" : "both",
           " source_profile and credential_source; expected one of them, which says whose keys ask for the "
           "role");
    }
    return profile.empty() ? of_source(name, source) : of_source_profile(name, profile);
  }

  AwsKeys of_source_profile(const std::string& name, const std::string& source) {
    const AwsSection& section = config_.require_profile(source, concat("source_profile of ", named(name)));
    // A profile may lead to itself, and a role's source may be a role itself if it has no keys.
    if (auto keys = checked(keys_of_section(section), named(source))) return keys->keys;
    if (std::find(visited_.begin(), visited_.end(), source) != visited_.end()) {
      fail(ErrorCode::invalid_argument, "source_profile of ", named(name), " leads back to '",
           printable(source), "': no profile on the way has keys");
    }
    if (auto keys = of_profile(source)) return keys->keys;
    fail(ErrorCode::invalid_argument, named(source), ", which is source_profile of ", named(name),
         ", has no keys in ", config_.files());
  }

  AwsKeys of_source(const std::string& name, const std::string& source) {
    const std::string where = concat("credential_source = ", printable(source), " of ", named(name));
    if (source == "Environment") {
      if (auto keys = checked(keys_of_environment(), "the environment")) return keys->keys;
      fail(ErrorCode::invalid_argument, where, ": AWS_ACCESS_KEY_ID is not set");
    }
    if (source == "EcsContainer") {
      if (const auto request = container_request()) return container_keys(options_, pool_, *request).keys;
      fail(ErrorCode::invalid_argument, where, ": AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is not set");
    }
    if (source == "Ec2InstanceMetadata") {
      std::string why;
      if (const auto keys = instance_keys(pool_, config_, why)) return keys->keys;
      fail(ErrorCode::network, where, kTrail, why);
    }
    fail(ErrorCode::invalid_argument, where,
         " is not one of Environment, EcsContainer and Ec2InstanceMetadata");
  }

  static void refuse_programs(const std::string& name, const AwsSection& section) {
    if (!value_of(section, "credential_process").empty())
      refuse(name, "another program (credential_process)");
    for (const char* setting : {"sso_session", "sso_start_url", "sso_account_id", "login_session"}) {
      if (!value_of(section, setting).empty()) refuse(name, concat("a login with a browser (", setting, ")"));
    }
  }

  [[noreturn]] static void refuse(const std::string& name, const std::string& what) {
    fail(ErrorCode::unsupported, named(name), " needs ", what,
         ", which mxinfer does not support; put its keys into the environment with the AWS tools: eval "
         "\"$(aws configure export-credentials --profile '",
         printable(name), "' --format env)\"");
  }

  const RemoteOptions& options_;
  HttpPool& pool_;
  const AwsConfig& config_;
  UtcTime now_;
  std::vector<std::string> visited_;
};

FoundKeys keys_of_web_identity(const RemoteOptions& options, HttpPool& pool, const AwsConfig& config) {
  const std::string path = environment_variable("AWS_WEB_IDENTITY_TOKEN_FILE");
  if (path.empty()) return std::nullopt;
  const std::string arn = environment_variable("AWS_ROLE_ARN");
  if (arn.empty()) {
    fail(ErrorCode::invalid_argument,
         "AWS_WEB_IDENTITY_TOKEN_FILE is set, but not AWS_ROLE_ARN, which names the role that the token is "
         "for");
  }
  return Sts(options, pool, config)
      .assume_role_with_web_identity({arn, environment_variable("AWS_ROLE_SESSION_NAME")},
                                     token_in_file(path, "AWS_WEB_IDENTITY_TOKEN_FILE"));
}

}  // namespace

ExpiringKeys find_aws_keys(const RemoteOptions& options, HttpPool& pool, UtcTime now) {
  if (auto keys = checked(keys_of_options(options.s3), "S3Options")) return *keys;
  const AwsConfig config(options.s3.profile);
  if (options.s3.profile.empty()) {
    if (auto keys = checked(keys_of_environment(), "the environment (AWS_ACCESS_KEY_ID, ...)")) return *keys;
    if (auto keys = keys_of_web_identity(options, pool, config)) return *keys;
  }
  if (auto keys = ProfileKeys(options, pool, config, now).of_profile(config.profile())) return *keys;
  if (const auto request = container_request()) return container_keys(options, pool, *request);
  std::string why;
  if (auto keys = instance_keys(pool, config, why)) return *keys;
  fail(ErrorCode::invalid_argument, "no credentials for s3:// were found. Looked at: S3Options, ",
       options.s3.profile.empty() ? "AWS_ACCESS_KEY_ID and AWS_WEB_IDENTITY_TOKEN_FILE in the environment, "
                                  : "",
       "the profile '", printable(config.profile()), "' in ", config.files(),
       ", AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and _FULL_URI, EC2's metadata (", why,
       "). Put them in one of these places; for a public bucket, set S3Options::anonymous");
}

}  // namespace mxinfer::sources
