// Removes secrets from a server's text, which may echo the request.
#pragma once

#include <string>
#include <vector>

namespace mxinfer::sources {

/// Replaces each whole secret in the text by "...". Keeps secrets of less than four characters, which may be
/// parts of any word.
std::string without_secrets(std::string text, const std::vector<std::string>& secrets);

/// The secrets of a request: the name, the password and the values of the query in its address, and the
/// values of headers and their words.
std::vector<std::string> secrets_of(const std::string& address, const std::vector<std::string>& headers);

}  // namespace mxinfer::sources
