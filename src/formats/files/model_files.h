// Finds the files of a model.
//
//   ModelFiles files = find_model("models/digits", {});     // digits-symbol.json, digits-0000.params,
//   synset.txt
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sources/source.h"

namespace mxinfer::formats {

struct ModelFiles {
  std::string symbol;
  std::string params;  ///< empty if there is none: a network without parameters
  std::string labels;  ///< synset.txt in the same folder; empty if there is none
  std::string prefix;  ///< the path of the symbol file without "-symbol.json"
  std::optional<int> epoch;
  /// An archive that holds the model, or a bundle; the other members are then empty.
  std::string archive;
};

/// "digits-0003.params" of "digits" is epoch 3; names with fewer than four digits are another model's.
std::optional<int> epoch_in(std::string_view name, std::string_view base);

/// Whether there are parameters of a prefix, of any epoch.
bool has_params(const std::string& prefix);

/// The files of a network whose symbol file is known: the parameters of the prefix, and labels beside it.
/// Throws as find_model.
ModelFiles with_symbol(const std::string& symbol, const std::string& prefix, std::optional<int> epoch);

/// Finds the files of a model given as a prefix ("models/digits" for models/digits-symbol.json), as one of
/// its two files, as an archive that holds them, or as the folder that holds it; "file://" may stand in
/// front. If a file's name does not reveal its kind, its contents do. Without an epoch, the only .params file
/// is used. Throws Error(not_found) with the names tried, Error(invalid_argument) with the candidates if
/// there are several.
ModelFiles find_model(const std::string& uri, std::optional<int> epoch);

/// Throws Error(unsupported) that says what the file seems to be, if anything, and what names a model.
/// `subject` begins the message: "'weights.h5'".
[[noreturn]] void fail_unknown(const std::string& subject, const sources::Source& source);

}  // namespace mxinfer::formats
