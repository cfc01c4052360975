// Recognises a file by its first bytes.
//
//   if (begins_like_params(first_bytes(*source))) ...
#pragma once

#include <string>
#include <string_view>

#include "sources/source.h"

namespace mxinfer::formats {

/// The first 64 bytes, or all of a smaller file.
std::string first_bytes(const sources::Source& source);

/// A .params or .nd file of MXNet.
bool begins_like_params(std::string_view bytes);
/// A .npy file.
bool begins_like_npy(std::string_view bytes);
/// A zip archive, a .npz file among them.
bool begins_like_zip(std::string_view bytes);
/// A JSON object, as a symbol file is, behind white space or not.
bool begins_like_json(std::string_view bytes);

}  // namespace mxinfer::formats
