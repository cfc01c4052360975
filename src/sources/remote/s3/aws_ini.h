// The format of ~/.aws/config and ~/.aws/credentials, as botocore reads it:
//
//   [profile models]
//   region = eu-west-1
//   # a comment has a line of its own
//   s3 =
//     addressing_style = path
//
//   parse_aws_ini(text, path)["profile models"]["s3.addressing_style"];  // "path"
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace mxinfer::sources {

/// Values by names in small letters; those that are nested in another have its name and a dot in front.
using AwsSection = std::map<std::string, std::string, std::less<>>;
/// By what stands in the brackets.
using AwsSections = std::map<std::string, AwsSection, std::less<>>;

/// Of a section or a setting that is there twice, the later one counts. Throws Error(malformed) with the path
/// and the line's number, but nothing of the line: secrets are in these files.
AwsSections parse_aws_ini(std::string_view text, const std::string& path);

}  // namespace mxinfer::sources
