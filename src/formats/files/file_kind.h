// Recognises a file by its contents if its name does not reveal its kind.
//
//   if (recognize_file(*source) == FileKind::arrays) fail_arrays_alone("'model_algo-1'", source);
#pragma once

#include <memory>
#include <string>

#include "formats/arrays/named_array.h"
#include "sources/source.h"

namespace mxinfer::formats {

enum class FileKind {
  archive,  ///< zip, tar or tar.gz: a model may be in it
  symbol,   ///< JSON text
  arrays,   ///< of MXNet (.params, .nd) or NumPy (.npy)
  unknown,
};

/// Goes by the first bytes.
FileKind recognize_file(const sources::Source& source);

/// Throws Error(unsupported), or Error(not_found) if it is parameters whose network is missing: what the
/// arrays are, as far as their names and shapes tell, and what can be done with them. `subject` begins the
/// message:
/// "'model_algo-1'". Error(malformed) if the file is damaged.
[[noreturn]] void fail_arrays_alone(const std::string& subject,
                                    const std::shared_ptr<const sources::Source>& source);

/// What to do about parameters that Gluon saved without a network, as the end of a message. `is_gluonts`:
/// they are in the folder of a predictor of GluonTS.
std::string advice_for_gluon(bool is_gluonts);

/// Whether it is the name of the file in which GluonTS describes the classes of a network.
bool is_gluonts_network(const std::string& name);

}  // namespace mxinfer::formats
