// AwsConfig: the settings in the environment, ~/.aws/config and ~/.aws/credentials, like those of the AWS
// tools.
//
//   const AwsConfig config("");             // the profile that AWS_PROFILE names, else "default"
//   config.region();                        // "eu-west-1", or empty
//   config.endpoint("s3");                  // "http://127.0.0.1:9000", or empty
//   config.profile_setting("role_arn");
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sources/remote/s3/aws_ini.h"

namespace mxinfer::sources {

/// Empty if it is not set.
std::string environment_variable(const std::string& name);

class AwsConfig {
 public:
  /// Reads both files: those of AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE, if these are set. Without a
  /// profile it is that of AWS_PROFILE or AWS_DEFAULT_PROFILE. Throws Error(invalid_argument) if neither file
  /// has a profile that was named, Error(malformed) for a damaged file.
  explicit AwsConfig(const std::string& profile);

  [[nodiscard]] const std::string& profile() const { return profile_; }
  /// The settings of both files; nullptr if neither has it.
  [[nodiscard]] const AwsSection* find_profile(const std::string& name) const;
  /// Of profile(); empty if it is not there.
  [[nodiscard]] std::string profile_setting(std::string_view name) const;
  /// As find_profile. Throws Error(invalid_argument), which lists those that there are.
  [[nodiscard]] const AwsSection& require_profile(const std::string& name, std::string_view named_by) const;

  /// AWS_REGION, AWS_DEFAULT_REGION, or the profile's; empty if none says it.
  [[nodiscard]] std::string region() const;
  /// Of "s3" or "sts": AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, or the profile's; empty if none says it, or
  /// they are to be ignored.
  [[nodiscard]] std::string endpoint(std::string_view service) const;
  /// true, false: the profile's s3.addressing_style is "path", "virtual".
  [[nodiscard]] std::optional<bool> path_style() const;
  /// Both files and their problems, for messages.
  [[nodiscard]] const std::string& files() const { return files_; }

 private:
  [[nodiscard]] std::string profile_endpoint(std::string_view service) const;
  AwsSections read(const std::string& path);

  std::string profile_;
  AwsSections profiles_;
  AwsSections services_;
  std::string files_;
};

/// "true", in any letters.
bool says_true(std::string_view text);

/// A file's text without blanks at its ends. Throws Error(invalid_argument) if there is none; `named_by` says
/// what named the file.
std::string token_in_file(const std::string& path, std::string_view named_by);

/// The value, or empty.
std::string value_of(const AwsSection& section, std::string_view name);

}  // namespace mxinfer::sources
