// NumPy's .npz files: a zip archive of .npy members, each an array whose name is the member's without ".npy".
//
//   for (const NamedArray& array : load_npz("held_out.npz")) ... array.name, array.tensor ...
//   save_npz("out.npz", {{"softmax_output", scores.view()}});
#pragma once

#include <mxinfer/span.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "formats/arrays/named_array.h"

namespace mxinfer::formats {

/// The default limit for the total unpacked size of an archive's members: 4 GiB.
inline constexpr std::uint64_t kNpzByteLimit = std::uint64_t{4} << 30;

/// Whether the first bytes (four are enough) are those of such an archive.
bool begins_like_npz(Span<const std::byte> bytes);

/// The arrays in the order of the archive. `name` stands in front of error messages. Throws Error(malformed)
/// for what is not a complete archive of .npy members, has none, or has two of one name,
/// Error(invalid_argument) if the members unpack to more than `byte_limit` bytes in all: a small archive can
/// unpack to a very large one.
std::vector<NamedArray> read_npz(Span<const std::byte> bytes, const std::string& name,
                                 std::uint64_t byte_limit = kNpzByteLimit);
std::vector<NamedArray> load_npz(const std::string& path, std::uint64_t byte_limit = kNpzByteLimit);

/// Replaces the file atomically. The arrays are stored, as numpy.savez does. Throws Error(invalid_argument)
/// if two have one name, and if the file cannot be written.
void save_npz(const std::string& path, const std::vector<std::pair<std::string, TensorView>>& arrays);

}  // namespace mxinfer::formats
