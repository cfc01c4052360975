// MXNet's .params files (and .nd files, the same thing): arrays by name.
//
//   auto source = sources::open_file("digits-0000.params");
//   for (const NamedArray& array : formats::read_params(*source)) ... array.name ("arg:fc1_weight"),
//   array.tensor ...
//
// Every record that MXNet 0.7 to 2.0 wrote is read, sparse ones as dense arrays; so are .npz and .npy files,
// which MXNet 2 writes under the same name. The container has no checksum: a wrong byte among the elements
// cannot be noticed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/arrays/named_array.h"
#include "sources/source.h"

namespace mxinfer::formats {

/// The limits of a file; exceeding them is Error(malformed).
struct ParamsLimits {
  std::int64_t arrays = 262'144;
  std::int64_t name_bytes = 65'536;
  /// All bytes of an array in one file, however large, must be in the file; sparse arrays and .npz members
  /// however unpack to more than the file has: in all to no more than `unpacked_bytes`, and to no more than
  /// `ratio` times the file beyond `free_bytes`.
  std::int64_t unpacked_bytes = std::int64_t{4} << 30;
  std::int64_t ratio = 100;
  std::int64_t free_bytes = std::int64_t{256} << 20;
};

/// The total size to which sparse arrays or members of a file of that size may unpack.
std::int64_t unpacked_limit(std::int64_t file_bytes, const ParamsLimits& limits);

/// The arrays in the order of the file, with their whole names; names are empty if the file has none. An
/// array that the file states to be "none" has shape (0,). Throws Error(malformed) with the file, the array
/// and the byte. Appends harmless oddities to `warnings`.
std::vector<NamedArray> read_params(const sources::Source& source, const ParamsLimits& limits = {},
                                    std::vector<std::string>* warnings = nullptr);

/// The same, but reads the elements of large arrays from `source` on demand (Parameter). Checks now that they
/// are present, by the size of the file.
std::vector<NamedParameter> index_params(const std::shared_ptr<const sources::Source>& source,
                                         const ParamsLimits& limits = {},
                                         std::vector<std::string>* warnings = nullptr);

/// index_params, or read_params with all elements `at_once`.
std::vector<NamedParameter> load_params(const std::shared_ptr<const sources::Source>& source, bool at_once,
                                        std::vector<std::string>* warnings);

/// "arg:fc1_weight" as ("arg", "fc1_weight"); the prefix is empty if there is no colon.
struct SplitName {
  std::string_view prefix, bare;
};
SplitName split_name(std::string_view name);

/// Whether a prefix is one that MXNet writes, "arg" or "aux".
bool has_role(std::string_view prefix);
/// The name of the variable. Variables have no ':' in their names in practice, but nothing forbids it: only
/// the two known prefixes are cut.
std::string bare_name(const std::string& name);

}  // namespace mxinfer::formats
