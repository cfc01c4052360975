// 0.npy, 1.npy, ...: the outputs of a run in a folder, where those of an earlier run may be.
#pragma once

#include <cstddef>
#include <string>

namespace mxinfer::cli {

/// "out/3.npy".
std::string numbered_file(const std::string& folder, std::size_t number);

/// Error(invalid_argument) if the folder holds numbered files from `count` on: a run that writes `count`
/// of them would leave them beside its own.
void reject_files_beyond(const std::string& folder, std::size_t count);
/// Removes them.
void remove_files_beyond(const std::string& folder, std::size_t count);

}  // namespace mxinfer::cli
