// 0.npy, 1.npy, ...: the outputs of a run, in a folder that may hold those of an earlier run.
#pragma once

#include <cstddef>
#include <string>

namespace mxinfer::cli {

/// "out/3.npy".
std::string numbered_file(const std::string& folder, std::size_t number);

/// Error(invalid_argument) if the folder holds numbered files from `count` on, which a run of `count` outputs
/// would leave beside its own.
void reject_files_beyond(const std::string& folder, std::size_t count);
/// Removes these files.
void remove_files_beyond(const std::string& folder, std::size_t count);

}  // namespace mxinfer::cli
