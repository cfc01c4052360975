// What the emulated GPUs have done so far, for tests that count it: copies, and launches of kernels. Work of
// a recording counts each time that it is replayed. If the environment variable MXINFER_SIMT_LAUNCHES names a
// file, it gets a line for each kernel and kind of copy when the process ends: "76 pad_kernel".
#pragma once

#include <cstddef>

namespace mxinfer::simt {

// Thread-safe.
enum class Transfer { to_device, to_host, on_device, fill };
void count_transfer(Transfer kind, std::size_t bytes);
void count_launch(const void* kernel);

}  // namespace mxinfer::simt

/// Copies from the process to a device so far, their bytes, and launches of a kernel or all instances of a
/// template: "chain_pixels". Found with dlsym.
extern "C" __attribute__((visibility("default"))) unsigned long long mxinfer_simt_copies_to_device();
extern "C" __attribute__((visibility("default"))) unsigned long long mxinfer_simt_bytes_to_device();
extern "C" __attribute__((visibility("default"))) unsigned long long mxinfer_simt_launches(
    const char* kernel);
/// Launches of all kernels, and copies and fills of memory in any direction.
extern "C" __attribute__((visibility("default"))) unsigned long long mxinfer_simt_all_launches();
