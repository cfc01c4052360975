// Addresses: "scheme://authority/path?query#fragment".
//
//   const Address address = parse_address("s3://models/resnet18_v1?versionId=3#sha256=9f86...");
//   address.scheme;      // "s3"
//   address.authority;   // "models"
//   address.path;        // "/resnet18_v1"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::sources {

struct Address {
  std::string scheme;  ///< in lower case
  std::string authority;
  std::string path;      ///< as it stands there; empty, or with a "/" in front
  std::string query;     ///< without the "?"
  std::string fragment;  ///< without the "#"
};

/// Whether the text begins with a scheme: letters, digits, "+", "-" and "." before "://".
bool has_scheme(std::string_view text);

/// Whether the text is an address that is not a file's.
bool is_remote(std::string_view text);

/// Precondition: has_scheme. Throws Error(invalid_argument) for control characters and spaces, and for a ':'
/// that is not followed by a port but by a later '@': that may be an unencoded password, which would be
/// parsed as a path.
Address parse_address(std::string_view text);
std::string to_string(const Address& address);

/// For messages, logs and names: without user name and password, and with only the names of the query,
/// because signed addresses carry their secret there. Keeps the versionId of s3://, without which the address
/// leads to another file. Drops everything behind the scheme if it may contain an unencoded password.
std::string shown(std::string_view address);

/// The path of a file:// address, or the text as it is if it has no scheme. Throws Error(invalid_argument)
/// for another machine's file, and for other addresses.
std::string path_of_file(const std::string& text);

/// Decodes "%2F" as "/". Leaves everything else unchanged.
std::string percent_decoded(std::string_view text);
/// Everything but letters, digits, "-", ".", "_", "~" and what is in `kept` as "%XX".
std::string percent_encoded(std::string_view text, std::string_view kept = {});

/// Encodes a file's name for the end of an address: characters that are not allowed or have a meaning there
/// become "%XX".
std::string name_in_address(std::string_view name);

/// The digests of "#sha256=A,B". Throws Error(invalid_argument) for another fragment.
std::vector<std::string> digests_in(const Address& address);

}  // namespace mxinfer::sources
