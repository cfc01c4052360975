// Class names: synset.txt beside a model, one a line; line i is the name of class i.
#pragma once

#include <string>
#include <vector>

#include "sources/source.h"

namespace mxinfer::formats {

/// The lines, without line ends (either kind) and without empty lines at the end. Throws Error(malformed)
/// if the text is not UTF-8, Error(invalid_argument) if it is unreasonably large.
std::vector<std::string> read_labels(const sources::Source& source);

}  // namespace mxinfer::formats
