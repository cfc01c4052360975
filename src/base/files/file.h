// Whole files as bytes.
//
//   std::vector<std::byte> bytes = read_file("digits-0000.params");
//   write_file("0.npy", bytes);
#pragma once

#include <mxinfer/span.h>

#include <cstddef>
#include <string>
#include <vector>

namespace mxinfer {

/// Every byte of a regular file. Throws Error(not_found) if it cannot be opened, is a folder, a pipe or a
/// device, and Error(malformed) if reading it fails; the message names the path, or begins with `shown`, and
/// states the system's reason.
std::vector<std::byte> read_file(const std::string& path, const std::string& shown = {});

/// Writes or replaces the file. Throws Error(invalid_argument) if it cannot be created or written in full.
void write_file(const std::string& path, Span<const std::byte> bytes);

}  // namespace mxinfer
