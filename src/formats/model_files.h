// Which files a model consists of.
//
//   ModelFiles files = find_model("models/digits", {});     // digits-symbol.json, digits-0000.params,
//   synset.txt
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::formats {

struct ModelFiles {
  std::string symbol;
  std::string params;  ///< empty if there is none: a network without parameters
  std::string labels;  ///< synset.txt in the same folder; empty if there is none
  std::string prefix;  ///< the path of the symbol file without "-symbol.json"
  std::optional<int> epoch;
  /// An archive that holds the model, or a bundle; the others are then empty.
  std::string archive;
};

/// "digits-0003.params" of "digits" is epoch 3; names with fewer than four digits are another model's.
std::optional<int> epoch_in(std::string_view name, std::string_view base);

/// Names of the files in a folder that end so, sorted.
std::vector<std::string> files_ending(const std::string& folder, std::string_view ending);

/// Sets params and epoch of files whose symbol and prefix are set. Throws as find_model.
void find_params(ModelFiles& files, std::optional<int> epoch);

/// Finds the files of a model given as a prefix ("models/digits" for models/digits-symbol.json), as one of
/// its two files, as an archive that holds them, or as the folder that holds it; "file://" may stand in
/// front. Without an epoch the one .params file there is is taken. Throws Error(not_found) saying what was
/// looked for, Error(invalid_argument) listing the candidates if there are several.
ModelFiles find_model(const std::string& uri, std::optional<int> epoch);

}  // namespace mxinfer::formats
