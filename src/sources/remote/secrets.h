// Words of a server that may repeat what was sent to it, made fit to be shown.
#pragma once

#include <string>
#include <vector>

namespace mxinfer::sources {

/// The text with "..." in the place of each secret, where it stands whole. Those of less than four characters
/// are left: they may be parts of any word.
std::string without_secrets(std::string text, const std::vector<std::string>& secrets);

/// What of a request is nobody else's: the name, the password and the values of the query in its address, the
/// values of headers and their words.
std::vector<std::string> secrets_of(const std::string& address, const std::vector<std::string>& headers);

}  // namespace mxinfer::sources
